/* Routers of a mesh: credits, virtual channels, switches, ejection (mesh.h). */
#include "base/clones.h"
#include "sim/mem/net/mesh_internal.h"

/* What a mesh is like, so that its ticks can be compiled for it. */
struct kind {
    uint32_t planes;
    bool simple; /* allocation by input, one round */
    bool early;  /* a packet gets its channel the tick before its flit may leave */
    bool small;  /* up to 64 nodes */
};

/* A tick, and where flits over links, flits into ejections, and credits go. */
struct tick {
    struct mesh *m;
    struct kind kind;
    const uint64_t *soon; /* flits that arrive in the next tick */
    uint64_t *link, *eject, *back;
    /* Nodes that get some of these. */
    uint64_t to_link[NODE_WORDS], to_eject[NODE_WORDS], to_credit[NODE_WORDS];
};

CLONED_PART void mark(const struct tick *t, uint64_t *nodes, uint32_t node)
{
    nodes[t->kind.small ? 0 : node / 64] |= 1ull << node % 64;
}

/* --- virtual channels ------------------------------------------------------------------------- */

/* Packets whose first flits have come to the head of the buffers in `set` begin to wait. */
CLONED_PART void begin_to_wait(struct mesh *m, uint32_t node, uint64_t set)
{
    const uint8_t *port = &m->port[node * m->nodes];
    m->words.known[node] |= set;
    for (; set; set &= set - 1) {
        uint32_t out = port[m->buffers[node].head[__builtin_ctzll(set)].to];
        m->router[node].wants[out] |= set & -set;
        m->words.wanted[node] |= LANE_MASK << out * LANES;
    }
}

CLONED_PART void give_channel(struct mesh *m, uint32_t node, uint32_t lane, uint32_t channel)
{
    struct router *r = &m->router[node];
    const struct way *ahead = &r->ahead[channel >> LANE_BITS];
    struct buffers *b = &m->buffers[node];
    b->channel[lane] = (uint8_t)channel;
    r->holder[channel] = (uint8_t)lane;
    m->words.free[node] &= ~(1ull << channel);
    mesh_append(m, ahead->node, way_bit(ahead, channel), &b->head[lane]);
}

/* Channels of a port for those that wait for it, from buffer `from` on; the buffers that get one.
 */
CLONED_PART uint64_t give_of_port(const struct tick *t, uint32_t node, uint32_t port, uint32_t from)
{
    struct mesh *m = t->m;
    struct words *w = &m->words;
    struct router *r = &m->router[node];
    uint64_t left = r->wants[port], given = 0, blocked = 0;
    uint64_t credit = mesh_some(w->credits, t->kind.planes, node);
    while (left && w->free[node] >> port * LANES & LANE_MASK) {
        uint32_t lane = mesh_first(left, from);
        uint64_t bit = 1ull << lane, allowed = m->buffers[node].head[lane].allowed;
        uint64_t set = w->free[node] & allowed << port * LANES;
        left &= ~bit;
        if (!set)
            continue;
        uint32_t channel = mesh_best(w->credits, t->kind.planes, node, set);
        give_channel(m, node, lane, channel);
        given |= bit;
        blocked |= credit >> channel & 1 ? 0 : bit;
    }
    r->wants[port] &= ~given;
    w->wanted[node] &= r->wants[port] ? UINT64_MAX : ~(LANE_MASK << port * LANES);
    w->towards[port][node] |= given;
    w->blocked[node] |= blocked;
    return given;
}

CLONED_PART void give_channels(const struct tick *t, uint32_t node)
{
    struct words *w = &t->m->words;
    struct router *r = &t->m->router[node];
    uint32_t from = r->turn_vc;
    uint64_t set = w->wanted[node] & w->free[node], given = 0;
    while (set) {
        uint32_t port = (uint32_t)__builtin_ctzll(set) >> LANE_BITS;
        set &= ~(LANE_MASK << port * LANES);
        given |= give_of_port(t, node, port, from);
    }
    if (!given)
        return;
    w->known[node] &= ~given;
    w->routed[node] |= given;
    uint64_t low = given & ~(UINT64_MAX << from), last = low ? low : given;
    r->turn_vc = (uint8_t)(64 - __builtin_clzll(last));
}

CLONED_PART void ask(const struct tick *t, uint32_t node)
{
    const struct words *w = &t->m->words;
    uint64_t first = w->due[node] | (t->kind.early ? t->soon[node] : 0);
    begin_to_wait(t->m, node, first & INPUT_MASK & ~(w->routed[node] | w->known[node]));
    give_channels(t, node);
}

