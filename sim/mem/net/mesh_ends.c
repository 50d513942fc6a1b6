/* Between endpoints and routers of a mesh: injection and ejection (mesh.h). */
#include "sim/mem/net/mesh_internal.h"

/* --- injection -------------------------------------------------------------------------------- */

/* The channel of the local port that the packet begins on, NO_CHANNEL: none is free with a credit.
 */
static uint32_t begin(struct mesh *m, const struct router *r, struct packet *p)
{
    uint32_t pair = p->input * m->config.outputs + p->output, allowed = p->allowed;
    if (!m->config.any_vc && m->pair_count[pair])
        allowed = 1u << m->pair_vc[pair];
    uint32_t with_credit = (uint32_t)(r->credit >> ENTRANCE * LANES);
    uint32_t channel = mesh_free_channel(r, ENTRANCE, allowed & with_credit);
    if (channel == NO_CHANNEL || m->config.any_vc)
        return channel;
    p->allowed = (uint8_t)(1u << (channel & (LANES - 1)));
    m->pair_vc[pair] = (uint8_t)(channel & (LANES - 1));
    m->pair_count[pair]++;
    return channel;
}

/* The input's oldest packet has left its queue. */
static void finish_injection(struct mesh *m, struct router *r, uint32_t node, struct injection *in)
{
    r->free |= 1ull << in->channel;
    in->sent = 0;
    in->first = in->first + 1 < m->config.input_queue ? in->first + 1 : 0;
    occupancy_leave(&in->use, m->now);
    if (!in->use.count && !--r->waiting)
        m->injecting[node / 64] &= ~(1ull << node % 64);
}

/* A flit of the input's oldest packet enters the router; false when it cannot. */
static bool inject_one(struct mesh *m, struct router *r, uint32_t node, uint32_t input)
{
    struct injection *in = &m->injection[input];
    if (!in->use.count)
        return false;
    uint32_t index = in->packets[in->first];
    struct packet *p = &m->packets[index];
    uint32_t channel = in->sent ? in->channel : begin(m, r, p);
    if (channel == NO_CHANNEL || !(r->credit >> channel & 1))
        return false;
    struct flit flit = {.packet = index,
                        .ready = (uint32_t)m->now + m->config.router_delay,
                        .to = p->node,
                        .allowed = p->allowed};
    flit.packet |= in->sent == 0 ? FLIT_HEAD : 0;
    flit.packet |= in->sent + 1 == p->flits ? FLIT_TAIL : 0;
    r->free &= ~(1ull << channel);
    mesh_spend(r, channel);
    in->channel = (uint8_t)channel;
    in->sent++;
    uint32_t lane = PORT_LOCAL * LANES + (channel & (LANES - 1));
    mesh_enter(m, r, node, lane, flit);
    m->granted++;
    if (flit.packet & FLIT_TAIL)
        finish_injection(m, r, node, in);
    return true;
}

void mesh_inject(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->injecting[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set);
            struct router *r = &m->router[node];
            uint32_t first = m->node_first[node], count = m->node_first[node + 1] - first;
            uint32_t at = r->turn_input;
            if (!(r->credit & m->entrance))
                continue;
            for (uint32_t i = 0; i < count; i++, at = at + 1 < count ? at + 1 : 0) {
                if (!inject_one(m, r, node, m->node_inputs[first + at]))
                    continue;
                r->turn_input = (uint16_t)(at + 1 < count ? at + 1 : 0);
                break;
            }
        }
    }
}

/* --- ejection --------------------------------------------------------------------------------- */

static void deliver(struct mesh *m, uint32_t index)
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

/* The buffer's first flit, which has arrived, leaves it; false when its output has no room. */
static bool eject_one(const struct sight *s, uint32_t lane, uint32_t flit)
{
    struct mesh *m = s->m;
    uint32_t index = flit & FLIT_PACKET, output = m->packets[index].output;
    const struct request_queue *queue = &m->output[output];
    if (flit & FLIT_HEAD) {
        if (queue->use.count + m->reserved[output] >= m->config.output_queue)
            return false;
        m->reserved[output]++;
    }
    mesh_leave(s, lane);
    if (flit & FLIT_TAIL)
        deliver(m, index);
    return true;
}

void mesh_eject(const struct sight *s)
{
    for (uint64_t set = s->r->due >> EJECTION * LANES; set;) {
        uint32_t vc = mesh_first(set, s->r->turn_eject), lane = EJECTION * LANES + vc;
        set &= ~(1ull << vc);
        if (eject_one(s, lane, mesh_head(s, lane)->packet)) {
            s->r->turn_eject = (uint8_t)(vc + 1);
            return;
        }
    }
    s->m->stood++;
}
