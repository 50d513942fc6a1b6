#include "sim/mem/net.h"

#include <stdlib.h>

#include "sim/base/alloc.h"

#define NEVER UINT64_MAX

struct waiting {
    struct mem_request message;
    uint32_t output, flits;
};

struct flying {
    struct mem_request message;
    uint64_t at; /* first cycle in which the receiver can see it */
};

struct net {
    struct net_config config;
    uint32_t depth;      /* of an output: latency + queue */
    uint64_t now;        /* the coming cycle */
    uint64_t ready;      /* outputs whose first message is visible */
    uint64_t flying;     /* outputs that hold any message */
    uint64_t next_ready; /* no output becomes ready before this cycle */
    uint64_t wanted;     /* outputs that some input's first message is for */

    /* inputs: ring [input * queue + i] */
    struct waiting *in;
    uint32_t *in_head, *in_count;
    uint64_t *in_free; /* first cycle the input can send again */

    /* outputs: ring [output * depth + i] */
    struct flying *out;
    uint32_t *out_head, *out_count;
    uint64_t *out_free;
    uint64_t *want;  /* inputs whose first message is for this output */
    uint32_t *first; /* round robin: the input with the highest priority */
};

struct net *net_create(const struct net_config *config)
{
    struct net *n = ALLOC(struct net);
    n->config = *config;
    n->depth = config->latency + config->queue;
    n->next_ready = NEVER;
    n->in = ALLOC_ARRAY(struct waiting, (size_t)config->inputs * config->queue);
    n->in_head = ALLOC_ARRAY(uint32_t, config->inputs);
    n->in_count = ALLOC_ARRAY(uint32_t, config->inputs);
    n->in_free = ALLOC_ARRAY(uint64_t, config->inputs);
    n->out = ALLOC_ARRAY(struct flying, (size_t)config->outputs * n->depth);
    n->out_head = ALLOC_ARRAY(uint32_t, config->outputs);
    n->out_count = ALLOC_ARRAY(uint32_t, config->outputs);
    n->out_free = ALLOC_ARRAY(uint64_t, config->outputs);
    n->want = ALLOC_ARRAY(uint64_t, config->outputs);
    n->first = ALLOC_ARRAY(uint32_t, config->outputs);
    return n;
}

void net_destroy(struct net *n)
{
    if (!n)
        return;
    free(n->in);
    free(n->in_head);
    free(n->in_count);
    free(n->in_free);
    free(n->out);
    free(n->out_head);
    free(n->out_count);
    free(n->out_free);
    free(n->want);
    free(n->first);
    free(n);
}

bool net_full(const struct net *n, uint32_t input)
{
    return n->in_count[input] == n->config.queue;
}

static struct waiting *in_at(struct net *n, uint32_t input, uint32_t i)
{
    uint32_t at = n->in_head[input] + i;
    return &n->in[input * n->config.queue + (at < n->config.queue ? at : at - n->config.queue)];
}

static struct flying *out_at(const struct net *n, uint32_t output, uint32_t i)
{
    uint32_t at = n->out_head[output] + i;
    return &n->out[output * n->depth + (at < n->depth ? at : at - n->depth)];
}

static void announce(struct net *n, uint32_t input)
{
    uint32_t output = in_at(n, input, 0)->output;
    n->want[output] |= 1ull << input;
    n->wanted |= 1ull << output;
}

bool net_push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
              const struct mem_request *message)
{
    if (net_full(n, input))
        return false;
    *in_at(n, input, n->in_count[input]) = (struct waiting){*message, output, flits};
    if (n->in_count[input]++ == 0)
        announce(n, input);
    return true;
}

uint64_t net_ready(const struct net *n)
{
    return n->ready;
}

const struct mem_request *net_peek(const struct net *n, uint32_t output)
{
    return &out_at(n, output, 0)->message;
}

void net_take(struct net *n, uint32_t output)
{
    uint64_t bit = 1ull << output;
    n->out_head[output] = n->out_head[output] + 1 < n->depth ? n->out_head[output] + 1 : 0;
    if (!--n->out_count[output]) {
        n->ready &= ~bit;
        n->flying &= ~bit;
        return;
    }
    uint64_t at = out_at(n, output, 0)->at;
    if (at > n->now) {
        n->ready &= ~bit;
        n->next_ready = at < n->next_ready ? at : n->next_ready;
    }
}

bool net_idle(const struct net *n)
{
    return !n->wanted && !n->flying;
}

static void grant(struct net *n, uint32_t input, uint32_t output)
{
    const struct waiting *w = in_at(n, input, 0);
    uint64_t at = n->now + n->config.latency;
    n->in_free[input] = n->out_free[output] = n->now + w->flits;
    *out_at(n, output, n->out_count[output]++) = (struct flying){w->message, at};
    n->flying |= 1ull << output;
    n->next_ready = at < n->next_ready ? at : n->next_ready;
    n->first[output] = input + 1 < n->config.inputs ? input + 1 : 0;

    n->want[output] &= ~(1ull << input);
    if (!n->want[output])
        n->wanted &= ~(1ull << output);
    n->in_head[input] = n->in_head[input] + 1 < n->config.queue ? n->in_head[input] + 1 : 0;
    if (--n->in_count[input])
        announce(n, input);
}

static void arbitrate(struct net *n, uint32_t output)
{
    if (n->out_free[output] > n->now || n->out_count[output] == n->depth)
        return;
    uint64_t all = n->want[output];
    uint64_t above = all & ~0ull << n->first[output];
    uint64_t rounds[2] = {above, all & ~above};
    for (int r = 0; r < 2; r++) {
        for (uint64_t m = rounds[r]; m; m &= m - 1) {
            uint32_t input = (uint32_t)__builtin_ctzll(m);
            if (n->in_free[input] <= n->now) {
                grant(n, input, output);
                return;
            }
        }
    }
}

static void find_ready(struct net *n)
{
    n->next_ready = NEVER;
    for (uint64_t m = n->flying & ~n->ready; m; m &= m - 1) {
        uint32_t output = (uint32_t)__builtin_ctzll(m);
        uint64_t at = out_at(n, output, 0)->at;
        if (at <= n->now)
            n->ready |= 1ull << output;
        else if (at < n->next_ready)
            n->next_ready = at;
    }
}

void net_tick(struct net *n)
{
    for (uint64_t m = n->wanted; m; m &= m - 1)
        arbitrate(n, (uint32_t)__builtin_ctzll(m));
    n->now++;
    if (n->now >= n->next_ready)
        find_ready(n);
}

uint64_t net_quiet(const struct net *n)
{
    if (n->wanted)
        return 0;
    return n->next_ready == NEVER ? NEVER : n->next_ready - 1 - n->now;
}

void net_skip(struct net *n, uint64_t ticks)
{
    n->now += ticks;
}
