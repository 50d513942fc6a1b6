/* Routers of a mesh: credits, virtual channels, switches, ejection (mesh.h). */
#include "base/clones.h"
#include "sim/mem/net/mesh_internal.h"

/* What a mesh is like, so that its ticks can be compiled for it. */
struct kind {
    uint32_t planes;
    bool simple; /* allocation by input, one round */
    bool early;  /* a packet gets its channel the tick before its flit may leave */
};

/* A tick, and where flits over links, flits into ejections, and credits go. */
struct tick {
    struct mesh *m;
    struct kind kind;
    uint64_t *link, *eject, *back;
};

/* A router in a tick, with its words. */
struct sight {
    struct router *r;
    struct buffer *buffer; /* the router's */
    uint32_t node;
    uint64_t routed, blocked, free;
    uint64_t credit, last; /* channels with a credit, and with one only */
    uint64_t moved, spent; /* buffers that a flit has left, channels that it went over */
};

/* --- virtual channels ------------------------------------------------------------------------- */

/* Packets whose first flits have come to the head of the buffers in `set` begin to wait. */
CLONED_PART void begin_to_wait(const struct tick *t, const struct sight *s, uint64_t set)
{
    const uint8_t *port = &t->m->port[s->node * t->m->nodes];
    t->m->words.known[s->node] |= set;
    for (; set; set &= set - 1) {
        uint32_t out = port[s->buffer[__builtin_ctzll(set)].head.to];
        s->r->wants[out] |= set & -set;
        t->m->words.wanted[s->node] |= LANE_MASK << out * LANES;
    }
}

CLONED_PART void give_channel(const struct tick *t, struct sight *s, uint32_t lane,
                              uint32_t channel)
{
    const struct way *ahead = &s->r->ahead[channel >> LANE_BITS];
    struct buffer *b = &s->buffer[lane];
    b->channel = (uint8_t)channel;
    s->blocked |= (~s->credit >> channel & 1) << lane;
    s->free &= ~(1ull << channel);
    s->r->holder[channel] = (uint8_t)lane;
    mesh_append(t->m, ahead->node, way_bit(ahead, channel), &b->head);
}

/* Channels of a port for those that wait for it, from buffer `from` on; the buffers that get one.
 */
CLONED_PART uint64_t give_of_port(const struct tick *t, struct sight *s, uint32_t port,
                                  uint32_t from)
{
    struct words *w = &t->m->words;
    uint64_t left = s->r->wants[port], given = 0;
    while (left && s->free >> port * LANES & LANE_MASK) {
        uint32_t lane = mesh_first(left, from);
        left &= ~(1ull << lane);
        uint64_t set = s->free & (uint64_t)s->buffer[lane].head.allowed << port * LANES;
        if (!set)
            continue;
        give_channel(t, s, lane, mesh_best(w->credits, t->kind.planes, s->node, set));
        given |= 1ull << lane;
    }
    s->r->wants[port] &= ~given;
    if (!s->r->wants[port])
        w->wanted[s->node] &= ~(LANE_MASK << port * LANES);
    return given;
}

/* `set`: channels that are free, of ports that a packet waits for. */
CLONED_PART void give_channels(const struct tick *t, struct sight *s, uint64_t set)
{
    struct router *r = s->r;
    uint32_t from = r->turn_vc;
    uint64_t given = 0;
    while (set) {
        uint32_t port = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
        set &= ~(LANE_MASK << port * LANES);
        given |= give_of_port(t, s, port, from);
    }
    if (!given)
        return;
    t->m->words.known[s->node] &= ~given;
    s->routed |= given;
    uint64_t low = given & ~(UINT64_MAX << from), last = low ? low : given;
    r->turn_vc = (uint8_t)(64 - __builtin_clzll(last));
}

/* --- switch ----------------------------------------------------------------------------------- */

