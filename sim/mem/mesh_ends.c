/* Between endpoints and routers of a mesh: injection and ejection (mesh.h). */
#include "sim/mem/mesh_internal.h"

/* --- injection -------------------------------------------------------------------------------- */

/* The channel of the local port that the packet begins on, NO_CHANNEL: none is free with a credit.
 */
static uint32_t begin(struct mesh *m, uint32_t node, struct packet *p)
{
    uint32_t vcs = m->config.vcs, best = NO_CHANNEL;
    uint32_t pair = p->input * m->config.outputs + p->output;
    const struct channel *entrance = &m->entrance[node * vcs];
    if (!m->config.any_vc)
        p->vc = m->pair_count[pair] ? m->pair_vc[pair] : NO_CHANNEL;
    for (uint32_t mask = mesh_allowed(m, p); mask; mask &= mask - 1) {
        uint32_t vc = (uint32_t)__builtin_ctz(mask);
        if (entrance[vc].held_by == NONE && entrance[vc].credits &&
            (best == NO_CHANNEL || entrance[vc].credits > entrance[best].credits))
            best = vc;
    }
    if (best == NO_CHANNEL || m->config.any_vc)
        return best;
    p->vc = (uint8_t)best;
    m->pair_vc[pair] = (uint8_t)best;
    m->pair_count[pair]++;
    return best;
}

/* The input's oldest packet has left its queue. */
static void finish_injection(struct mesh *m, uint32_t node, struct injection *in)
{
    uint32_t size = m->config.input_queue;
    m->entrance[node * m->config.vcs + in->vc].held_by = NONE;
    in->vc = NO_CHANNEL;
    in->sent = 0;
    in->first = in->first + 1 < size ? in->first + 1 : 0;
    occupancy_leave(&in->use, m->now);
    if (!in->use.count && !--m->node_waiting[node])
        m->injecting[node / 64] &= ~(1ull << node % 64);
}

/* A flit of the input's oldest packet enters the router; false when it cannot. */
static bool inject_one(struct mesh *m, uint32_t node, uint32_t input)
{
    struct injection *in = &m->injection[input];
    if (!in->use.count)
        return false;
    uint32_t index = in->packets[in->first], vcs = m->config.vcs;
    struct packet *p = &m->packets[index];
    uint32_t vc = in->sent ? in->vc : begin(m, node, p);
    if (vc == NO_CHANNEL)
        return false;
    struct channel *c = &m->entrance[node * vcs + vc];
    if (!c->credits)
        return false;
    struct flit flit = {.packet = index, .head = in->sent == 0, .tail = in->sent + 1 == p->flits};
    c->held_by = input;
    c->credits--;
    in->vc = (uint8_t)vc;
    in->sent++;
    mesh_enter(m, (node * PORTS + PORT_LOCAL) * vcs + vc, &flit);
    m->granted++;
    if (flit.tail)
        finish_injection(m, node, in);
    return true;
}

void mesh_inject(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->injecting[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set);
            uint32_t first = m->node_first[node], count = m->node_first[node + 1] - first;
            for (uint32_t i = 0; i < count; i++) {
                uint32_t at = (m->turn_input[node] + i) % count;
                if (!inject_one(m, node, m->node_inputs[first + at]))
                    continue;
                m->turn_input[node] = (uint16_t)((at + 1) % count);
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

/* A flit leaves the buffer; false when it holds none or its output has no room. */
static bool eject_one(struct mesh *m, uint32_t buffer)
{
    struct buffer *b = &m->buffer[buffer];
    if (!b->count)
        return false;
    const struct flit *f = &m->flits[buffer * m->config.vc_buffer + b->first];
    uint32_t index = f->packet, output = m->packets[index].output;
    const struct request_queue *queue = &m->output[output];
    if (f->head && queue->use.count + m->reserved[output] >= m->config.output_queue)
        return false;
    m->reserved[output] = (uint16_t)(m->reserved[output] + f->head);
    if (mesh_leave(m, buffer).tail)
        deliver(m, index);
    return true;
}

void mesh_eject(struct mesh *m)
{
    uint32_t vcs = m->config.vcs;
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->ejecting[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set), left = 0;
            bool moved = false;
            for (uint32_t i = 0; i < vcs; i++) {
                uint32_t vc = (m->turn_eject[node] + i) % vcs;
                if (!moved && eject_one(m, mesh_ejection(m, node, vc))) {
                    moved = true;
                    m->turn_eject[node] = (uint8_t)((vc + 1) % vcs);
                    i = vcs;
                }
            }
            for (uint32_t vc = 0; vc < vcs; vc++)
                left += m->buffer[mesh_ejection(m, node, vc)].count;
            m->stood += !moved;
            if (!left)
                m->ejecting[node / 64] &= ~(1ull << node % 64);
        }
    }
}
