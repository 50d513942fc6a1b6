#include "sim/mem/net/crossbar.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define NEVER UINT64_MAX

struct waiting {
    struct mem_request message;
    uint32_t output, flits;
};

struct input {
    struct waiting *entry; /* oldest first */
    struct occupancy use;
    uint32_t offer; /* the output that it would rather take, of this tick's */
};

struct output {
    struct delay_line line;
    struct request_queue queue;
    uint64_t want[NET_WORDS]; /* inputs with a message for this output */
    uint32_t wants;           /* how many */
    uint64_t flits;           /* granted */
    uint64_t *served;         /* by input: tick after the last one in which it was granted */
};

struct crossbar {
    struct net net;
    struct crossbar_config config;
    uint64_t now;                 /* the coming tick */
    uint64_t wanted[NET_WORDS];   /* outputs that some input has a message for */
    uint64_t *end;                /* by output: tick in which its delay line has one at its end */
    uint64_t *in_free;            /* by input: first tick in which it can send again */
    uint64_t *out_free;           /* by output: first tick in which it can be granted again */
    uint64_t next_end;            /* no delay line has a message at its end before this tick */
    uint32_t in_words, out_words; /* of sets of inputs, outputs */
    uint64_t held;                /* messages in it, queues included */
    uint64_t messages, flits;
    struct net_classes classes;
    struct input *in;
    struct output *out;
};

static struct crossbar *crossbar_of(struct net *n)
{
    return (struct crossbar *)(void *)n;
}

static const struct crossbar *crossbar_seen(const struct net *n)
{
    return (const struct crossbar *)(const void *)n;
}

static void set_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] |= 1ull << i % 64;
}

static void clear_bit(uint64_t *set, uint32_t i)
{
    set[i / 64] &= ~(1ull << i % 64);
}

static bool any_bit(const uint64_t *set, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= set[i];
    return any != 0;
}

/* --- inputs ----------------------------------------------------------------------------------- */

static uint32_t room(const struct net *n, uint32_t input, uint8_t class)
{
    const struct crossbar *x = crossbar_seen(n);
    const struct occupancy *use = &x->in[input].use;
    uint32_t kept = SECOND_LANE >> class & 1 ? 0 : x->config.reserved;
    uint32_t used = use->count + kept;
    return used < use->stats.size ? (uint32_t)use->stats.size - used : 0;
}

static bool in_second_lane(const struct crossbar *x, const struct waiting *w)
{
    return x->config.reserved && (SECOND_LANE >> w->message.class & 1);
}

/* Whether outputs may take that entry before the others of its input's queue. */
static bool offered(const struct crossbar *x, const struct input *in, uint32_t entry)
{
    if (x->config.order == CROSSBAR_VOQ)
        return true;
    bool lane = in_second_lane(x, &in->entry[entry]);
    for (uint32_t i = 0; i < entry; i++) {
        if (in_second_lane(x, &in->entry[i]) == lane)
            return false;
    }
    return true;
}

static void offer(struct crossbar *x, uint32_t input, uint32_t output)
{
    struct output *o = &x->out[output];
    o->wants += !(o->want[input / 64] >> input % 64 & 1);
    set_bit(o->want, input);
    set_bit(x->wanted, output);
}

static void push(struct net *n, uint32_t input, uint32_t output, uint32_t flits,
                 const struct mem_request *message)
{
    struct crossbar *x = crossbar_of(n);
    struct input *in = &x->in[input];
    in->entry[in->use.count] = (struct waiting){*message, output, flits};
    if (offered(x, in, in->use.count))
        offer(x, input, output);
    occupancy_enter(&in->use, x->now);
    net_classes_enter(&x->classes, message->class, flits, x->now);
    x->held++;
}

