#include "sim/host/armed_launcher.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "sim/host/rate.h"

#define WORD_BYTES 4u

enum entry_step { ENTRY_IDLE, ENTRY_PREPARED, ENTRY_RUNNING };

struct entry {
    struct armed_launcher *launcher; /* so that a call's user pointer can be the entry */
    struct driver_kernel kernel;
    uint32_t round; /* that is prepared or runs, from 1 */
    uint32_t wait;  /* the driver's id of the wait that is under way */
    enum entry_step step;
};

struct thread {
    bool calling;
    uint64_t since; /* calling: of the calls; else: of the first poll */
    uint64_t next;  /* the poll that will notice what is in the ring */
    uint32_t *ring; /* entries to be prepared, in order */
    uint32_t size, head, count;
};

struct armed_launcher {
    struct armed_config config;
    uint64_t poll;
    struct entry *entry;
    struct thread *threads;
    uint32_t prepared; /* entries that wait for their word */
    bool ready;        /* all have been prepared once */
    uint64_t next;
    struct armed_stats stats;
};

static bool check_config(const struct armed_config *c, struct error *err)
{
    if (c->threads == 0 || c->threads > 64)
        return error_set(err, "prepared launches: there must be 1 to 64 threads, not %u",
                         c->threads);
    if (c->streams == 0 || c->streams % c->threads)
        return error_set(err, "prepared launches: %u streams must be a multiple of %u threads",
                         c->streams, c->threads);
    if (c->entries == 0 || c->entries > ARMED_MOST_ENTRIES)
        return error_set(err, "prepared launches: the queue must have 1 to %u entries, not %u",
                         ARMED_MOST_ENTRIES, c->entries);
    if (c->core_khz == 0 || rate_ns_to_cycles(c->poll_ns, c->core_khz) == 0)
        return error_set(err, "prepared launches: a polling round must take at least one cycle");
    return true;
}

struct armed_launcher *armed_create(const struct armed_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;

    struct armed_launcher *a = ALLOC(struct armed_launcher);

    a->config = *config;
    a->poll = rate_ns_to_cycles(config->poll_ns, config->core_khz);
    a->entry = ALLOC_ARRAY(struct entry, config->entries);
    for (uint32_t i = 0; i < config->entries; i++)
        a->entry[i] = (struct entry){.launcher = a, .kernel = config->kernel[i]};
    a->config.kernel = NULL;
    a->threads = ALLOC_ARRAY(struct thread, config->threads);
    for (uint32_t i = 0; i < config->threads; i++) {
        a->threads[i].size = config->entries / config->threads + 1;
        a->threads[i].ring = ALLOC_ARRAY(uint32_t, a->threads[i].size);
        a->threads[i].next = CYCLE_NEVER;
    }
    a->next = CYCLE_NEVER;
    return a;
}

void armed_destroy(struct armed_launcher *a)
{
    if (!a)
        return;
    for (uint32_t i = 0; i < a->config.threads; i++)
        free(a->threads[i].ring);
    free(a->threads);
    free(a->entry);
    free(a);
}

/* --- the CPU -----------------------------------------------------------------------------------
 */

static void schedule(struct armed_launcher *a, struct thread *t, uint64_t cycle)
{
    uint64_t rounds = cycle > t->since ? (cycle - t->since + a->poll - 1) / a->poll : 0;

    if (t->calling || !t->count)
        return;
    t->next = t->since + rounds * a->poll;
    a->next = t->next < a->next ? t->next : a->next;
}

static void offer(struct armed_launcher *a, uint32_t entry, uint64_t cycle)
{
    struct thread *t = &a->threads[entry % a->config.threads];

    t->ring[(t->head + t->count++) % t->size] = entry;
    if (t->next == CYCLE_NEVER)
        schedule(a, t, cycle);
}

void armed_start(struct armed_launcher *a, uint64_t cycle)
{
    for (uint32_t i = 0; i < a->config.threads; i++)
        a->threads[i].since = cycle;
    for (uint32_t i = 0; i < a->config.entries; i++)
        offer(a, i, cycle);
}

/* --- the GPU's side ----------------------------------------------------------------------------
 */

