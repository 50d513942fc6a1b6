/* Requests and replies at the ports: at once, or, of requesters that run at the same time, through
 * the port's box and in a second step. */
#include "sim/mem/memsys_internal.h"
#include "sim/mem/net/flits.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static bool bit(const uint64_t *set, uint32_t i)
{
    return set[i / 64] >> i % 64 & 1;
}

static uint8_t class_of(const struct memsys *m, uint32_t port, bool event)
{
    return event && m->config.event_lane ? (uint8_t)CLASS_EVENT : m->requester[port].class;
}

/* The request and its way, from what the port's owner states. */
static void address(const struct memsys *m, const struct mem_request *request, uint8_t class,
                    struct addressed *to)
{
    const struct memsys_config *c = &m->config;
    to->request = *request;
    to->request.class = class;
    to->request.region = request->line - c->fe.base < c->fe.bytes;
    struct place place = map_place(&m->map[class == CLASS_CPU], request->line);
    uint32_t lane = m->lanes > 1 && m->second_lane >> class & 1;
    to->output = (place.channel * c->banks + place.bank) * m->lanes + lane;
    to->flits = request_flits(&to->request, m->net.flit_bytes[class]);
}

static void push(struct memsys *m, const struct addressed *a)
{
    uint32_t port = a->request.source;
    memsys_sync(m);
    net_push(m->requests, port, a->output, a->flits, &a->request);
    m->requested[port / 64] |= 1ull << port % 64;
    m->kinds[a->request.kind]++;
    m->wake = m->cycle;
}

static void take(struct memsys *m, uint32_t port)
{
    memsys_sync(m);
    net_take(m->replies, port);
    m->wake = m->cycle;
    m->taken[port / 64] |= 1ull << port % 64;
}

static bool can_request(struct memsys *m, uint32_t port, uint8_t class)
{
    if (bit(m->requested, port))
        return false;
    bool room = net_room(m->requests, port, class);
    m->box[port].refused += !room;
    return room;
}

uint64_t memsys_refused(const struct memsys *m)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < m->config.ports; i++)
        sum += m->box[i].refused;
    for (uint64_t left = m->waiting; left; left &= left - 1)
        sum += m->cycle - m->waits_since[__builtin_ctzll(left)];
    return sum;
}

/* --- waiting for room ------------------------------------------------------------------------- */

void memsys_wait(struct memsys *m, uint64_t asked, uint64_t waits)
{
    for (uint64_t left = m->waiting & asked; left; left &= left - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(left);
        m->box[port].refused += m->cycle - m->waits_since[port];
    }
    m->waiting = (m->waiting & ~asked) | waits;
    m->roomy &= ~asked;
    for (uint64_t left = waits; left; left &= left - 1)
        m->waits_since[__builtin_ctzll(left)] = m->cycle + 1;
}

void memsys_find_room(struct memsys *m)
{
    m->roomy = 0;
    for (uint64_t left = m->waiting; left; left &= left - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(left);
        if (net_room(m->requests, port, class_of(m, port, false)))
            m->roomy |= left & -left;
    }
}

uint64_t memsys_room_ports(const struct memsys *m)
{
    return m->roomy;
}

/* --- at once ---------------------------------------------------------------------------------- */

bool memsys_can_request(struct memsys *m, uint32_t port)
{
    return can_request(m, port, class_of(m, port, false));
}

bool memsys_request(struct memsys *m, const struct mem_request *request)
{
    struct addressed a;
    uint8_t class = class_of(m, request->source, request->event);
    if (!can_request(m, request->source, class))
        return false;
    address(m, request, class, &a);
    push(m, &a);
    return true;
}

uint64_t memsys_reply_ports(const struct memsys *m, uint32_t word)
{
    return m->replies->ready[word] & ~m->taken[word];
}

bool memsys_reply(struct memsys *m, uint32_t port, struct mem_request *reply)
{
    if (!(memsys_reply_ports(m, port / 64) >> port % 64 & 1))
        return false;
    *reply = *net_peek(m->replies, port);
    take(m, port);
    return true;
}

/* --- through the box -------------------------------------------------------------------------- */

