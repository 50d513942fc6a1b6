#include "sim/mem/net/mesh_traffic.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/histogram.h"
#include "base/rng.h"

struct created {
    uint64_t at;
    uint16_t from, to;
};

/* Packets of a node that wait for its input: from `first` to `count`. */
struct source {
    struct created *packets;
    size_t first, count, capacity;
};

struct mesh_traffic {
    const struct mesh_traffic_config *config;
    struct net *net[2]; /* the second one: replies */
    struct source *source[2];
    struct rng rng;
    struct histogram latency;
    uint32_t nodes;
    uint64_t now, created, delivered; /* flits while measuring */
    uint64_t measured, arrived;       /* packets */
};

static void queue_packet(struct source *s, const struct created *packet)
{
    if (s->first > 1024 && s->first * 2 > s->count) {
        memmove(s->packets, s->packets + s->first, (s->count - s->first) * sizeof *s->packets);
        s->count -= s->first;
        s->first = 0;
    }
    ARRAY_RESERVE(s->packets, s->count, s->capacity);
    s->packets[s->count++] = *packet;
}

static bool measuring(const struct mesh_traffic *t, uint64_t tick)
{
    return tick >= t->config->warmup && tick < t->config->warmup + t->config->ticks;
}

static uint32_t destination(struct mesh_traffic *t, uint32_t from)
{
    uint32_t width = t->config->mesh.width;
    if (t->config->pattern == TRAFFIC_TRANSPOSE)
        return from % width * width + from / width;
    if (t->config->pattern == TRAFFIC_HOTSPOT && rng_chance(&t->rng, t->config->hot_percent, 100))
        return t->config->hot_node;
    return rng_below(&t->rng, t->nodes);
}

static void create_packets(struct mesh_traffic *t)
{
    uint32_t chance = (uint32_t)(t->config->rate / t->config->flits * 1e9 + 0.5);
    for (uint32_t node = 0; node < t->nodes; node++) {
        if (!rng_chance(&t->rng, chance, 1000000000))
            continue;
        struct created packet = {t->now, (uint16_t)node, (uint16_t)destination(t, node)};
        queue_packet(&t->source[0][node], &packet);
        t->created += measuring(t, t->now) ? t->config->flits : 0;
        t->measured += measuring(t, t->now);
    }
}

/* Requests that await a reply are of one flit. */
static uint32_t length(const struct mesh_traffic *t, uint32_t direction)
{
    return t->config->pattern == TRAFFIC_REPLY && !direction ? 1 : t->config->flits;
}

static void push_packets(struct mesh_traffic *t, uint32_t direction)
{
    for (uint32_t node = 0; node < t->nodes; node++) {
        struct source *s = &t->source[direction][node];
        while (s->first < s->count && net_room(t->net[direction], node, CLASS_GPU)) {
            const struct created *p = &s->packets[s->first++];
            struct mem_request message = {.sectors = 1, .line = p->at, .source = p->from};
            net_push(t->net[direction], node, p->to, length(t, direction), &message);
        }
    }
}

static void take_packet(struct mesh_traffic *t, uint32_t direction, uint32_t node)
{
    struct mem_request message = *net_peek(t->net[direction], node);
    net_take(t->net[direction], node);
    if (t->config->pattern == TRAFFIC_REPLY && !direction) {
        struct created reply = {message.line, (uint16_t)node, message.source};
        queue_packet(&t->source[1][node], &reply);
        return;
    }
    t->delivered += measuring(t, t->now) ? t->config->flits : 0;
    if (!measuring(t, message.line))
        return;
    histogram_add(&t->latency, t->now + 1 - message.line);
    t->arrived++;
}

static void tick(struct mesh_traffic *t)
{
    uint32_t directions = t->config->pattern == TRAFFIC_REPLY ? 2 : 1;
    create_packets(t);
    for (uint32_t d = 0; d < directions; d++) {
        push_packets(t, d);
        net_tick(t->net[d]);
        for (uint32_t word = 0; word < NET_WORDS; word++) {
            for (uint64_t ready = t->net[d]->ready[word]; ready; ready &= ready - 1)
                take_packet(t, d, word * 64 + (uint32_t)__builtin_ctzll(ready));
        }
    }
    t->now++;
}

static bool check(const struct mesh_traffic_config *c, struct error *err)
{
    if (c->pattern == TRAFFIC_TRANSPOSE && c->mesh.width != c->mesh.height)
        return error_set(err, "transpose: the mesh must be square, not %u x %u", c->mesh.width,
                         c->mesh.height);
    if (c->flits < 1 || c->flits > TRAFFIC_MAX_FLITS)
        return error_set(err, "a packet of %u flits: must be 1 to %d", c->flits, TRAFFIC_MAX_FLITS);
    if (!(c->rate >= 0 && c->rate <= 1))
        return error_set(err, "rate %g: must be 0 to 1 flits per node and tick", c->rate);
    if (c->pattern == TRAFFIC_HOTSPOT && c->hot_node >= c->mesh.width * c->mesh.height)
        return error_set(err, "the hot spot is node %u, but the mesh has %u nodes", c->hot_node,
                         c->mesh.width * c->mesh.height);
    if (c->hot_percent > 100)
        return error_set(err, "%u %% of the packets go to the hot spot; the most is 100",
                         c->hot_percent);
    return c->ticks > 0 || error_set(err, "the measurement must have at least one tick");
}

static bool create_nets(struct mesh_traffic *t, struct error *err)
{
    uint16_t node[MAX_ENDPOINTS];
    struct mesh_config mesh = t->config->mesh;
    for (uint32_t i = 0; i < MAX_ENDPOINTS; i++)
        node[i] = (uint16_t)i;
    t->nodes = mesh.width * mesh.height;
    mesh.inputs = mesh.outputs = t->nodes;
    mesh.input_node = mesh.output_node = node;
    for (uint32_t d = 0; d < 2; d++) {
        t->net[d] = mesh_create(&mesh, err);
        if (!t->net[d])
            return false;
        t->source[d] = ALLOC_ARRAY(struct source, t->nodes);
    }
    return true;
}

static void release(struct mesh_traffic *t)
{
    for (uint32_t d = 0; d < 2; d++) {
        for (uint32_t i = 0; t->source[d] && i < t->nodes; i++)
            free(t->source[d][i].packets);
        free(t->source[d]);
        net_destroy(t->net[d]);
    }
}

bool mesh_traffic_run(const struct mesh_traffic_config *config, struct mesh_traffic_result *result,
                      struct error *err)
{
    struct mesh_traffic t = {.config = config};
    rng_seed(&t.rng, config->seed);
    bool ok = check(config, err) && create_nets(&t, err);
    uint64_t end = config->warmup + config->ticks, most = config->warmup + 11 * config->ticks;
    while (ok && (t.now < end || (t.arrived < t.measured && t.now < most)))
        tick(&t);
    double node_ticks = (double)config->ticks * (t.nodes ? t.nodes : 1);
    struct histogram_summary latency = histogram_summarise(&t.latency);
    *result = (struct mesh_traffic_result){.packets = t.measured,
                                           .latency = latency.mean,
                                           .p99 = (double)latency.p99,
                                           .offered = (double)t.created / node_ticks,
                                           .carried = (double)t.delivered / node_ticks,
                                           .saturated = t.arrived < t.measured,
                                           .ticks = t.now};
    histogram_free(&t.latency);
    release(&t);
    return ok;
}