/* --- switch ----------------------------------------------------------------------------------- */

/* A flit leaves its buffer; its credit goes back. True: it was its packet's last. */
CLONED_PART bool leave(struct tick *t, uint32_t node, uint32_t lane)
{
    const struct way *back = &t->m->router[node].back[lane >> LANE_BITS];
    t->back[back->node] |= 1ull << way_bit(back, lane);
    mark(t, t->to_credit, back->node);
    if (--t->m->buffers[node].left[lane])
        return false;
    mesh_drop(t->m, node, lane);
    return true;
}

/* The first flit of a buffer goes over its channel, which has a credit. True: its packet's last. */
CLONED_PART bool send(struct tick *t, uint32_t node, uint32_t lane, uint32_t channel)
{
    struct router *r = &t->m->router[node];
    uint32_t out = channel >> LANE_BITS;
    const struct way *ahead = &r->ahead[out];
    bool local = out == PORT_LOCAL;
    uint64_t *to = local ? t->eject : t->link;
    to[ahead->node] |= 1ull << way_bit(ahead, channel);
    mark(t, local ? t->to_eject : t->to_link, ahead->node);
    r->sent[out]++;
    return leave(t, node, lane);
}

/* Those that have been chosen send. */
CLONED_PART void send_chosen(struct tick *t, uint32_t node)
{
    struct words *w = &t->m->words;
    uint64_t spent = 0, last = 0, last_channels = 0, blocked = 0, many = 0;
    for (uint32_t i = 1; i < t->kind.planes; i++)
        many |= w->credits[i][node];
    for (uint64_t set = w->chosen[node]; set; set &= set - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(set);
        uint32_t channel = t->m->buffers[node].channel[lane];
        uint64_t bit = 1ull << channel;
        spent |= bit;
        blocked |= many & bit ? 0 : set & -set;
        if (send(t, node, lane, channel)) {
            last |= set & -set;
            last_channels |= bit;
            w->towards[channel >> LANE_BITS][node] &= ~(set & -set);
        }
    }
    w->moved[node] |= w->chosen[node];
    w->spent[node] |= spent;
    w->blocked[node] |= blocked & ~last;
    w->routed[node] &= ~last;
    w->free[node] |= last_channels;
}

/* --- ejection --------------------------------------------------------------------------------- */

/* The buffer's first flit, which has arrived, leaves it; false when its output has no room. */
CLONED_PART bool eject_one(struct tick *t, uint32_t node, uint32_t lane)
{
    struct mesh *m = t->m;
    const struct buffers *b = &m->buffers[node];
    uint32_t packet = b->head[lane].packet;
    if (b->left[lane] == b->head[lane].flits) {
        uint32_t output = m->packets[packet].output;
        if (m->output[output].use.count + m->reserved[output] >= m->config.output_queue)
            return false;
        m->reserved[output]++;
    }
    m->words.moved[node] |= 1ull << lane;
    if (leave(t, node, lane))
        mesh_deliver(m, packet);
    return true;
}

CLONED_PART void eject(struct tick *t, uint32_t node)
{
    struct router *r = &t->m->router[node];
    for (uint64_t set = t->m->words.due[node] >> EJECTION * LANES; set;) {
        uint32_t vc = mesh_first(set, r->turn_eject);
        set &= ~(1ull << vc);
        if (eject_one(t, node, EJECTION * LANES + vc)) {
            r->turn_eject = (uint8_t)(vc + 1);
            return;
        }
    }
    t->m->stood++;
}

/* --- what happens in every router ------------------------------------------------------------- */

/* Up to 64 routers from `first` on; sets of them are bits of a word. Words of nodes that do not
 * exist are 0, and fill the last vector. */
struct span {
    uint32_t first;
    uint64_t nodes;
};

#define FEW 10u /* routers for which it does not pay to do something for all at once */

CLONED_PART bool few(uint64_t set)
{
    return (uint32_t)__builtin_popcountll(set) < FEW;
}

/* True: somebody has waited for one. */
CLONED_PART bool add_credits(struct words *restrict w, uint64_t carry, uint32_t used, uint64_t n)
{
    uint64_t some = w->free[n];
    for (uint32_t p = 0; p < used; p++)
        some |= w->credits[p][n];
    uint64_t awaited = carry & ~some;
    for (uint32_t p = 0; p < used; p++) {
        uint64_t plane = w->credits[p][n];
        w->credits[p][n] = plane ^ carry;
        carry &= plane;
    }
    return awaited != 0;
}