/* A flit leaves its buffer; its credit goes back. True: it was its packet's last. */
CLONED_PART bool leave(struct tick *t, struct sight *s, uint32_t lane)
{
    const struct way *back = &s->r->back[lane >> LANE_BITS];
    s->moved |= 1ull << lane;
    t->back[back->node] |= 1ull << way_bit(back, lane);
    if (--s->buffer[lane].left)
        return false;
    mesh_drop(t->m, s->node, lane);
    return true;
}

/* The first flit of a buffer goes over its channel, which has a credit. */
CLONED_PART void send(struct tick *t, struct sight *s, uint32_t lane)
{
    const struct buffer *b = &s->buffer[lane];
    uint32_t channel = b->channel, out = channel >> LANE_BITS;
    const struct way *ahead = &s->r->ahead[out];
    uint64_t *to = out == PORT_LOCAL ? t->eject : t->link;
    to[ahead->node] |= 1ull << way_bit(ahead, channel);
    s->r->sent[out]++;
    s->spent |= 1ull << channel;
    if (leave(t, s, lane)) {
        s->free |= 1ull << channel;
        s->routed &= ~(1ull << lane);
    } else {
        s->blocked |= (s->last >> channel & 1) << lane;
    }
}

CLONED_PART void send_turned(struct tick *t, struct sight *s, uint32_t in, uint32_t vc,
                             uint32_t out)
{
    s->r->turn_out[out] = (uint8_t)(in + 1);
    s->r->turn_in[in] = (uint8_t)(vc + 1);
    send(t, s, in * LANES + vc);
}

/* Allocation by input, one round. */
CLONED_PART void switch_simple(struct tick *t, struct sight *s, uint64_t set)
{
    const struct router *r = s->r;
    uint64_t offers = 0, asking = 0; /* 8 bits by input: vc; by output: inputs */
    uint32_t only = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
    if (!(set & ~(LANE_MASK << only * LANES))) {
        uint32_t vc = mesh_first(set >> only * LANES, r->turn_in[only]);
        send_turned(t, s, only, vc, s->buffer[only * LANES + vc].channel >> LANE_BITS);
        return;
    }
    while (set) {
        uint32_t in = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
        uint32_t vc = mesh_first(set >> in * LANES & LANE_MASK, r->turn_in[in]);
        set &= ~(LANE_MASK << in * LANES);
        offers |= (uint64_t)vc << in * LANES;
        asking |= 1ull << ((s->buffer[in * LANES + vc].channel & ~(LANES - 1)) + in);
    }
    while (asking) {
        uint32_t out = (uint32_t)__builtin_ctzll(asking) >> LANE_BITS;
        uint32_t in = mesh_first(asking >> out * LANES & LANE_MASK, r->turn_out[out]);
        asking &= ~(LANE_MASK << out * LANES);
        send_turned(t, s, in, offers >> in * LANES & LANE_MASK, out);
    }
}

CLONED_PART void switch_flits(struct tick *t, struct sight *s, uint64_t set)
{
    if (t->kind.simple) {
        switch_simple(t, s, set);
        return;
    }
    uint8_t chosen[PORTS];
    uint32_t n = mesh_switch(t->m, s->r, s->buffer, set, chosen);
    for (uint32_t i = 0; i < n; i++)
        send(t, s, chosen[i]);
}

/* --- ejection --------------------------------------------------------------------------------- */

/* The buffer's first flit, which has arrived, leaves it; false when its output has no room. */
CLONED_PART bool eject_one(struct tick *t, struct sight *s, uint32_t lane)
{
    struct mesh *m = t->m;
    const struct buffer *b = &s->buffer[lane];
    uint32_t packet = b->head.packet;
    if (b->left == b->head.flits) {
        uint32_t output = m->packets[packet].output;
        if (m->output[output].use.count + m->reserved[output] >= m->config.output_queue)
            return false;
        m->reserved[output]++;
    }
    if (leave(t, s, lane))
        mesh_deliver(m, packet);
    return true;
}