/* Whoever stood behind an entry that has left is offered; whether there is one for `output`. */
static bool offer_heads(struct crossbar *x, uint32_t input, uint32_t output)
{
    const struct input *in = &x->in[input];
    bool any = false;
    for (uint32_t i = 0; i < in->use.count; i++) {
        if (!offered(x, in, i))
            continue;
        offer(x, input, in->entry[i].output);
        any |= in->entry[i].output == output;
    }
    return any;
}

/* Takes an entry out of an input's queue; the output's wish stays while there is another. */
static void withdraw(struct crossbar *x, uint32_t input, uint32_t entry)
{
    struct input *in = &x->in[input];
    uint32_t output = in->entry[entry].output;
    bool another = false;
    for (uint32_t i = entry; i + 1 < in->use.count; i++) {
        in->entry[i] = in->entry[i + 1];
        another |= in->entry[i].output == output;
    }
    occupancy_leave(&in->use, x->now);
    if (x->config.order == CROSSBAR_FIFO)
        another = offer_heads(x, input, output);
    if (another)
        return;
    clear_bit(x->out[output].want, input);
    if (!--x->out[output].wants)
        clear_bit(x->wanted, output);
}

/* --- outputs ---------------------------------------------------------------------------------- */

static const struct mem_request *peek(const struct net *n, uint32_t output)
{
    return queue_head(&crossbar_seen(n)->out[output].queue);
}

static void take(struct net *n, uint32_t output)
{
    struct crossbar *x = crossbar_of(n);
    struct request_queue *queue = &x->out[output].queue;
    net_classes_leave(&x->classes, queue_head(queue)->class, x->now);
    queue_pop(queue, x->now);
    x->held--;
    if (queue_empty(queue))
        clear_bit(x->net.ready, output);
}

/* While the queue gives one message away before each tick, it has room for the one that comes in
 * that tick, and the line does not stand. What is granted from now on comes later. */
static uint32_t coming(const struct net *n, uint32_t output, uint32_t ticks, struct coming *list)
{
    const struct crossbar *x = crossbar_seen(n);
    const struct output *o = &x->out[output];
    uint32_t count = 0, size = (uint32_t)o->queue.use.stats.size;
    uint64_t after = 0;
    for (uint32_t i = 0; i < o->queue.use.count && after < ticks; i++) {
        uint32_t at = o->queue.head + i;
        list[count++] = (struct coming){o->queue.entry[at < size ? at : at - size], after++};
    }
    for (uint32_t i = 0; i < o->line.count; i++) {
        uint64_t due = line_due(&o->line, i), passed = due > x->now ? due - x->now : 0;
        after = passed + 1 > after ? passed + 1 : after;
        if (after >= ticks)
            break;
        list[count++] = (struct coming){*line_at(&o->line, i), after++};
    }
    return count;
}

/* The message at the end of the line goes into the queue; false when the line has to stand. */
static bool deliver(struct crossbar *x, uint32_t output)
{
    if (x->end[output] > x->now)
        return true;
    struct output *o = &x->out[output];
    if (queue_full(&o->queue)) {
        line_stand(&o->line);
        x->end[output]++;
        return false;
    }
    queue_push(&o->queue, line_end(&o->line, x->now), x->now);
    line_leave(&o->line);
    x->end[output] = line_next(&o->line);
    x->messages++;
    set_bit(x->net.ready, output);
    if (!o->line.count)
        clear_bit(x->net.under_way, output);
    return true;
}

static void grant(struct crossbar *x, uint32_t input, uint32_t output)
{
    struct input *in = &x->in[input];
    struct output *o = &x->out[output];
    uint32_t entry = 0;
    while (in->entry[entry].output != output || !offered(x, in, entry))
        entry++;
    const struct waiting *w = &in->entry[entry];
    x->in_free[input] = x->out_free[output] = x->now + w->flits;
    line_enter(&o->line, &w->message, x->now);
    x->end[output] = line_next(&o->line);
    x->next_end = x->end[output] < x->next_end ? x->end[output] : x->next_end;
    set_bit(x->net.under_way, output);
    x->flits += w->flits;
    o->flits += w->flits;
    o->served[input] = x->now + 1;
    withdraw(x, input, entry);
}