struct port_box *memsys_box(struct memsys *m, uint32_t port)
{
    return &m->box[port];
}

void memsys_use_boxes(struct memsys *m, bool use)
{
    for (uint32_t i = 0; i < m->config.ports; i++)
        m->box[i].direct = !use;
}

uint32_t memsys_ahead(const struct memsys *m)
{
    return m->config.net_khz == m->config.core_khz ? m->replies->ahead : 1;
}

/* The replies that come; a line is written only when something has changed, so that it stays where
 * it is read. */
static void fill_replies(const struct memsys *m, uint32_t port, uint32_t cycles)
{
    struct port_box *box = &m->box[port];
    uint32_t n = 0;
    if (cycles > 1 || memsys_reply_ports(m, port / 64) >> port % 64 & 1)
        n = net_coming(m->replies, port, cycles, box->reply);
    for (uint32_t i = 0; i < n; i++)
        box->reply[i].after += m->cycle;
    if (n != box->replies)
        box->replies = (uint8_t)n;
}

static uint8_t room_for(const struct memsys *m, uint32_t port, bool event)
{
    uint32_t room = net_room(m->requests, port, class_of(m, port, event));
    return room < NET_AHEAD ? (uint8_t)room : NET_AHEAD;
}

uint64_t memsys_coming_ports(const struct memsys *m)
{
    return m->replies->ready[0] | m->replies->under_way[0];
}

void memsys_fill_boxes(struct memsys *m, uint64_t ports, uint32_t cycles)
{
    if (cycles > 1)
        memsys_sync(m);
    for (uint64_t left = ports; left; left &= left - 1) {
        uint32_t i = (uint32_t)__builtin_ctzll(left);
        struct port_box *box = &m->box[i];
        uint8_t room = room_for(m, i, false);
        uint8_t event = m->config.event_lane ? room_for(m, i, true) : room;
        if (room != box->room[0] || event != box->room[1]) {
            box->room[0] = room;
            box->room[1] = event;
        }
        fill_replies(m, i, cycles);
        m->let[i] = (struct let){0};
    }
}

static bool requests_in(const struct port_box *box, uint64_t cycle)
{
    return box->requests && box->sent[box->requests - 1].cycle == cycle;
}

bool memsys_box_can_request(struct memsys *m, uint32_t port, bool event, uint64_t cycle)
{
    struct port_box *box = &m->box[port];
    if (box->direct)
        return can_request(m, port, class_of(m, port, event));
    if (requests_in(box, cycle))
        return false;
    bool room = box->requests < box->room[event];
    box->refused += !room;
    return room;
}

bool memsys_box_request(struct memsys *m, const struct mem_request *request, uint64_t cycle)
{
    struct port_box *box = &m->box[request->source];
    if (box->direct)
        return memsys_request(m, request);
    if (!memsys_box_can_request(m, request->source, request->event, cycle))
        return false;
    struct sent *sent = &box->sent[box->requests++];
    address(m, request, class_of(m, request->source, request->event), &sent->addressed);
    sent->cycle = cycle;
    return true;
}

bool memsys_box_reply(struct memsys *m, uint32_t port, uint64_t cycle, struct mem_request *reply)
{
    struct port_box *box = &m->box[port];
    if (box->direct)
        return memsys_reply(m, port, reply);
    if (box_next_reply(box) > cycle)
        return false;
    *reply = box->reply[box->taken++].message;
    return true;
}

uint64_t memsys_box_empty(struct memsys *m, uint32_t port)
{
    const struct port_box *box = &m->box[port];
    struct let *let = &m->let[port];
    if (let->taken < box->taken && box->reply[let->taken].after == m->cycle) {
        take(m, port);
        let->taken++;
    }
    if (let->requests < box->requests && box->sent[let->requests].cycle == m->cycle)
        push(m, &box->sent[let->requests++].addressed);
    uint64_t reply = let->taken < box->taken ? box->reply[let->taken].after : UINT64_MAX;
    uint64_t request = let->requests < box->requests ? box->sent[let->requests].cycle : UINT64_MAX;
    return least(reply, request);
}
