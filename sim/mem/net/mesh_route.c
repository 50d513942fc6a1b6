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
    begin_to_wait(t->m, node, t->m->words.heads[node]);
    give_channels(t, node);
}

/* --- switch ----------------------------------------------------------------------------------- */

/* A flit leaves its buffer; its credit goes back. True: it was its packet's last. */
CLONED_PART bool leave(const struct tick *t, uint32_t node, uint32_t lane)
{
    const struct way *back = &t->m->router[node].back[lane >> LANE_BITS];
    t->back[back->node] |= 1ull << way_bit(back, lane);
    if (--t->m->buffers[node].left[lane])
        return false;
    mesh_drop(t->m, node, lane);
    return true;
}

/* The first flit of a buffer goes over its channel, which has a credit. True: its packet's last. */
CLONED_PART bool send(const struct tick *t, uint32_t node, uint32_t lane, uint32_t channel)
{
    struct router *r = &t->m->router[node];
    uint32_t out = channel >> LANE_BITS;
    const struct way *ahead = &r->ahead[out];
    uint64_t *to = out == PORT_LOCAL ? t->eject : t->link;
    to[ahead->node] |= 1ull << way_bit(ahead, channel);
    r->sent[out]++;
    return leave(t, node, lane);
}

/* Those that have been chosen send. */
CLONED_PART void send_chosen(const struct tick *t, uint32_t node)
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
CLONED_PART bool eject_one(const struct tick *t, uint32_t node, uint32_t lane)
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

CLONED_PART void eject(const struct tick *t, uint32_t node)
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

/* Nodes from `first` on whose word is not 0, as bits. */
CLONED_PART uint64_t not_zero(const uint64_t *restrict word, uint64_t nodes)
{
    uint64_t set = 0;
    for (uint64_t i = 0; i < nodes; i++)
        set |= (uint64_t)(word[i] != 0) << i;
    return set;
}

/* Credits that arrive; into `asked`, those that somebody has waited for. */
CLONED_PART void add_credits(struct words *restrict w, uint64_t *restrict come, uint32_t used,
                             uint32_t nodes)
{
    for (uint32_t n = 0; n < nodes; n++) {
        uint64_t carry = come[n], some = 0;
        for (uint32_t i = 0; i < used; i++)
            some |= w->credits[i][n];
        w->asked[n] = carry & ~(some | w->free[n]);
        for (uint32_t i = 0; i < used; i++) {
            uint64_t plane = w->credits[i][n];
            w->credits[i][n] = plane ^ carry;
            carry &= plane;
        }
        come[n] = 0;
    }
}

/* Flits that arrive, and where packets ask for channels. `soon`: flits of the next tick. */
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
        w->asked[n] = w->heads[n] | (w->wanted[n] & w->free[n]);
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
        uint64_t set = not_zero(&w->asked[word * 64], nodes_of_word(nodes, word));
        for (; set; set &= set - 1) {
            uint32_t n = word * 64 + (uint32_t)__builtin_ctzll(set);
            for (uint64_t held = w->asked[n]; held; held &= held - 1)
                w->blocked[n] &= ~(1ull << m->router[n].holder[__builtin_ctzll(held)]);
        }
    }
}

/* Which buffers could send, and into `ejects` what is to be ejected. */
CLONED_PART void find_offers(struct words *restrict w, uint32_t first, uint64_t nodes)
{
    for (uint64_t n = first; n < first + nodes; n++) {
        w->offers[n] = w->due[n] & w->routed[n] & ~w->blocked[n];
        w->ejects[n] = w->due[n] & ~INPUT_MASK;
        w->chosen[n] = 0;
    }
}

#define FEW                                                                                        \
    4u /* routers with offers, for which it does not pay to choose in all routers at once          \
        */

/* Of the nodes of a word, those in `set` have offers. */
CLONED_PART void choose_word(const struct tick *t, uint32_t word, uint64_t set)
{
    struct mesh *m = t->m;
    struct words *w = &m->words;
    if (t->kind.simple && (uint32_t)__builtin_popcountll(set) >= FEW) {
        uint32_t end = word * 64 + (uint32_t)nodes_of_word(whole_vectors(m), word);
        for (uint32_t n = word * 64; n < end; n++)
            mesh_choose(w, n);
        return;
    }
    for (; set; set &= set - 1) {
        uint32_t n = word * 64 + (uint32_t)__builtin_ctzll(set);
        if (t->kind.simple)
            mesh_choose(w, n);
        else
            w->chosen[n] = mesh_switch(m, n, w->offers[n]);
    }
}

CLONED_PART void route_word(const struct tick *t, uint32_t word, uint64_t nodes)
{
    struct words *w = &t->m->words;
    uint32_t first = word * 64;
    for (uint64_t set = not_zero(&w->asked[first], nodes); set; set &= set - 1)
        ask(t, first + (uint32_t)__builtin_ctzll(set));
    find_offers(w, first, nodes);
    uint64_t offer = not_zero(&w->offers[first], nodes);
    choose_word(t, word, offer);
    for (; offer; offer &= offer - 1)
        send_chosen(t, first + (uint32_t)__builtin_ctzll(offer));
    for (uint64_t set = not_zero(&w->ejects[first], nodes); set; set &= set - 1)
        eject(t, first + (uint32_t)__builtin_ctzll(set));
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
        route_word(&t, word, nodes_of_word(nodes, word));
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