/* Of the inputs that are free, the one that this output has not served for longest; MAX_ENDPOINTS
 * when none is. */
static uint32_t longest_waiting(const struct crossbar *x, uint32_t output)
{
    const struct output *o = &x->out[output];
    uint32_t best = MAX_ENDPOINTS;
    for (uint32_t word = 0; word * 64 < x->config.inputs; word++) {
        for (uint64_t mask = o->want[word]; mask; mask &= mask - 1) {
            uint32_t input = word * 64 + (uint32_t)__builtin_ctzll(mask);
            if (x->in_free[input] <= x->now &&
                (best == MAX_ENDPOINTS || o->served[input] < o->served[best]))
                best = input;
        }
    }
    return best;
}

/* Outputs offer, inputs accept; both prefer whom they have not been with for longest, so that
 * neither an input nor an output waits for ever for a partner that others take. What an offer was
 * not accepted for is offered again. */
static void match(struct crossbar *x, uint64_t open[NET_WORDS])
{
    bool any = any_bit(open, x->out_words);
    while (any) {
        uint64_t offered[NET_WORDS] = {0};
        any = false;
        for (uint32_t i = 0; i < x->out_words; i++) {
            for (uint64_t m = open[i]; m; m &= m - 1) {
                uint32_t output = i * 64 + (uint32_t)__builtin_ctzll(m);
                uint32_t input = longest_waiting(x, output);
                if (input == MAX_ENDPOINTS) {
                    clear_bit(open, output);
                    continue;
                }
                struct input *in = &x->in[input];
                bool first = !(offered[input / 64] >> input % 64 & 1);
                if (first || x->out[output].served[input] < x->out[in->offer].served[input])
                    in->offer = output;
                set_bit(offered, input);
                any = true;
            }
        }
        for (uint32_t i = 0; any && i < x->in_words; i++) {
            for (uint64_t m = offered[i]; m; m &= m - 1) {
                uint32_t input = i * 64 + (uint32_t)__builtin_ctzll(m);
                clear_bit(open, x->in[input].offer);
                grant(x, input, x->in[input].offer);
            }
        }
    }
}

/* --- time ------------------------------------------------------------------------------------- */

static void find_next_end(struct crossbar *x)
{
    x->next_end = NEVER;
    for (uint32_t i = 0; i < x->config.outputs; i++)
        x->next_end = x->end[i] < x->next_end ? x->end[i] : x->next_end;
}

static void tick(struct net *n)
{
    struct crossbar *x = crossbar_of(n);
    bool ends = x->now >= x->next_end;
    if (!ends && !any_bit(x->wanted, x->out_words)) {
        x->now++;
        return;
    }
    uint64_t look[NET_WORDS], open[NET_WORDS];
    for (uint32_t i = 0; i < x->out_words; i++) {
        open[i] = 0;
        look[i] = x->wanted[i] | (ends ? x->net.under_way[i] : 0);
        for (uint64_t m = look[i]; m; m &= m - 1) {
            uint32_t output = i * 64 + (uint32_t)__builtin_ctzll(m);
            const struct output *o = &x->out[output];
            if (x->end[output] > x->now && x->out_free[output] > x->now)
                continue;
            /* A line of one register takes in what it gave away, in the same tick. */
            if (x->end[output] <= x->now && x->config.latency == 1)
                clear_bit(look, output);
            if (deliver(x, output) && o->wants && x->out_free[output] <= x->now &&
                line_room(&o->line, x->now))
                set_bit(open, output);
        }
    }
    match(x, open);
    for (uint32_t i = 0; x->config.latency == 1 && i < x->out_words; i++)
        for (uint64_t m = look[i]; m; m &= m - 1)
            deliver(x, i * 64 + (uint32_t)__builtin_ctzll(m));
    x->now++;
    if (ends || x->config.latency == 1)
        find_next_end(x);
}