/* Credits that come to the nodes in `set`; of these, those in which somebody has waited. */
CLONED_PART uint64_t add_all_credits(struct words *restrict w, const uint64_t *restrict come,
                                     uint32_t used, const struct span *span, uint64_t set)
{
    uint64_t awaited = 0;
    if (!few(set)) {
        for (uint64_t i = 0; i < span->nodes; i++)
            awaited |= (uint64_t)add_credits(w, come[span->first + i], used, span->first + i) << i;
        return awaited;
    }
    for (; set; set &= set - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(set), n = span->first + i;
        awaited |= (uint64_t)add_credits(w, come[n], used, n) << i;
    }
    return awaited;
}

/* Packets that have a credit again, of those that have just come. */
CLONED_PART void unblock(struct mesh *m, uint32_t node, uint64_t come, uint32_t used)
{
    struct words *w = &m->words;
    uint64_t one = w->credits[0][node];
    for (uint32_t p = 1; p < used; p++)
        one &= ~w->credits[p][node];
    for (uint64_t held = come & one & ~w->free[node]; held; held &= held - 1)
        w->blocked[node] &= ~(1ull << m->router[node].holder[__builtin_ctzll(held)]);
}

/* Flits that arrive; true: packets ask for channels. */
CLONED_PART bool add_flits(struct words *restrict w, uint64_t carry, uint64_t soon, uint32_t used,
                           uint64_t n)
{
    uint64_t due = 0;
    for (uint32_t p = 0; p < used; p++) {
        uint64_t plane = w->flits[p][n];
        w->flits[p][n] = plane ^ carry;
        due |= plane ^ carry;
        carry &= plane;
    }
    w->due[n] = due;
    uint64_t heads = (due | soon) & INPUT_MASK & ~(w->routed[n] | w->known[n]);
    return (heads | (w->wanted[n] & w->free[n])) != 0;
}

/* Flits that come to the nodes in `set`; of these, those in which packets ask for channels. */
CLONED_PART uint64_t add_all_flits(struct words *restrict w, uint64_t *restrict come,
                                   const uint64_t *restrict soon, uint32_t used,
                                   const struct span *span, uint64_t set)
{
    uint64_t asked = 0;
    if (!few(set)) {
        for (uint64_t i = 0; i < span->nodes; i++) {
            uint64_t n = span->first + i;
            asked |= (uint64_t)add_flits(w, come[n], soon ? soon[n] : 0, used, n) << i;
            come[n] = 0;
        }
        return asked;
    }
    for (; set; set &= set - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(set), n = span->first + i;
        asked |= (uint64_t)add_flits(w, come[n], soon ? soon[n] : 0, used, n) << i;
        come[n] = 0;
    }
    return asked;
}

/* Of the nodes in `set`, those with a flit that may leave, with offers, with something to eject. */
struct found {
    uint64_t holding, offers, ejects;
};

CLONED_PART void look(const struct words *restrict w, const struct span *span, uint64_t i,
                      struct found *f)
{
    uint64_t n = span->first + i, due = w->due[n];
    f->holding |= (uint64_t)(due != 0) << i;
    f->offers |= (uint64_t)(mesh_offers(w, (uint32_t)n) != 0) << i;
    f->ejects |= (uint64_t)(due >> EJECTION * LANES != 0) << i;
}

CLONED_PART struct found find(const struct words *restrict w, const struct span *span, uint64_t set)
{
    struct found f = {0};
    if (!few(set)) {
        for (uint64_t i = 0; i < span->nodes; i++)
            look(w, span, i, &f);
        return f;
    }
    for (; set; set &= set - 1)
        look(w, span, (uint32_t)__builtin_ctzll(set), &f);
    return f;
}

CLONED_PART void take(uint64_t (*number)[NODE_ROOM], uint32_t used, uint32_t n, uint64_t borrow)
{
    for (uint32_t p = 0; p < used; p++) {
        uint64_t plane = number[p][n];
        number[p][n] = plane ^ borrow;
        borrow &= ~plane;
    }
}

/* What has moved is counted. */
CLONED_PART void settle_node(struct words *restrict w, uint32_t used, uint32_t n)
{
    take(w->flits, used, n, w->moved[n]);
    take(w->credits, used, n, w->spent[n]);
    w->moved[n] = w->spent[n] = 0;
}

CLONED_PART void settle(struct words *restrict w, uint32_t used, const struct span *span,
                        uint64_t set)
{
    if (few(set)) {
        for (; set; set &= set - 1)
            settle_node(w, used, span->first + (uint32_t)__builtin_ctzll(set));
        return;
    }
    for (uint32_t n = span->first; n < span->first + span->nodes; n++)
        settle_node(w, used, n);
}

