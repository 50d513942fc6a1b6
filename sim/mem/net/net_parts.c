#include "sim/mem/net/net_parts.h"

#include <stdlib.h>

#include "base/alloc.h"

struct net_parts {
    struct net net;
    struct net *part[NET_PARTS];
    uint64_t turn[NET_WORDS]; /* by output: the part whose message goes first */
};

static struct net_parts *parts_of(struct net *n)
{
    return (struct net_parts *)(void *)n;
}

static const struct net_parts *parts_seen(const struct net *n)
{
    return (const struct net_parts *)(const void *)n;
}

static void show_ready(struct net_parts *p, uint32_t word)
{
    p->net.ready[word] = p->part[0]->ready[word] | p->part[1]->ready[word];
}

/* Of an output that is ready. */
static uint32_t offering(const struct net_parts *p, uint32_t output)
{
    uint32_t first = p->turn[output / 64] >> output % 64 & 1;
    return net_ready(p->part[first], output) ? first : !first;
}

static uint32_t room(const struct net *n, uint32_t input, uint8_t class)
{
    return net_room(parts_seen(n)->part[net_part(class)], input, class);
}

static void push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                 const struct mem_request *message)
{
    net_push(parts_of(n)->part[net_part(message->class)], input, output, flits, message);
}

static const struct mem_request *peek(const struct net *n, uint32_t output)
{
    const struct net_parts *p = parts_seen(n);
    return net_peek(p->part[offering(p, output)], output);
}

static void take(struct net *n, uint32_t output)
{
    struct net_parts *p = parts_of(n);
    uint32_t part = offering(p, output);
    uint64_t bit = 1ull << output % 64;
    net_take(p->part[part], output);
    p->turn[output / 64] = part ? p->turn[output / 64] & ~bit : p->turn[output / 64] | bit;
    show_ready(p, output / 64);
}

static void tick(struct net *n)
{
    struct net_parts *p = parts_of(n);
    for (uint32_t i = 0; i < NET_PARTS; i++)
        net_tick(p->part[i]);
    for (uint32_t word = 0; word < NET_WORDS; word++)
        show_ready(p, word);
}

static uint64_t quiet(const struct net *n)
{
    const struct net_parts *p = parts_seen(n);
    uint64_t gpu = net_quiet(p->part[0]), cpu = net_quiet(p->part[1]);
    return gpu < cpu ? gpu : cpu;
}

static void skip(struct net *n, uint64_t ticks)
{
    for (uint32_t i = 0; i < NET_PARTS; i++)
        net_skip(parts_of(n)->part[i], ticks);
}

static bool idle(const struct net *n)
{
    return net_idle(parts_seen(n)->part[0]) && net_idle(parts_seen(n)->part[1]);
}

static void stats(const struct net *n, struct net_stats *s)
{
    struct net_stats cpu;
    net_stats(parts_seen(n)->part[0], s);
    net_stats(parts_seen(n)->part[1], &cpu);
    net_stats_add(s, &cpu);
}

static uint32_t links(const struct net *n, uint64_t *flits)
{
    uint32_t gpu = net_links(parts_seen(n)->part[0], flits);
    return gpu + net_links(parts_seen(n)->part[1], flits ? flits + gpu : NULL);
}

static void destroy(struct net *n)
{
    for (uint32_t i = 0; i < NET_PARTS; i++)
        net_destroy(parts_of(n)->part[i]);
    free(n);
}

static const struct net_ops operations = {.push = push,
                                          .room = room,
                                          .peek = peek,
                                          .take = take,
                                          .tick = tick,
                                          .quiet = quiet,
                                          .skip_ticks = skip,
                                          .idle = idle,
                                          .stats = stats,
                                          .links = links,
                                          .destroy = destroy};

struct net *net_parts_create(struct net *gpu, struct net *cpu)
{
    struct net_parts *p = ALLOC(struct net_parts);
    p->net = (struct net){
        .ops = &operations, .inputs = gpu->inputs, .outputs = gpu->outputs, .ahead = 1};
    p->part[0] = gpu;
    p->part[1] = cpu;
    return &p->net;
}
