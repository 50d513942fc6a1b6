/* What happens to a request in its bank: looked up, held, fetched for, performed, answered, parked.
 */
#include <assert.h>

#include "sim/mem/bank_internal.h"
#include "sim/mem/region/fe.h"

/* --- to the memory side ----------------------------------------------------------------------- */

uint8_t bank_columns(const struct bank *b, uint32_t sectors)
{
    if (b->granule == LINE_SECTORS)
        return sectors ? ALL_SECTORS : 0;
    if (b->granule == 2) {
        uint32_t pairs = (sectors | sectors >> 1) & 5u;
        return (uint8_t)(pairs | pairs << 1);
    }
    return (uint8_t)sectors;
}

/* One access per run of adjacent sectors. The caller has checked that there is room. */
static void queue_access(struct bank *b, struct lane *lane, const struct dram_access *whole,
                         uint64_t bank_line, uint64_t now)
{
    uint64_t channel = map_channel_address(b->config.map, b->config.index, bank_line);
    uint64_t column = b->config.column_bytes;
    struct traffic *traffic = &b->traffic[whole->owner];
    struct bank_class *of = &b->stats.of[whole->class];
    for (uint32_t sectors = whole->sectors; sectors;) {
        uint32_t first = (uint32_t)__builtin_ctz(sectors);
        uint32_t run = (uint32_t)__builtin_ctz(~(sectors >> first));
        uint32_t mask = ((1u << run) - 1) << first;
        uint64_t from = (channel + first * SECTOR_BYTES) & ~(column - 1);
        uint64_t to = (channel + (first + run) * SECTOR_BYTES + column - 1) & ~(column - 1);
        struct dram_access access = *whole;
        access.address = from;
        access.bytes = (uint32_t)(to - from);
        access.sectors = (uint8_t)mask;
        *(access.write ? &traffic->dram_written : &traffic->dram_read) += access.bytes;
        *(access.write ? &of->dram_written : &of->dram_read) += access.bytes;
        access_queue_push(lane->accesses, &access, now);
        sectors &= ~mask;
    }
}

/* --- performing ------------------------------------------------------------------------------- */

static bool performs(const struct mem_request *r)
{
    return r->kind == REQUEST_ATOMIC || r->kind == REQUEST_POLL;
}

void bank_wake_line(struct bank *b, uint64_t line)
{
    b->wake = 0;
    for (uint32_t i = 0; b->n_parked && i < b->config.parked; i++) {
        struct parked *p = &b->parked[i];
        if (p->used && p->line == line && !p->again) {
            p->again = true;
            b->n_again++;
        }
    }
}

static void park(struct bank *b, struct waiting *w, uint64_t line, uint64_t now)
{
    uint32_t i = 0;
    while (b->parked[i].used)
        i++;
    if (!w->deadline)
        w->deadline = b->config.park_timeout ? now + b->config.park_timeout : NEVER;
    b->parked[i] = (struct parked){.waiting = *w, .line = line, .used = true};
    b->n_parked++;
    if (w->deadline < b->next_deadline)
        b->next_deadline = w->deadline;
    b->stats.parked++;
}

static void answer(struct bank *b, const struct mem_request *r, bool failed, uint64_t now)
{
    struct mem_request reply = *r;
    reply.failed = failed;
    queue_push(&b->replies, &reply, now);
}

/* All its words are there. True when it can be answered; otherwise it has been parked. `entry` is
 * its line's, or CACHE_NONE where the line is not kept. */
static bool complete(struct bank *b, struct waiting *w, uint32_t entry, uint64_t now)
{
    struct mem_request *r = &w->request;
    uint64_t line = map_place(b->config.map, r->line).bank_line;
    if (performs(r)) {
        uint32_t words = w->words;
        enum perform_result result = b->config.perform(b->config.user, r, &w->words);
        if (r->kind == REQUEST_ATOMIC && r->collisions > 1)
            b->busy = now + r->collisions;
        if (r->action != ACTION_NONE && w->words != words && b->n_parked)
            bank_wake_line(b, line);
        if (result == PERFORM_BLOCKED) {
            assert(r->trigger != TRIGGER_NONE && w->words);
            park(b, w, line, now);
            return false;
        }
        r->failed = result == PERFORM_FAILED;
    }
    b->promised -= r->trigger != TRIGGER_NONE && performs(r);
    if (r->kind == REQUEST_WRITE || r->kind == REQUEST_ATOMIC) {
        if (entry != CACHE_NONE) {
            b->cache.valid[entry] |= touched_words(r);
            b->cache.dirty[entry] |= touched_words(r);
        }
        if (b->n_parked)
            bank_wake_line(b, line);
    }
    return true;
}

