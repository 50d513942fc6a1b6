/* Routers of a mesh: virtual channels and switches (mesh.h). */
#include "base/clones.h"
#include "sim/mem/net/mesh_internal.h"

/* The packet at the head of a buffer gets a channel; false when none is free. */
CLONED_PART bool give_channel(const struct sight *s, uint32_t lane, const struct flit *f)
{
    struct router *r = s->r;
    uint32_t channel = mesh_free_channel(r, r->port[f->to], f->allowed);
    if (channel == NO_CHANNEL)
        return false;
    s->buffer[lane].channel = (uint8_t)channel;
    r->routed |= 1ull << lane;
    r->blocked |= (~r->credit >> channel & 1) << lane;
    r->free &= ~(1ull << channel);
    r->holder[channel] = (uint8_t)lane;
    return true;
}

/* Packets at the head of the buffers in `set` get channels. */
CLONED_PART void give_channels(const struct sight *s, uint64_t set)
{
    uint32_t from = s->r->turn_vc;
    while (set) {
        uint32_t lane = mesh_first(set, from);
        set &= ~(1ull << lane);
        if (give_channel(s, lane, mesh_head(s, lane)))
            s->r->turn_vc = (uint8_t)(lane + 1);
        else
            s->r->refused |= 1ull << lane;
    }
}

/* Of an input port's buffers, the bits of `set`, the one whose turn it is. */
CLONED_PART uint32_t offer(const struct sight *s, uint32_t in, uint64_t set)
{
    return mesh_first(set, s->r->turn_in[in]);
}

/* mesh_switch with allocation by input and one round. */
CLONED_PART void switch_flits(const struct sight *s, uint64_t set)
{
    uint8_t offers[PORTS], asking[PORTS] = {0};
    uint32_t asked = 0, only = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
    if (!(set & ~(LANE_MASK << only * LANES))) {
        uint32_t vc = offer(s, only, set >> only * LANES), lane = only * LANES + vc;
        s->r->turn_out[s->buffer[lane].channel >> LANE_BITS] = (uint8_t)(only + 1);
        s->r->turn_in[only] = (uint8_t)(vc + 1);
        mesh_send(s, lane);
        return;
    }
    while (set) {
        uint32_t in = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
        uint32_t vc = offer(s, in, set >> in * LANES & LANE_MASK);
        set &= ~(LANE_MASK << in * LANES);
        uint32_t out = s->buffer[in * LANES + vc].channel >> LANE_BITS;
        offers[in] = (uint8_t)vc;
        asking[out] = (uint8_t)(asking[out] | 1u << in);
        asked |= 1u << out;
    }
    for (; asked; asked &= asked - 1) {
        uint32_t out = (uint32_t)__builtin_ctz(asked);
        uint32_t in = mesh_first(asking[out], s->r->turn_out[out]);
        mesh_send(s, in * LANES + offers[in]);
        s->r->turn_out[out] = (uint8_t)(in + 1);
        s->r->turn_in[in] = (uint8_t)(offers[in] + 1);
    }
}

static void count_waiting(struct mesh *m, const struct router *r, uint64_t blocked)
{
    m->stats.no_channel += (uint32_t)__builtin_popcountll(r->refused);
    m->stats.no_credit += (uint32_t)__builtin_popcountll(blocked);
}

CLONED_PART void route_node(const struct sight *s)
{
    struct router *r = s->r;
    uint64_t *coming = mesh_coming(s->m, r, s->now);
    uint64_t due = r->due |= *coming;
    *coming = 0;
    uint64_t soon = s->m->config.router_delay > 0 ? *mesh_coming(s->m, r, s->now + 1) : 0;
    uint64_t asking = (due | soon) & INPUT_MASK & ~(r->routed | r->refused);
    if (asking)
        give_channels(s, asking);
    uint64_t routed = r->filled & r->routed, blocked = routed & r->blocked;
    if (r->refused | blocked)
        count_waiting(s->m, r, blocked);
    uint64_t set = due & routed & ~r->blocked;
    if (set && s->m->simple)
        switch_flits(s, set);
    else if (set)
        mesh_switch(s, set);
    if (due >> EJECTION * LANES)
        mesh_eject(s);
}

/* Beside a whole machine a router is not in the first cache: it is fetched while others are served.
 */
CLONED_PART void fetch_router(const struct mesh *m, uint32_t node)
{
    const char *r = (const char *)&m->router[node];
    for (uint32_t i = 0; i < 192; i += 64)
        __builtin_prefetch(r + i);
    const struct buffer *b = &m->buffer[node * ROUTER_LANES];
    for (uint32_t port = 0; port < BUFFER_PORTS; port++)
        __builtin_prefetch(b + port * LANES);
}

CPU_CLONES void mesh_route(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        m->active[word] |= m->reached[word];
        m->reached[word] = 0;
    }
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        uint64_t left = m->active[word];
        for (uint64_t set = left; set; set &= set - 1) {
            uint32_t bit = (uint32_t)__builtin_ctzll(set);
            uint64_t ahead = set & (set - 1);
            ahead &= ahead - 1;
            if (ahead)
                fetch_router(m, word * 64 + (uint32_t)__builtin_ctzll(ahead));
            struct sight s = mesh_sight(m, word * 64 + bit);
            route_node(&s);
            left &= ~((uint64_t)!s.r->filled << bit);
        }
        m->active[word] = left;
    }
}
