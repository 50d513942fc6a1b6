/* Routers of a mesh: virtual channels and switches (mesh.h). */
#include "sim/mem/mesh_internal.h"

/* First along x, then along y. */
static enum port next_port(const struct mesh *m, uint32_t node, uint32_t to)
{
    uint32_t width = m->config.width;
    uint32_t x = node % width, y = node / width, to_x = to % width, to_y = to / width;
    if (to_x != x)
        return to_x > x ? PORT_EAST : PORT_WEST;
    if (to_y != y)
        return to_y > y ? PORT_SOUTH : PORT_NORTH;
    return PORT_LOCAL;
}

static struct flit *head_of(const struct mesh *m, uint32_t buffer)
{
    return &m->flits[buffer * m->config.vc_buffer + m->buffer[buffer].first];
}

static bool due(const struct flit *f, uint64_t now)
{
    return (int32_t)((uint32_t)now - f->ready) >= 0;
}

void mesh_enter(struct mesh *m, uint32_t buffer, const struct flit *flit)
{
    struct buffer *b = &m->buffer[buffer];
    uint32_t size = m->config.vc_buffer, at = (uint32_t)b->first + b->count;
    struct flit *place = &m->flits[buffer * size + (at < size ? at : at - size)];
    *place = *flit;
    place->ready = (uint32_t)m->now + m->config.router_delay - 1;
    b->count++;
    if (buffer >= m->buffers) {
        uint32_t node = (buffer - m->buffers) / m->config.vcs;
        m->ejecting[node / 64] |= 1ull << node % 64;
        return;
    }
    uint32_t per_node = PORTS * m->config.vcs, node = buffer / per_node;
    m->filled[node] |= 1ull << buffer % per_node;
    m->active[node / 64] |= 1ull << node % 64;
}

struct flit mesh_leave(struct mesh *m, uint32_t buffer)
{
    struct buffer *b = &m->buffer[buffer];
    struct flit flit = *head_of(m, buffer);
    b->first = (uint8_t)(b->first + 1u < m->config.vc_buffer ? b->first + 1 : 0);
    b->count--;
    wheel_add(&m->credits, m->now + m->config.credit_delay, m->back[buffer], NULL);
    if (buffer < m->buffers && !b->count) {
        uint32_t per_node = PORTS * m->config.vcs, node = buffer / per_node;
        m->filled[node] &= ~(1ull << buffer % per_node);
        if (!m->filled[node])
            m->active[node / 64] &= ~(1ull << node % 64);
    }
    return flit;
}

/* The free channel of `allowed` behind the port with the most credits; NO_CHANNEL: none. */
static uint32_t free_channel(const struct mesh *m, uint32_t first, uint32_t allowed)
{
    uint32_t best = NO_CHANNEL;
    for (uint32_t mask = allowed; mask; mask &= mask - 1) {
        uint32_t vc = (uint32_t)__builtin_ctz(mask);
        const struct channel *c = &m->channel[first + vc];
        if (c->held_by == NONE &&
            (best == NO_CHANNEL || c->credits > m->channel[first + best].credits))
            best = vc;
    }
    return best;
}

static uint64_t rotate(uint64_t set, uint32_t from, uint32_t size)
{
    uint64_t all = size == 64 ? UINT64_MAX : (1ull << size) - 1;
    return from ? (set >> from | set << (size - from)) & all : set;
}

/* Packets at the head of their buffers get channels. */
static void give_channels(struct mesh *m, uint32_t node)
{
    uint32_t vcs = m->config.vcs, size = PORTS * vcs, base = node * size;
    uint32_t from = m->turn_vc[node];
    uint64_t early = m->config.router_delay > 1;
    for (uint64_t set = rotate(m->filled[node], from, size); set; set &= set - 1) {
        uint32_t at = from + (uint32_t)__builtin_ctzll(set);
        at = at < size ? at : at - size;
        struct buffer *b = &m->buffer[base + at];
        const struct flit *f = head_of(m, base + at);
        if (b->vc != NO_CHANNEL || !due(f, m->now + early))
            continue;
        const struct packet *p = &m->packets[f->packet];
        b->port = (uint8_t)next_port(m, node, m->output_node[p->output]);
        uint32_t first = base + b->port * vcs;
        uint32_t vc = free_channel(m, first, mesh_allowed(m, p));
        if (vc == NO_CHANNEL) {
            m->stats.no_channel++;
            continue;
        }
        b->vc = (uint8_t)vc;
        m->channel[first + vc].held_by = base + at;
        m->turn_vc[node] = (uint8_t)(at + 1 < size ? at + 1 : 0);
    }
}

/* Of an input port's buffers one that can send; its number within the port, or NO_CHANNEL. */
static uint32_t offer(struct mesh *m, uint32_t node, uint32_t port, uint64_t filled)
{
    uint32_t vcs = m->config.vcs, base = node * PORTS * vcs, from = m->turn_in[node][port];
    for (uint64_t set = rotate(filled, from, vcs); set; set &= set - 1) {
        uint32_t vc = from + (uint32_t)__builtin_ctzll(set);
        vc = vc < vcs ? vc : vc - vcs;
        uint32_t at = base + port * vcs + vc;
        const struct buffer *b = &m->buffer[at];
        if (b->vc == NO_CHANNEL || !due(head_of(m, at), m->now))
            continue;
        if (m->channel[base + b->port * vcs + b->vc].credits)
            return vc;
        m->stats.no_credit++;
    }
    return NO_CHANNEL;
}

static void send(struct mesh *m, uint32_t node, uint32_t from)
{
    uint32_t vcs = m->config.vcs;
    struct buffer *b = &m->buffer[from];
    uint32_t to = (node * PORTS + b->port) * vcs + b->vc;
    struct flit flit = mesh_leave(m, from);
    m->channel[to].credits--;
    wheel_add(&m->links, m->now + m->config.link_delay, m->far[to], &flit);
    m->stats.hops++;
    if (flit.tail) {
        m->channel[to].held_by = NONE;
        b->vc = NO_CHANNEL;
    }
}

static void switch_flits(struct mesh *m, uint32_t node)
{
    uint32_t vcs = m->config.vcs, base = node * PORTS * vcs;
    uint32_t all = (1u << vcs) - 1;
    uint32_t offers[PORTS], asking[PORTS] = {0}, asked = 0;
    for (uint32_t in = 0; in < PORTS; in++) {
        uint64_t filled = m->filled[node] >> in * vcs & all;
        offers[in] = filled ? offer(m, node, in, filled) : NO_CHANNEL;
        if (offers[in] == NO_CHANNEL)
            continue;
        uint32_t out = m->buffer[base + in * vcs + offers[in]].port;
        asking[out] |= 1u << in;
        asked |= 1u << out;
    }
    for (; asked; asked &= asked - 1) {
        uint32_t out = (uint32_t)__builtin_ctz(asked), from = m->turn_out[node][out];
        uint32_t in = from + (uint32_t)__builtin_ctzll(rotate(asking[out], from, PORTS));
        in = in < PORTS ? in : in - PORTS;
        send(m, node, base + in * vcs + offers[in]);
        m->turn_out[node][out] = (uint8_t)(in + 1 < PORTS ? in + 1 : 0);
        m->turn_in[node][in] = (uint8_t)(offers[in] + 1 < vcs ? offers[in] + 1 : 0);
    }
}

void mesh_route(struct mesh *m)
{
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        for (uint64_t set = m->active[word]; set; set &= set - 1) {
            uint32_t node = word * 64 + (uint32_t)__builtin_ctzll(set);
            give_channels(m, node);
            switch_flits(m, node);
        }
    }
}