/* `set`: bit vc, of buffers with a flit. */
CLONED_PART void eject(struct tick *t, struct sight *s, uint64_t set)
{
    while (set) {
        uint32_t vc = mesh_first(set, s->r->turn_eject);
        set &= ~(1ull << vc);
        if (eject_one(t, s, EJECTION * LANES + vc)) {
            s->r->turn_eject = (uint8_t)(vc + 1);
            return;
        }
    }
    t->m->stood++;
}

/* --- a tick ----------------------------------------------------------------------------------- */

/* A router in which something can move. */
CLONED_PART void route_node(struct tick *t, uint32_t node)
{
    struct words *w = &t->m->words;
    uint64_t due = w->due[node];
    struct sight s = {.r = &t->m->router[node],
                      .buffer = &t->m->buffer[node * ROUTER_LANES],
                      .node = node,
                      .routed = w->routed[node],
                      .blocked = w->blocked[node],
                      .free = w->free[node]};
    uint64_t many = 0;
    for (uint32_t i = 1; i < t->kind.planes; i++)
        many |= w->credits[i][node];
    s.credit = w->credits[0][node] | many;
    s.last = w->credits[0][node] & ~many;
    if (w->heads[node])
        begin_to_wait(t, &s, w->heads[node]);
    if (w->wanted[node] & s.free)
        give_channels(t, &s, w->wanted[node] & s.free);
    uint64_t set = due & s.routed & ~s.blocked;
    if (set)
        switch_flits(t, &s, set);
    if (due >> EJECTION * LANES)
        eject(t, &s, due >> EJECTION * LANES);
    w->routed[node] = s.routed;
    w->blocked[node] = s.blocked;
    w->free[node] = s.free;
    w->moved[node] = s.moved;
    w->spent[node] |= s.spent;
}

/* --- what happens in every router ------------------------------------------------------------- */

/* Nodes from `first` on whose word is not 0, as bits. */
CLONED_PART uint64_t not_zero(const uint64_t *restrict word, uint64_t nodes)
{
    uint64_t set = 0;
    for (uint64_t i = 0; i < nodes; i++)
        set |= (uint64_t)(word[i] != 0) << i;
    return set;
}

/* Credits that arrive; into `active`, those that somebody has waited for. */
CLONED_PART void add_credits(struct words *restrict w, uint64_t *restrict come, uint32_t used,
                             uint32_t nodes)
{
    for (uint32_t n = 0; n < nodes; n++) {
        uint64_t carry = come[n], some = 0;
        for (uint32_t i = 0; i < used; i++)
            some |= w->credits[i][n];
        w->active[n] = carry & ~(some | w->free[n]);
        for (uint32_t i = 0; i < used; i++) {
            uint64_t plane = w->credits[i][n];
            w->credits[i][n] = plane ^ carry;
            carry &= plane;
        }
        come[n] = 0;
    }
}

/* Flits that arrive, and where something can move. `soon`: those that will in the next tick. */
CLONED_PART void add_flits(struct words *restrict w, uint64_t *restrict come,
                           const uint64_t *restrict soon, uint32_t used, uint32_t nodes)
{
    for (uint32_t n = 0; n < nodes; n++) {
        uint64_t carry = come[n], due = 0;
        for (uint32_t i = 0; i < used; i++) {
            uint64_t plane = w->flits[i][n];
            w->flits[i][n] = plane ^ carry;
            due |= plane ^ carry;
            carry &= plane;
        }
        uint64_t known = w->known[n], first = soon ? due | soon[n] : due;
        w->due[n] = due;
        w->heads[n] = first & INPUT_MASK & ~(w->routed[n] | known);
        w->active[n] = (due & ~(w->blocked[n] | known)) | w->heads[n] | (w->wanted[n] & w->free[n]);
        come[n] = 0;
    }
}

CLONED_PART void take(uint64_t (*number)[NODE_ROOM], uint32_t used, uint32_t n, uint64_t borrow)
{
    for (uint32_t i = 0; i < used; i++) {
        uint64_t plane = number[i][n];
        number[i][n] = plane ^ borrow;
        borrow &= ~plane;
    }
}

