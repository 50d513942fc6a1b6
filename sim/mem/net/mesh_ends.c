/* Between endpoints and routers of a mesh (mesh.h): injection, and what has been ejected. */
#include "sim/mem/net/mesh_internal.h"

/* --- injection -------------------------------------------------------------------------------- */

/* Of the channels in a set of the entrance's, those on which the packet may go: with others of its
 * input and output under way only theirs. */
static uint64_t in_order(const struct mesh *m, const struct packet *p, uint64_t set)
{
    uint32_t pair = p->input * m->config.outputs + p->output;
    if (m->config.any_vc || !m->pair_count[pair])
        return set;
    return set & 1ull << (ENTRANCE * LANES + m->pair_vc[pair]);
}

/* The input's oldest packet gets a channel of the entrance, of those in `set`; false: none is for
 * it. */
static bool begin(struct mesh *m, uint32_t node, struct injection *in, uint64_t set)
{
    uint32_t index = in->packets[in->first];
    const struct packet *p = &m->packets[index];
    struct passage passage = {
        .packet = index, .flits = p->flits, .to = (uint8_t)p->node, .allowed = p->allowed};
    set = in_order(m, p, set & (uint64_t)p->allowed << ENTRANCE * LANES);
    if (!set)
        return false;
    uint32_t channel = mesh_best(m->words.credits, m->planes, node, set);
    uint32_t vc = channel & (LANES - 1);
    if (!m->config.any_vc) {
        uint32_t pair = p->input * m->config.outputs + p->output;
        passage.allowed = (uint8_t)(1u << vc);
        m->pair_vc[pair] = (uint8_t)vc;
        m->pair_count[pair]++;
    }
    in->channel = (uint8_t)channel;
    in->left = p->flits;
    mesh_append(m, node, PORT_LOCAL * LANES + vc, &passage);
    return true;
}

/* The input's oldest packet has left its queue. */
static void finish_injection(struct mesh *m, uint32_t node, struct injection *in)
{
    m->words.free[node] |= 1ull << in->channel;
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
    if (in->left ? !(credit >> in->channel & 1) : !begin(m, node, in, m->words.free[node] & credit))
        return false;
    uint64_t bit = 1ull << in->channel;
    m->words.free[node] &= ~bit;
    m->words.spent[node] |= bit;
    m->injected[node / 64] |= 1ull << node % 64;
    struct slot *slot = mesh_slot(m, m->now + m->config.router_delay);
    slot->flits[node] |= bit >> (ENTRANCE - PORT_LOCAL) * LANES;
    slot->flowing[node / 64] |= 1ull << node % 64;
    m->granted++;
    if (!--in->left)
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