/* --- data that arrive ------------------------------------------------------------------------- */

static void write_back(struct bank *b, struct lane *lane, uint32_t entry, struct cause cause,
                       uint64_t now)
{
    struct dram_access access = {.sectors = bank_columns(b, word_sectors(b->cache.dirty[entry])),
                                 .write = 1,
                                 .class = cause.class,
                                 .owner = cause.owner};
    queue_access(b, lane, &access, b->cache.line[entry], now);
    b->stats.writebacks++;
}

static struct lane *lane_of(struct bank *b, uint8_t class)
{
    return &b->lane[b->config.lanes > 1 && b->config.second_lane >> class & 1];
}

/* The entry of a line whose data have come; CACHE_NONE when it must wait for room to write a victim
 * back (`*wait`), or when no way is left and the line is not kept. */
static uint32_t entry_for_fill(struct bank *b, uint32_t mshr, bool *wait, uint64_t now)
{
    uint64_t line = b->mshr.line[mshr];
    uint32_t entry = cache_find(&b->cache, line);
    if (entry != CACHE_NONE || b->config.allocate_on_miss)
        return entry;
    entry = cache_victim(&b->cache, line);
    if (entry == CACHE_NONE)
        return entry;
    if (b->cache.dirty[entry]) {
        struct lane *lane = &b->lane[0];
        *wait = access_queue_room(lane->accesses) < MIN_ACCESSES / 2;
        if (*wait)
            return CACHE_NONE;
        write_back(b, lane, entry, b->fetcher[mshr], now);
    }
    cache_allocate(&b->cache, entry, line);
    return entry;
}

/* Puts the data of the next fetch into the cache; false when there is none, or it has to wait. */
static bool take_fetched(struct bank *b, struct mem_side *side, uint64_t now)
{
    const struct fetched *f = mem_side_fetched(side, b->config.index, now);
    if (!f)
        return false;
    bool wait = false;
    uint32_t entry = entry_for_fill(b, f->mshr, &wait, now);
    if (wait)
        return false;
    if (entry != CACHE_NONE) {
        b->cache.valid[entry] |= sector_words(f->sectors);
        b->cache.pins[entry]++;
    }
    mshr_arrived(&b->mshr, f->mshr, f->sectors);
    b->releasing = f->mshr;
    b->released = entry;
    mem_side_take(side, b->config.index);
    return true;
}

static void end_release(struct bank *b, uint64_t now)
{
    if (b->released != CACHE_NONE)
        b->cache.pins[b->released]--;
    if (!b->mshr.waiters[b->releasing]) {
        occupancy_leave(&b->mshrs, now);
        b->event_mshrs -= b->fetcher[b->releasing].class == CLASS_EVENT;
        if (b->reserved[b->releasing] != CACHE_NONE)
            b->cache.pins[b->reserved[b->releasing]]--;
    }
    b->releasing = MSHR_NONE;
}

/* The next request whose data have arrived. */
static bool next_waiter(struct bank *b, struct mem_side *side, uint32_t *id, uint64_t now)
{
    while (b->releasing != MSHR_NONE || take_fetched(b, side, now)) {
        if (mshr_next(&b->mshr, b->releasing, id))
            return true;
        end_release(b, now);
    }
    return false;
}

/* There is something that could end in a reply. */
static bool has_work(const struct bank *b, const struct mem_side *side, uint64_t now)
{
    bool work = b->releasing != MSHR_NONE || b->n_again || b->next_deadline <= now ||
                mem_side_fetched(side, b->config.index, now);
    for (uint32_t l = 0; l < b->config.lanes; l++)
        work |= line_end(&b->lane[l].line, now) != NULL;
    return work;
}

bool bank_release(struct bank *b, struct mem_side *side, uint64_t now)
{
    uint32_t id;
    if (now < b->busy)
        return true;
    if (queue_full(&b->replies)) {
        b->stats.held[HOLD_REPLY] += has_work(b, side, now);
        return true;
    }
    if (!next_waiter(b, side, &id, now))
        return false;
    struct waiting *w = &b->waiting[id];
    if (complete(b, w, b->released, now) && w->request.kind != REQUEST_WRITE)
        answer(b, &w->request, w->request.failed, now);
    b->free_waiting[b->n_free_waiting++] = id;
    if (!b->mshr.waiters[b->releasing])
        end_release(b, now);
    return true;
}

