#include "sim/mem/bank.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/mem/bank_internal.h"
#include "sim/mem/net/flits.h"

/* --- set-up ----------------------------------------------------------------------------------- */

static bool check_config(const struct bank_config *c, struct error *err)
{
    if (c->accesses < MIN_ACCESSES)
        return error_set(err, "miss_queue = %" PRIu32 ": must be at least %u", c->accesses,
                         MIN_ACCESSES);
    if (c->reserved_mshrs && c->reserved_mshrs >= c->mshrs)
        return error_set(err, "reserved_mshrs = %" PRIu32 ": must be less than mshrs = %" PRIu32,
                         c->reserved_mshrs, c->mshrs);
    return true;
}

static void create_waiting(struct bank *b)
{
    uint32_t n = b->config.mshrs * b->config.merges;
    b->waiting = ALLOC_ARRAY(struct waiting, n);
    b->free_waiting = ALLOC_ARRAY(uint32_t, n);
    while (b->n_free_waiting < n) {
        b->free_waiting[b->n_free_waiting] = n - 1 - b->n_free_waiting;
        b->n_free_waiting++;
    }
    b->reserved = ALLOC_ARRAY(uint32_t, b->config.mshrs);
    b->fetcher = ALLOC_ARRAY(struct cause, b->config.mshrs);
}

struct bank *bank_create(const struct bank_config *config, struct access_queue *queues,
                         struct error *err)
{
    struct bank *b = ALLOC(struct bank);
    b->config = *config;
    b->releasing = MSHR_NONE;
    b->next_deadline = NEVER;
    if (!check_config(config, err) || !cache_create(&b->cache, &config->shape, err) ||
        !mshr_create(&b->mshr, config->mshrs, config->merges, err)) {
        error_prefix(err, "L2");
        bank_destroy(b);
        return NULL;
    }
    b->mshrs.stats.size = config->mshrs;
    uint32_t column = config->column_bytes;
    b->granule = column <= SECTOR_BYTES ? 1
                 : column >= LINE_BYTES ? LINE_SECTORS
                                        : column / SECTOR_BYTES;
    for (uint32_t l = 0; l < config->lanes; l++) {
        queue_create(&b->lane[l].ingress, config->ingress);
        line_create(&b->lane[l].line, config->latency);
        b->lane[l].accesses = &queues[l];
    }
    queue_create(&b->replies, config->replies);
    b->parked = ALLOC_ARRAY(struct parked, config->parked);
    create_waiting(b);
    return b;
}