/* What has moved is counted; not 0: something has. */
CLONED_PART uint64_t settle(struct words *w, uint32_t used, uint32_t nodes)
{
    uint64_t any = 0;
    for (uint32_t n = 0; n < nodes; n++) {
        any |= w->moved[n];
        take(w->flits, used, n, w->moved[n]);
        take(w->credits, used, n, w->spent[n]);
        w->moved[n] = w->spent[n] = 0;
    }
    return any;
}

/* --- a tick ----------------------------------------------------------------------------------- */

/* Words of nodes that do not exist are 0, and make the rest of a vector. */
CLONED_PART uint32_t whole_vectors(const struct mesh *m)
{
    return (m->nodes + 7) & ~7u;
}

CLONED_PART uint64_t nodes_of_word(uint32_t nodes, uint32_t word)
{
    return nodes - word * 64 < 64 ? nodes - word * 64 : 64;
}

CLONED_PART void credit(struct mesh *m, uint32_t used)
{
    struct words *w = &m->words;
    uint32_t nodes = whole_vectors(m);
    add_credits(w, mesh_slot(m, m->now)->credits, used, nodes);
    for (uint32_t word = 0; word * 64 < nodes; word++) {
        uint64_t set = not_zero(&w->active[word * 64], nodes_of_word(nodes, word));
        for (; set; set &= set - 1) {
            uint32_t n = word * 64 + (uint32_t)__builtin_ctzll(set);
            for (uint64_t held = w->active[n]; held; held &= held - 1)
                w->blocked[n] &= ~(1ull << m->router[n].holder[__builtin_ctzll(held)]);
        }
    }
}

CLONED_PART void route_word(struct tick *t, uint32_t word, uint64_t set)
{
    for (; set; set &= set - 1) {
        uint32_t n = word * 64 + (uint32_t)__builtin_ctzll(set);
        route_node(t, n);
    }
}

CLONED_PART void route(struct mesh *m, struct kind kind)
{
    const struct mesh_config *c = &m->config;
    struct words *w = &m->words;
    struct tick t = {.m = m,
                     .kind = kind,
                     .link = mesh_slot(m, m->now + c->link_delay + c->router_delay)->flits,
                     .eject = mesh_slot(m, m->now + c->link_delay)->flits,
                     .back = mesh_slot(m, m->now + c->credit_delay)->credits};
    uint32_t nodes = whole_vectors(m);
    uint64_t *come = mesh_slot(m, m->now)->flits;
    if (kind.early)
        add_flits(w, come, mesh_slot(m, m->now + 1)->flits, kind.planes, nodes);
    else
        add_flits(w, come, NULL, kind.planes, nodes);
    for (uint32_t word = 0; word * 64 < nodes; word++)
        route_word(&t, word, not_zero(&w->active[word * 64], nodes_of_word(nodes, word)));
    if (settle(w, kind.planes, nodes))
        m->credits_until = m->now + c->credit_delay + 1;
}

CPU_CLONES static void credit_usual(struct mesh *m)
{
    credit(m, 3);
}

CPU_CLONES static void credit_any(struct mesh *m)
{
    credit(m, m->planes);
}

CPU_CLONES static void route_usual(struct mesh *m)
{
    route(m, (struct kind){.planes = 3, .simple = true, .early = true});
}

CPU_CLONES static void route_any(struct mesh *m)
{
    route(m, (struct kind){
                 .planes = m->planes, .simple = m->simple, .early = m->config.router_delay > 0});
}

static bool usual(const struct mesh *m)
{
    return m->planes == 3 && m->simple && m->config.router_delay > 0;
}

void mesh_credit(struct mesh *m)
{
    if (usual(m))
        credit_usual(m);
    else
        credit_any(m);
}

void mesh_route(struct mesh *m)
{
    if (usual(m))
        route_usual(m);
    else
        route_any(m);
}