/* --- a tick ----------------------------------------------------------------------------------- */

CLONED_PART struct span span_of(const struct mesh *m, uint32_t word)
{
    uint32_t left = ((m->nodes + 7) & ~7u) - word * 64;
    return (struct span){.first = word * 64, .nodes = left < 64 ? left : 64};
}

CLONED_PART void credit(struct mesh *m, uint32_t used)
{
    struct slot *here = mesh_slot(m, m->now);
    uint64_t *come = here->credits;
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        struct span span = span_of(m, word);
        uint64_t left = here->credited[word];
        uint64_t set = add_all_credits(&m->words, come, used, &span, left);
        for (; set; set &= set - 1) {
            uint32_t n = span.first + (uint32_t)__builtin_ctzll(set);
            unblock(m, n, come[n], used);
        }
        for (; left; left &= left - 1)
            come[span.first + (uint32_t)__builtin_ctzll(left)] = 0;
        here->credited[word] = 0;
    }
}

/* `set`: nodes with offers. */
CLONED_PART void choose(const struct tick *t, const struct span *span, uint64_t set)
{
    struct mesh *m = t->m;
    if (t->kind.simple && !few(set)) {
        for (uint32_t n = span->first; n < span->first + span->nodes; n++)
            mesh_choose(&m->words, n);
        return;
    }
    for (; set; set &= set - 1) {
        uint32_t n = span->first + (uint32_t)__builtin_ctzll(set);
        if (t->kind.simple)
            mesh_choose(&m->words, n);
        else
            m->words.chosen[n] = mesh_switch(m, n, mesh_offers(&m->words, n));
    }
}

/* True: something has moved. */
CLONED_PART bool route_span(struct tick *t, uint32_t word, struct slot *here,
                            const struct slot *next)
{
    struct mesh *m = t->m;
    struct words *w = &m->words;
    struct span span = span_of(m, word);
    uint64_t set = here->flowing[word] | m->holding[word];
    set |= t->kind.early ? next->flowing[word] : 0;
    here->flowing[word] = 0;
    uint64_t asked = add_all_flits(w, here->flits, t->kind.early ? next->flits : NULL,
                                   t->kind.planes, &span, set);
    for (; asked; asked &= asked - 1)
        ask(t, span.first + (uint32_t)__builtin_ctzll(asked));
    struct found f = find(w, &span, set);
    uint64_t moves = f.offers | f.ejects | m->injected[word];
    choose(t, &span, f.offers);
    for (uint64_t left = f.offers; left; left &= left - 1)
        send_chosen(t, span.first + (uint32_t)__builtin_ctzll(left));
    for (uint64_t left = f.ejects; left; left &= left - 1)
        eject(t, span.first + (uint32_t)__builtin_ctzll(left));
    settle(w, t->kind.planes, &span, moves);
    m->holding[word] = f.holding;
    m->injected[word] = 0;
    return moves;
}

CLONED_PART void route(struct mesh *m, struct kind kind)
{
    const struct mesh_config *c = &m->config;
    struct slot *here = mesh_slot(m, m->now), *next = mesh_slot(m, m->now + 1);
    struct slot *link = mesh_slot(m, m->now + c->link_delay + c->router_delay);
    struct slot *eject = mesh_slot(m, m->now + c->link_delay);
    struct slot *back = mesh_slot(m, m->now + c->credit_delay);
    struct tick t = {.m = m,
                     .kind = kind,
                     .soon = next->flits,
                     .link = link->flits,
                     .eject = eject->flits,
                     .back = back->credits};
    bool moved = false;
    for (uint32_t word = 0; word * 64 < m->nodes; word++)
        moved |= route_span(&t, word, here, next);
    if (!moved)
        return;
    for (uint32_t word = 0; word * 64 < m->nodes; word++) {
        link->flowing[word] |= t.to_link[word];
        eject->flowing[word] |= t.to_eject[word];
        back->credited[word] |= t.to_credit[word];
    }
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
    route(m, (struct kind){.planes = 3, .simple = true, .early = true, .small = true});
}

CPU_CLONES static void route_any(struct mesh *m)
{
    route(m, (struct kind){
                 .planes = m->planes, .simple = m->simple, .early = m->config.router_delay > 0});
}

static bool usual(const struct mesh *m)
{
    return m->planes == 3 && m->simple && m->config.router_delay > 0 && m->nodes <= 64;
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