void bank_destroy(struct bank *b)
{
    if (!b)
        return;
    cache_destroy(&b->cache);
    mshr_destroy(&b->mshr);
    for (uint32_t l = 0; l < b->config.lanes; l++) {
        queue_destroy(&b->lane[l].ingress);
        line_destroy(&b->lane[l].line);
    }
    queue_destroy(&b->replies);
    free(b->parked);
    free(b->reserved);
    free(b->fetcher);
    free(b->waiting);
    free(b->free_waiting);
    free(b);
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* The first request of the line will be decided in a coming cycle. */
static void expect(const struct bank *b, const struct lane *lane)
{
    if (lane->line.count)
        cache_expect(&b->cache, map_place(b->config.map, line_at(&lane->line, 0)->line).bank_line);
}

static bool decide_lane(struct bank *b, uint32_t l, uint64_t now)
{
    struct lane *lane = &b->lane[l];
    const struct mem_request *end = line_end(&lane->line, now);
    if (!end)
        return false;
    if (!bank_decide(b, lane, end, now))
        return false;
    line_leave(&lane->line);
    expect(b, lane);
    return true;
}

/* The first request that can be, of the lanes whose bit is set. */
static bool decide_one(struct bank *b, uint32_t lanes, uint64_t now)
{
    for (uint32_t i = 0; i < b->config.lanes; i++) {
        uint32_t l = (b->turn + i) % b->config.lanes;
        if (lanes >> l & 1 && decide_lane(b, l, now)) {
            b->turn = (l + 1) % b->config.lanes;
            return true;
        }
    }
    return false;
}

static void take_in(struct bank *b, uint32_t l, uint64_t now)
{
    struct request_queue *ingress = &b->lane[l].ingress;
    uint32_t port = b->config.ports + l;
    if (!net_ready(b->config.requests, port) || queue_full(ingress))
        return;
    const struct mem_request *r = net_peek(b->config.requests, port);
    b->stats.of[r->class].requests++;
    b->stats.of[r->class].cycles -= now;
    b->held[r->class]++;
    queue_push(ingress, r, now);
    net_take(b->config.requests, port);
}

/* True when a request entered. */
static bool move_line(struct lane *lane, uint64_t now)
{
    if (line_end(&lane->line, now)) {
        line_stand(&lane->line);
        return false;
    }
    if (queue_empty(&lane->ingress) || !line_room(&lane->line, now))
        return false;
    line_enter(&lane->line, queue_head(&lane->ingress), now);
    queue_pop(&lane->ingress, now);
    return true;
}

static void send_reply(struct bank *b, uint64_t now)
{
    b->stalled_reply = false;
    if (queue_empty(&b->replies))
        return;
    const struct mem_request *r = queue_head(&b->replies);
    if (!net_room(b->config.reply_net, b->config.port, r->class)) {
        b->stalled_reply = true;
        b->stats.stalled_reply++;
        return;
    }
    net_push(b->config.reply_net, b->config.port, r->source,
             reply_flits(r, b->config.flit_bytes[r->class]), r);
    b->stats.of[r->class].cycles += now;
    b->held[r->class]--;
    queue_pop(&b->replies, now);
}

/* Nothing to do in this cycle, and nothing has come from outside. */
static bool sleeps(const struct bank *b, const struct mem_side *side, uint64_t now)
{
    if (now >= b->wake || mem_side_fetched(side, b->config.index, now))
        return false;
    for (uint32_t l = 0; l < b->config.lanes; l++)
        if (net_ready(b->config.requests, b->config.ports + l))
            return false;
    return true;
}

static uint64_t next_wake(const struct bank *b)
{
    uint64_t first = b->next_deadline;
    if (b->releasing != MSHR_NONE || b->n_again || !queue_empty(&b->replies))
        return 0;
    for (uint32_t l = 0; l < b->config.lanes; l++) {
        uint64_t end = line_next(&b->lane[l].line);
        if (!queue_empty(&b->lane[l].ingress))
            return 0;
        first = end < first ? end : first;
    }
    return first;
}

/* Heads that have to wait because the bank is taken. */
static void count_taken(struct bank *b, uint64_t now)
{
    for (uint32_t l = 0; l < b->config.lanes; l++)
        b->stats.held[HOLD_TAKEN] += line_end(&b->lane[l].line, now) != NULL;
}

void bank_tick(struct bank *b, struct mem_side *side, uint64_t now)
{
    if (sleeps(b, side, now))
        return;
    for (uint32_t l = 0; l < b->config.lanes; l++)
        take_in(b, l, now);
    bool full = queue_full(&b->replies);
    bool taken = bank_release(b, side, now) || bank_parked(b, now);
    if (taken && !full)
        count_taken(b, now);
    bool used = taken || decide_one(b, UINT32_MAX, now);
    uint32_t entered = 0;
    for (uint32_t l = 0; l < b->config.lanes; l++)
        entered |= (uint32_t)move_line(&b->lane[l], now) << l;
    if (!used && b->config.latency == 1)
        decide_one(b, entered, now);
    send_reply(b, now);
    b->wake = next_wake(b);
}

/* --- questions -------------------------------------------------------------------------------- */

bool bank_idle(const struct bank *b)
{
    for (uint32_t l = 0; l < b->config.lanes; l++) {
        const struct lane *lane = &b->lane[l];
        if (!queue_empty(&lane->ingress) || lane->line.count || lane->accesses->use.count)
            return false;
    }
    return !b->mshr.used && !b->n_parked && queue_empty(&b->replies);
}

uint64_t bank_quiet(const struct bank *b, uint64_t now)
{
    for (uint32_t l = 0; l < b->config.lanes; l++)
        if (b->lane[l].accesses->use.count)
            return 0;
    if (b->wake == NEVER)
        return NEVER;
    return b->wake > now ? b->wake - now : 0;
}

bool bank_answer(struct bank *b, const struct mem_request *reply, uint64_t now)
{
    if (queue_full(&b->replies))
        return false;
    queue_push(&b->replies, reply, now);
    b->wake = 0;
    return true;
}

bool bank_stalled_reply(const struct bank *b)
{
    return b->stalled_reply;
}

void bank_forget(struct bank *b, uint64_t bank_line)
{
    uint32_t entry = cache_find(&b->cache, bank_line);
    if (entry != CACHE_NONE && !b->cache.pins[entry])
        cache_invalidate(&b->cache, bank_line);
}

void bank_warm(struct bank *b, uint64_t bank_line, uint32_t words, bool write)
{
    uint32_t entry = cache_find(&b->cache, bank_line);
    if (mshr_find(&b->mshr, bank_line) != MSHR_NONE ||
        (entry == CACHE_NONE && write && b->config.write_miss == WRITE_MISS_AROUND))
        return;
    if (entry == CACHE_NONE) {
        entry = cache_victim(&b->cache, bank_line);
        if (entry == CACHE_NONE)
            return;
        cache_allocate(&b->cache, entry, bank_line);
    }
    cache_touch(&b->cache, entry);
    bool fetches = !write || b->config.write_miss == WRITE_MISS_FETCH;
    if (fetches)
        b->cache.valid[entry] |=
            b->config.fetch_line ? UINT32_MAX : sector_words(bank_columns(b, word_sectors(words)));
    b->cache.valid[entry] |= words;
    b->cache.dirty[entry] |= write ? words : 0;
}

void bank_wake(struct bank *b, uint64_t bank_line)
{
    bank_wake_line(b, bank_line);
}

const struct traffic *bank_traffic(const struct bank *b, uint32_t owner)
{
    return &b->traffic[owner];
}

void bank_clear_traffic(struct bank *b, uint32_t owner)
{
    b->traffic[owner] = (struct traffic){0};
}

void bank_stats(const struct bank *b, uint64_t now, struct bank_stats *stats)
{
    *stats = b->stats;
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++)
        stats->of[i].cycles += b->held[i] * now;
    for (uint32_t l = 0; l < b->config.lanes; l++) {
        queue_stats_add(&stats->ingress, &b->lane[l].ingress.use, now);
        queue_stats_add(&stats->accesses, &b->lane[l].accesses->use, now);
        stats->stood += b->lane[l].line.stood;
    }
    queue_stats_add(&stats->mshrs, &b->mshrs, now);
    queue_stats_add(&stats->replies, &b->replies.use, now);
}

void bank_stats_add(struct bank_stats *sum, const struct bank_stats *one)
{
    for (uint32_t i = 0; i < REQUEST_CLASSES; i++) {
        sum->of[i].requests += one->of[i].requests;
        sum->of[i].hits += one->of[i].hits;
        sum->of[i].misses += one->of[i].misses;
        sum->of[i].cycles += one->of[i].cycles;
        sum->of[i].dram_read += one->of[i].dram_read;
        sum->of[i].dram_written += one->of[i].dram_written;
    }
    sum->hits += one->hits;
    sum->misses += one->misses;
    sum->writebacks += one->writebacks;
    sum->stalled_reply += one->stalled_reply;
    for (uint32_t h = 0; h < BANK_HOLDS; h++)
        sum->held[h] += one->held[h];
    queue_stats_sum(&sum->ingress, &one->ingress);
    queue_stats_sum(&sum->accesses, &one->accesses);
    queue_stats_sum(&sum->mshrs, &one->mshrs);
    queue_stats_sum(&sum->replies, &one->replies);
    sum->stood += one->stood;
    sum->parked += one->parked;
    sum->timeouts += one->timeouts;
}