static uint64_t quiet(const struct net *n)
{
    const struct crossbar *x = crossbar_seen(n);
    if (any_bit(x->wanted, x->out_words))
        return 0;
    if (x->next_end == NEVER)
        return NEVER;
    return x->next_end > x->now ? x->next_end - x->now : 0;
}

static void skip(struct net *n, uint64_t ticks)
{
    crossbar_of(n)->now += ticks;
}

static bool idle(const struct net *n)
{
    return !crossbar_seen(n)->held;
}

static void stats(const struct net *n, struct net_stats *s)
{
    const struct crossbar *x = crossbar_seen(n);
    *s = (struct net_stats){.messages = x->messages, .flits = x->flits};
    net_classes_stats(&x->classes, x->now, s);
    for (uint32_t i = 0; i < x->config.inputs; i++)
        queue_stats_add(&s->inputs, &x->in[i].use, x->now);
    for (uint32_t o = 0; o < x->config.outputs; o++) {
        queue_stats_add(&s->outputs, &x->out[o].queue.use, x->now);
        s->stood += x->out[o].line.stood;
    }
}

static uint32_t links(const struct net *n, uint64_t *flits)
{
    const struct crossbar *x = crossbar_seen(n);
    for (uint32_t o = 0; flits && o < x->config.outputs; o++)
        flits[o] = x->out[o].flits;
    return x->config.outputs;
}

/* --- set-up ----------------------------------------------------------------------------------- */

static void destroy(struct net *n)
{
    struct crossbar *x = crossbar_of(n);
    for (uint32_t i = 0; i < x->config.inputs; i++)
        free(x->in[i].entry);
    for (uint32_t o = 0; o < x->config.outputs; o++) {
        line_destroy(&x->out[o].line);
        queue_destroy(&x->out[o].queue);
        free(x->out[o].served);
    }
    free(x->in);
    free(x->out);
    free(x->end);
    free(x->in_free);
    free(x->out_free);
    free(x);
}

static const struct net_ops operations = {.push = push,
                                          .room = room,
                                          .peek = peek,
                                          .take = take,
                                          .coming = coming,
                                          .tick = tick,
                                          .quiet = quiet,
                                          .skip_ticks = skip,
                                          .idle = idle,
                                          .stats = stats,
                                          .links = links,
                                          .destroy = destroy};

struct net *crossbar_create(const struct crossbar_config *config)
{
    struct crossbar *x = ALLOC(struct crossbar);
    x->net = (struct net){.ops = &operations,
                          .inputs = config->inputs,
                          .outputs = config->outputs,
                          .ahead = config->latency < NET_AHEAD ? config->latency : NET_AHEAD};
    x->config = *config;
    x->next_end = NEVER;
    x->in_words = (config->inputs + 63) / 64;
    x->out_words = (config->outputs + 63) / 64;
    x->end = ALLOC_ARRAY(uint64_t, config->outputs);
    x->in_free = ALLOC_ARRAY(uint64_t, config->inputs);
    x->out_free = ALLOC_ARRAY(uint64_t, config->outputs);
    x->in = ALLOC_ARRAY(struct input, config->inputs);
    x->out = ALLOC_ARRAY(struct output, config->outputs);
    for (uint32_t i = 0; i < config->inputs; i++) {
        x->in[i].entry = ALLOC_ARRAY(struct waiting, config->input_queue);
        x->in[i].use.stats.size = config->input_queue;
    }
    for (uint32_t o = 0; o < config->outputs; o++) {
        x->end[o] = NEVER;
        line_create(&x->out[o].line, config->latency);
        queue_create(&x->out[o].queue, config->output_queue);
        x->out[o].served = ALLOC_ARRAY(uint64_t, config->inputs);
    }
    return &x->net;
}
