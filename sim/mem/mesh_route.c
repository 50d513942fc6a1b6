/* Routers of a mesh: virtual channels and switches (mesh.h). */
#include "sim/mem/mesh_internal.h"

/* Packets at the head of the buffers in `set` get channels. Returns those that may be sent in the
 * same tick. */
static uint64_t give_channels(struct mesh *m, struct router *r, uint32_t node, uint64_t set)
{
    uint64_t when = m->now + (m->config.router_delay > 1), at_once = 0;
    uint32_t from = r->turn_vc;
    while (set) {
        uint32_t lane = mesh_first(set, from);
        const struct flit *f = mesh_head(m, node, lane);
        set &= ~(1ull << lane);
        if (!mesh_due(f, when))
            continue;
        const struct packet *p = &m->packets[f->packet & FLIT_PACKET];
        uint32_t port = m->port[node * m->nodes + p->node];
        uint32_t channel = mesh_free_channel(r, port, p->allowed);
        if (channel == NO_CHANNEL) {
            r->refused |= 1ull << lane;
            continue;
        }
        struct buffer *b = &m->buffer[node * ROUTER_LANES + lane];
        b->port = (uint8_t)port;
        b->channel = (uint8_t)channel;
        r->routed |= 1ull << lane;
        r->blocked |= (~r->credit >> channel & 1) << lane;
        r->free &= ~(1ull << channel);
        r->holder[channel] = (uint8_t)lane;
        r->turn_vc = (uint8_t)(lane + 1);
        at_once |= (uint64_t)mesh_due(f, m->now) << lane;
    }
    return at_once;
}

/* Of an input port's buffers, the bits of `set`, one that can send; NO_CHANNEL: none. */
static uint32_t offer(const struct mesh *m, const struct router *r, uint32_t node, uint32_t in,
                      uint64_t set)
{
    while (set) {
        uint32_t vc = mesh_first(set, r->turn_in[in]), lane = in * LANES + vc;
        set &= ~(1ull << vc);
        if (mesh_due(mesh_head(m, node, lane), m->now))
            return vc;
    }
    return NO_CHANNEL;
}

static void send(struct mesh *m, struct router *r, uint32_t node, uint32_t lane)
{
    uint32_t channel = m->buffer[node * ROUTER_LANES + lane].channel;
    const struct link *link = &m->link[node * PORTS + (channel >> LANE_BITS)];
    struct flit flit = *mesh_head(m, node, lane);
    uint64_t tail = flit.packet >> 31;
    r->free |= tail << channel;
    r->refused &= tail - 1;
    r->routed &= ~(tail << lane);
    mesh_leave(m, r, node, lane);
    mesh_spend(r, channel);
    r->blocked |= (~tail & ~(r->credit >> channel) & 1) << lane;
    flit.ready = (uint32_t)m->now + link->delay;
    mesh_enter(m, link->node, link->lane + (channel & (LANES - 1)), flit);
    m->stats.hops++;
}

/* Of the buffers in `set`, whose packets have channels with credits, one to an input and to an
 * output port sends a flit. */
static void switch_flits(struct mesh *m, struct router *r, uint32_t node, uint64_t set)
{
    uint8_t offers[PORTS], asking[PORTS] = {0};
    uint32_t asked = 0;
    while (set) {
        uint32_t in = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
        uint32_t vc = offer(m, r, node, in, set >> in * LANES & LANE_MASK);
        set &= ~(LANE_MASK << in * LANES);
        if (vc == NO_CHANNEL)
            continue;
        uint32_t out = m->buffer[node * ROUTER_LANES + in * LANES + vc].port;
        offers[in] = (uint8_t)vc;
        asking[out] = (uint8_t)(asking[out] | 1u << in);
        asked |= 1u << out;
    }
    for (; asked; asked &= asked - 1) {
        uint32_t out = (uint32_t)__builtin_ctz(asked),
                 in = mesh_first(asking[out], r->turn_out[out]);
        send(m, r, node, in * LANES + offers[in]);
        r->turn_out[out] = (uint8_t)(in + 1);
        r->turn_in[in] = (uint8_t)(offers[in] + 1);
    }
}

static void count_waiting(struct mesh *m, const struct router *r, uint64_t filled)
{
    uint64_t blocked = filled & r->routed & r->blocked;
    m->stats.no_channel += (uint32_t)__builtin_popcountll(r->refused);
    m->stats.no_credit += (uint32_t)__builtin_popcountll(blocked);
}

static void route_node(struct mesh *m, struct router *r, uint32_t node)
{
    uint64_t filled = r->filled & INPUT_MASK, set = filled & r->routed & ~r->blocked;
    uint64_t asking = filled & ~(r->routed | r->refused);
    if (asking)
        set |= give_channels(m, r, node, asking) & ~r->blocked;
    if (r->refused | (filled & r->routed & r->blocked))
        count_waiting(m, r, filled);
    if (set)
        switch_flits(m, r, node, set);
    if (r->filled >> EJECTION * LANES)
        mesh_eject(m, r, node);
}

void mesh_route(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        m->active[word] |= m->reached[word];
        m->reached[word] = 0;
    }
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->active[word]; set; set &= set - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(set);
            struct router *r = &m->router[word * 64 + bit];
            route_node(m, r, word * 64 + bit);
            m->active[word] &= ~((uint64_t)!r->filled << bit);
        }
    }
}