static void word_came(void *user, uint64_t cycle, uint64_t written)
{
    struct entry *e = user;
    struct armed_launcher *a = e->launcher;

    e->step = ENTRY_RUNNING;
    a->prepared--;
    a->stats.triggered++;
    if (a->ready && a->prepared < a->stats.least)
        a->stats.least = a->prepared;
    if (a->config.triggered)
        a->config.triggered(a->config.user, (uint32_t)(e - a->entry), e->round, written);
    driver_work_done(a->config.driver, cycle, e->wait);
}

static void wait_started(void *user, uint64_t cycle, uint32_t id)
{
    struct entry *e = user;
    struct armed_launcher *a = e->launcher;
    uint32_t n = (uint32_t)(e - a->entry);

    (void)cycle;
    e->wait = id;
    /* There are never more waits than entries. */
    a->config.wait(a->config.user, a->config.words + (uint64_t)n * WORD_BYTES, e->round, word_came,
                   e);
}

static void flag_started(void *user, uint64_t cycle, uint32_t id)
{
    struct entry *e = user;
    struct armed_launcher *a = e->launcher;
    uint32_t n = (uint32_t)(e - a->entry);

    a->config.send(a->config.user, a->config.completion_base + (uint64_t)n * WORD_BYTES,
                   a->config.done_value);
    driver_work_done(a->config.driver, cycle, id);
}

static void flag_seen(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct entry *e = user;
    struct armed_launcher *a = e->launcher;

    (void)times;
    e->step = ENTRY_IDLE;
    offer(a, (uint32_t)(e - a->entry), cycle);
}

/* --- the three calls ---------------------------------------------------------------------------
 */

static void calls_returned(void *user, uint64_t cycle)
{
    struct entry *e = user;
    struct armed_launcher *a = e->launcher;
    struct thread *t = &a->threads[(uint32_t)(e - a->entry) % a->config.threads];

    a->stats.busy_cycles += cycle - t->since;
    a->stats.prepared++;
    t->calling = false;
    t->since = cycle;
    t->next = CYCLE_NEVER;
    schedule(a, t, cycle);
    if (!a->ready && a->stats.prepared == a->config.entries) {
        a->ready = true;
        a->stats.least = a->prepared;
        a->stats.busy_cycles = 0;
        a->config.ready(a->config.user, cycle);
    }
}

static void make_call(struct armed_launcher *a, struct entry *e, uint64_t cycle,
                      struct driver_call *call, const char *label)
{
    uint32_t n = (uint32_t)(e - a->entry), thread = n % a->config.threads;

    call->thread = a->config.first_thread + thread;
    call->stream = a->config.first_stream + n % a->config.streams;
    call->note = (struct driver_note){thread, n % a->config.streams, label};
    call->user = e;
    a->stats.calls++;
    driver_call(a->config.driver, cycle, call);
}

static void prepare(struct armed_launcher *a, struct thread *t, uint64_t cycle)
{
    struct entry *e = &a->entry[t->ring[t->head]];
    struct driver_call wait = {.kind = DRIVER_OP, .started = wait_started};
    struct driver_call kernel = {.kind = DRIVER_LAUNCH, .kernel = e->kernel};
    struct driver_call flag = {
        .kind = DRIVER_OP, .started = flag_started, .returned = calls_returned, .done = flag_seen};

    t->head = t->head + 1 == t->size ? 0 : t->head + 1;
    t->count--;
    t->calling = true;
    t->since = cycle;
    t->next = CYCLE_NEVER;
    e->round++;
    e->step = ENTRY_PREPARED;
    a->prepared++;
    make_call(a, e, cycle, &wait, "wait for data");
    make_call(a, e, cycle, &kernel, NULL);
    make_call(a, e, cycle, &flag, "flag to the device");
}

void armed_tick(struct armed_launcher *a, uint64_t cycle)
{
    a->next = CYCLE_NEVER;
    for (uint32_t i = 0; i < a->config.threads; i++) {
        struct thread *t = &a->threads[i];

        if (!t->calling && t->next <= cycle && driver_room(a->config.driver) < ARMED_CALLS)
            t->next += a->poll;
        if (!t->calling && t->next <= cycle)
            prepare(a, t, cycle);
        else if (!t->calling && t->next < a->next)
            a->next = t->next;
    }
}

uint64_t armed_next_event(const struct armed_launcher *a)
{
    return a->next;
}

void armed_get_stats(const struct armed_launcher *a, struct armed_stats *stats)
{
    *stats = a->stats;
}
