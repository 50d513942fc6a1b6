/* Between endpoints and routers of a mesh (mesh.h): injection, and what has been ejected. */
#include "sim/mem/net/mesh_internal.h"

/* --- injection -------------------------------------------------------------------------------- */

/* The channel of the local port that the packet begins on, NO_CHANNEL: none is free with a credit.
 */
static uint32_t begin(struct mesh *m, uint32_t node, struct packet *p, uint64_t credit)
{
    uint32_t pair = p->input * m->config.outputs + p->output, allowed = p->allowed;
    if (!m->config.any_vc && m->pair_count[pair])
        allowed = 1u << m->pair_vc[pair];
    uint64_t set = (uint64_t)allowed << ENTRANCE * LANES & m->words.free[node] & credit;
    if (!set)
        return NO_CHANNEL;
    uint32_t channel = mesh_best(m->words.credits, m->planes, node, set);
    if (m->config.any_vc)
        return channel;
    p->allowed = (uint8_t)(1u << (channel & (LANES - 1)));
    m->pair_vc[pair] = (uint8_t)(channel & (LANES - 1));
    m->pair_count[pair]++;
    return channel;
}

/* The input's oldest packet has left its queue. */
static void finish_injection(struct mesh *m, uint32_t node, struct injection *in)
{
    m->words.free[node] |= 1ull << in->channel;
    in->sent = 0;
    in->first = in->first + 1 < m->config.input_queue ? in->first + 1 : 0;
    occupancy_leave(&in->use, m->now);
    if (!in->use.count && !--m->router[node].waiting)
        m->injecting[node / 64] &= ~(1ull << node % 64);
}

/* A flit of the input's oldest packet enters the router, of which those in `credit` have a credit;
 * false when it cannot. */
static bool inject_one(struct mesh *m, uint32_t node, uint32_t input, uint64_t credit)
{
    struct injection *in = &m->injection[input];
    if (!in->use.count)
        return false;
    uint32_t index = in->packets[in->first];
    struct packet *p = &m->packets[index];
    if (!in->sent) {
        uint32_t channel = begin(m, node, p, credit);
        if (channel == NO_CHANNEL)
            return false;
        in->channel = (uint8_t)channel;
        struct passage passage = {
            .packet = index, .flits = p->flits, .to = (uint8_t)p->node, .allowed = p->allowed};
        mesh_append(m, node, PORT_LOCAL * LANES + (channel & (LANES - 1)), &passage);
    } else if (!(credit >> in->channel & 1)) {
        return false;
    }
    uint64_t bit = 1ull << in->channel;
    m->words.free[node] &= ~bit;
    m->words.spent[node] |= bit;
    mesh_slot(m, m->now + m->config.router_delay)->flits[node] |=
        bit >> (ENTRANCE - PORT_LOCAL) * LANES;
    m->granted++;
    if (++in->sent == p->flits)
        finish_injection(m, node, in);
    return true;
}

/* A flit of one of the node's inputs. */
static void inject(struct mesh *m, uint32_t node, uint64_t credit)
{
    uint32_t first = m->node_first[node], count = m->node_first[node + 1] - first;
    uint32_t at = m->router[node].turn_input;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t next = at + 1 < count ? at + 1 : 0;
        if (inject_one(m, node, m->node_inputs[first + at], credit)) {
            m->router[node].turn_input = (uint16_t)next;
            return;
        }
        at = next;
    }
}

void mesh_inject(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->injecting[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set);
            uint64_t credit = mesh_some(m->words.credits, m->planes, node);
            if (credit >> ENTRANCE * LANES)
                inject(m, node, credit);
        }
    }
}

/* --- ejection --------------------------------------------------------------------------------- */

void mesh_deliver(struct mesh *m, uint32_t index)
{
    struct packet *p = &m->packets[index];
    m->reserved[p->output]--;
    queue_push(&m->output[p->output], &p->message, m->now);
    m->net.ready[p->output / 64] |= 1ull << p->output % 64;
    if (!m->config.any_vc)
        m->pair_count[p->input * m->config.outputs + p->output]--;
    m->unused[m->n_unused++] = index;
    m->messages++;
    m->in_motion--;
}
