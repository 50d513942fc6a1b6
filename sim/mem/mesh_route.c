/* Routers of a mesh: virtual channels and switches (mesh.h). */
#include "sim/mem/mesh_internal.h"

/* Packets at the head of their buffers get channels. */
static void give_channels(struct mesh *m, struct router *r, uint32_t node)
{
    uint32_t vcs = m->config.vcs, size = m->size, base = node * size, from = r->turn_vc;
    uint64_t when = m->now + (m->config.router_delay > 1);
    for (uint64_t set = mesh_rotate(r->filled & ~r->routed, from, size); set; set &= set - 1) {
        uint32_t at = from + (uint32_t)__builtin_ctzll(set);
        at = at < size ? at : at - size;
        const struct flit *f = mesh_head(m, base + at);
        if (!mesh_due(f, when))
            continue;
        const struct packet *p = &m->packets[f->packet & FLIT_PACKET];
        uint32_t port = m->port[node * m->nodes + p->node];
        uint32_t vc = mesh_free_channel(r, port * vcs, mesh_allowed(m, p));
        if (vc == NO_CHANNEL) {
            m->stats.no_channel++;
            continue;
        }
        struct buffer *b = &m->buffer[base + at];
        b->port = (uint8_t)port;
        b->channel = (uint8_t)(port * vcs + vc);
        r->routed |= 1ull << at;
        r->free &= ~(1ull << b->channel);
        r->turn_vc = (uint8_t)(at + 1 < size ? at + 1 : 0);
    }
}

/* Of an input port's buffers, those in `set`, one that can send; NO_CHANNEL: none. */
static uint32_t offer(struct mesh *m, const struct router *r, uint32_t base, uint32_t from,
                      uint64_t set)
{
    uint32_t vcs = m->config.vcs;
    for (set = mesh_rotate(set, from, vcs); set; set &= set - 1) {
        uint32_t vc = from + (uint32_t)__builtin_ctzll(set);
        vc = vc < vcs ? vc : vc - vcs;
        if (!mesh_due(mesh_head(m, base + vc), m->now))
            continue;
        if (r->credit >> m->buffer[base + vc].channel & 1)
            return vc;
        m->stats.no_credit++;
    }
    return NO_CHANNEL;
}

static void send(struct mesh *m, struct router *r, uint32_t node, uint32_t at)
{
    uint32_t from = node * m->size + at;
    const struct buffer *b = &m->buffer[from];
    const struct link *link = &m->link[node * m->size + b->channel];
    struct flit flit = *mesh_head(m, from);
    uint32_t arrives = (uint32_t)m->now + m->config.link_delay;
    mesh_leave(m, from);
    mesh_spend(r, b->channel);
    if (flit.packet & FLIT_TAIL) {
        r->free |= 1ull << b->channel;
        r->routed &= ~(1ull << at);
    }
    if (!b->count) {
        r->filled &= ~(1ull << at);
        if (!r->filled)
            m->active[node / 64] &= ~(1ull << node % 64);
    }
    flit.ready = link->ejection ? arrives : arrives + m->config.router_delay - 1;
    mesh_enter(m, link->buffer, flit);
    struct router *to = &m->router[link->node];
    if (link->ejection) {
        to->ejecting |= (uint8_t)(1u << link->bit);
        m->ejecting[node / 64] |= 1ull << node % 64;
    } else {
        to->filled |= 1ull << link->bit;
        m->active[link->node / 64] |= 1ull << link->node % 64;
    }
    m->stats.hops++;
}

static void switch_flits(struct mesh *m, struct router *r, uint32_t node)
{
    uint32_t vcs = m->config.vcs, base = node * m->size, all = (1u << vcs) - 1;
    uint32_t offers[PORTS], asking[PORTS] = {0}, asked = 0;
    uint64_t set = r->filled & r->routed;
    for (uint32_t in = 0; set; in++, set >>= vcs) {
        if (!(set & all))
            continue;
        uint32_t vc = offer(m, r, base + in * vcs, r->turn_in[in], set & all);
        if (vc == NO_CHANNEL)
            continue;
        uint32_t out = m->buffer[base + in * vcs + vc].port;
        offers[in] = vc;
        asking[out] |= 1u << in;
        asked |= 1u << out;
    }
    for (; asked; asked &= asked - 1) {
        uint32_t out = (uint32_t)__builtin_ctz(asked), from = r->turn_out[out];
        uint32_t in = from + (uint32_t)__builtin_ctzll(mesh_rotate(asking[out], from, PORTS));
        in = in < PORTS ? in : in - PORTS;
        send(m, r, node, in * vcs + offers[in]);
        r->turn_out[out] = (uint8_t)(in + 1 < PORTS ? in + 1 : 0);
        r->turn_in[in] = (uint8_t)(offers[in] + 1 < vcs ? offers[in] + 1 : 0);
    }
}

void mesh_route(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->active[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set);
            struct router *r = &m->router[node];
            if (r->filled & ~r->routed)
                give_channels(m, r, node);
            switch_flits(m, r, node);
        }
    }
}