/* --- decisions -------------------------------------------------------------------------------- */

/* Sectors to fetch before the request can be completed, given the words that are valid. */
static uint8_t missing_sectors(const struct bank *b, const struct mem_request *r, uint32_t valid)
{
    uint32_t missing;
    if (r->kind != REQUEST_WRITE) {
        missing = sector_words(r->sectors) & ~valid;
    } else if (r->partial) {
        missing = touched_words(r) & ~valid;
    } else if (b->config.write_miss == WRITE_MISS_FETCH) {
        uint32_t written = touched_words(r);
        missing = sector_words(word_sectors(written)) & ~valid & ~written;
    } else {
        missing = 0;
    }
    if (missing && b->config.fetch_line)
        missing = ~valid;
    return bank_columns(b, word_sectors(missing));
}

/* Everything that a decision depends on, found once. */
struct look {
    struct waiting *waiting;
    struct lane *lane;
    uint64_t line;  /* within the bank */
    uint32_t entry; /* of the line, or CACHE_NONE */
    uint32_t mshr;  /* of the line, or MSHR_NONE */
    uint32_t victim;
    uint8_t wait; /* sectors that it needs and that are not there */
    bool around;  /* a write that goes past the cache */
    bool take;    /* a way, now */
    bool parks;   /* it may be blocked, and so needs a parking place */
    bool again;   /* it has been parked before: it is counted, and has its place */
};

static void look_up(const struct bank *b, struct look *k)
{
    const struct mem_request *r = &k->waiting->request;
    k->line = map_place(b->config.map, r->line).bank_line;
    k->parks = r->trigger != TRIGGER_NONE && performs(r);
    k->entry = cache_find(&b->cache, k->line);
    k->mshr = b->mshr.used ? mshr_find(&b->mshr, k->line) : MSHR_NONE;
    uint32_t valid = k->entry == CACHE_NONE ? 0 : b->cache.valid[k->entry];
    k->wait = missing_sectors(b, r, valid);
    if (k->mshr != MSHR_NONE && performs(r))
        k->wait |= b->mshr.asked[k->mshr];
    k->around = r->kind == REQUEST_WRITE && k->entry == CACHE_NONE && !k->wait &&
                b->config.write_miss == WRITE_MISS_AROUND;
    k->take = k->entry == CACHE_NONE && !k->around && (!k->wait || b->config.allocate_on_miss);
    k->victim = k->take ? cache_victim(&b->cache, k->line) : k->entry;
}

/* No MSHR for a miss that needs one: lane 0 leaves some to the other, and events have so many of
 * them while lane 0 waits. */
static bool no_mshr(const struct bank *b, const struct look *k, uint64_t now)
{
    const struct bank_config *c = &b->config;
    uint32_t kept = k->lane == &b->lane[0] && c->lanes > 1 ? c->reserved_mshrs : 0;
    if (b->mshr.used + kept >= c->mshrs)
        return true;
    return k->waiting->request.class == CLASS_EVENT && c->event_mshrs &&
           b->event_mshrs >= c->event_mshrs && line_end(&b->lane[0].line, now);
}

/* What holds the request up; BANK_HOLDS: nothing. */
static enum bank_hold hold(const struct bank *b, const struct look *k, uint64_t now)
{
    if ((k->wait || k->take || k->around) && access_queue_room(k->lane->accesses) < MIN_ACCESSES)
        return HOLD_ACCESS;
    if (k->wait && k->mshr != MSHR_NONE && b->mshr.waiters[k->mshr] == b->config.merges)
        return HOLD_MERGE;
    if (k->wait && k->mshr == MSHR_NONE && no_mshr(b, k, now))
        return HOLD_MSHR;
    if (k->take && k->victim == CACHE_NONE)
        return HOLD_WAY;
    if (k->parks && !k->again && b->promised == b->config.parked)
        return HOLD_PARKED;
    return BANK_HOLDS;
}

/* The request goes into the MSHR of its line; DRAM is asked for what nobody has asked for. */
static void wait_for(struct bank *b, const struct look *k, uint64_t now)
{
    uint32_t id = b->free_waiting[--b->n_free_waiting];
    uint32_t entry;
    uint8_t fetch;
    b->waiting[id] = *k->waiting;
    if (mshr_add(&b->mshr, k->line, k->wait, id, &entry, &fetch) == MSHR_NEW) {
        occupancy_enter(&b->mshrs, now);
        b->event_mshrs += k->waiting->request.class == CLASS_EVENT;
        b->reserved[entry] = b->config.allocate_on_miss ? k->victim : CACHE_NONE;
        b->fetcher[entry] = (struct cause){k->waiting->request.class, k->waiting->request.owner};
        if (b->config.allocate_on_miss)
            b->cache.pins[k->victim]++;
    }
    struct dram_access access = {.mshr = entry,
                                 .sectors = fetch,
                                 .class = k->waiting->request.class,
                                 .owner = k->waiting->request.owner};
    queue_access(b, k->lane, &access, k->line, now);
}

static void go_around(struct bank *b, const struct look *k, uint64_t now)
{
    const struct mem_request *r = &k->waiting->request;
    struct dram_access access = {.sectors = bank_columns(b, word_sectors(touched_words(r))),
                                 .write = 1,
                                 .class = r->class,
                                 .owner = r->owner};
    queue_access(b, k->lane, &access, k->line, now);
}

/* Decides a request; false when it has to stay where it is. */
static bool decide(struct bank *b, struct look *k, uint64_t now)
{
    struct mem_request *r = &k->waiting->request;
    look_up(b, k);
    enum bank_hold why = hold(b, k, now);
    if (why != BANK_HOLDS) {
        b->stats.held[why]++;
        return false;
    }
    if (!k->again) {
        bool miss = k->entry == CACHE_NONE || k->wait;
        struct traffic *traffic = &b->traffic[r->owner];
        *(miss ? &b->stats.misses : &b->stats.hits) += 1;
        *(miss ? &traffic->l2_misses : &traffic->l2_hits) += 1;
        *(miss ? &b->stats.of[r->class].misses : &b->stats.of[r->class].hits) += 1;
        b->promised += k->parks;
    }
    if (k->take) {
        if (b->cache.dirty[k->victim])
            write_back(b, k->lane, k->victim, (struct cause){r->class, r->owner}, now);
        cache_allocate(&b->cache, k->victim, k->line);
    } else if (k->entry != CACHE_NONE) {
        cache_touch(&b->cache, k->entry);
    }
    bool done = true;
    if (k->wait)
        wait_for(b, k, now);
    else
        done = complete(b, k->waiting, k->victim, now);
    if (k->around)
        go_around(b, k, now);
    if ((!k->wait && done) || r->kind == REQUEST_WRITE)
        answer(b, r, r->failed, now);
    return true;
}

/* One parked request that has been woken. True when it used the bank's turn. */
static bool try_parked(struct bank *b, uint64_t now)
{
    for (uint32_t i = 0; b->n_again && i < b->config.parked; i++) {
        struct parked *p = &b->parked[i];
        if (!p->used || !p->again)
            continue;
        struct parked tried = *p;
        struct look k = {.waiting = &tried.waiting,
                         .lane = lane_of(b, tried.waiting.request.class),
                         .again = true};
        /* Its place is free while it is tried: it may be parked again. */
        p->used = false;
        b->n_again--;
        b->n_parked--;
        if (decide(b, &k, now))
            return true;
        *p = tried;
        b->n_again++;
        b->n_parked++;
        return false;
    }
    return false;
}

/* Parked requests whose time is over fail, one per cycle. */
static bool time_out(struct bank *b, uint64_t now)
{
    if (now < b->next_deadline)
        return false;
    bool used = false;
    b->next_deadline = NEVER;
    for (uint32_t i = 0; i < b->config.parked; i++) {
        struct parked *p = &b->parked[i];
        if (!p->used)
            continue;
        if (!used && p->waiting.deadline <= now && !queue_full(&b->replies)) {
            answer(b, &p->waiting.request, true, now);
            p->used = false;
            b->n_parked--;
            b->n_again -= p->again;
            b->promised--;
            b->stats.timeouts++;
            used = true;
        } else if (p->waiting.deadline < b->next_deadline) {
            b->next_deadline = p->waiting.deadline;
        }
    }
    return used;
}

bool bank_parked(struct bank *b, uint64_t now)
{
    return time_out(b, now) || (b->n_again && try_parked(b, now));
}

bool bank_decide(struct bank *b, struct lane *lane, const struct mem_request *r, uint64_t now)
{
    if (r->region) {
        bool taken = fe_take(b->config.fe, r, b->config.index, now);
        b->stats.held[HOLD_ACCESS] += !taken;
        return taken;
    }
    struct waiting w = {.request = *r, .words = touched_words(r)};
    struct look k = {.waiting = &w, .lane = lane};
    return decide(b, &k, now);
}
