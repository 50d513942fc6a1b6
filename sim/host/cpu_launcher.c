#include "sim/host/cpu_launcher.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/host/rate.h"

#define WORD_BYTES 4u /* of a signal and of a completion flag */
#define KERNELS    2u /* of an entry, at most */

enum entry_state { ENTRY_FREE, ENTRY_SIGNALLED, ENTRY_LAUNCHED, ENTRY_DONE };

struct entry {
    struct launcher *launcher; /* so that a call's user pointer can be the entry */
    enum entry_state state;
    uint64_t since; /* cycle at which it became signalled or done */
    uint64_t called[KERNELS];
    uint32_t calls, ended; /* of its kernels */
};

/* Entries in the order in which they came. */
struct queue {
    uint32_t *entries;
    uint32_t size, head, count;
};

enum thread_state { POLLING, CALLING, PACKET, NOTIFYING };

struct thread {
    enum thread_state state;
    uint64_t since;                /* POLLING: cycle of the first poll; CALLING: of the call */
    uint64_t until;                /* PACKET, NOTIFYING */
    uint64_t next;                 /* POLLING with work: the poll that will notice it */
    uint32_t entry;                /* PACKET, NOTIFYING */
    uint32_t next_stream[KERNELS]; /* of this thread's streams */
    struct queue signalled, done;
};

struct launcher {
    struct launcher_config config;
    uint64_t poll, notify, packet_time;
    struct entry *entry;
    struct driver_kernel *kernel;
    uint8_t *packets;
    struct thread *threads;
    uint32_t outstanding; /* entries not free */
    uint64_t next;
    struct launcher_stats stats;
    struct histogram notice, launch, total;
};

static bool check_config(const struct launcher_config *c, struct error *err)
{
    if (c->threads == 0 || c->threads > 64)
        return error_set(err, "CPU launcher: there must be 1 to 64 threads, not %u", c->threads);
    if (!c->queue && (c->streams < c->threads || c->streams > 64))
        return error_set(err, "CPU launcher: there must be %u (threads) to 64 streams, not %u",
                         c->threads, c->streams);
    if (c->kernels > 1 && (c->then_streams < c->threads || c->then_streams > 64))
        return error_set(
            err, "CPU launcher: second kernels must have %u (threads) to 64 streams, not %u",
            c->threads, c->then_streams);
    if (c->kernels == 0 || c->kernels > (c->queue ? 1 : KERNELS))
        return error_set(err, "CPU launcher: an entry cannot have %u kernels", c->kernels);
    if (c->entries == 0 || c->entries > 65536)
        return error_set(err, "CPU launcher: the queue must have 1 to 65536 entries, not %u",
                         c->entries);
    if (c->core_khz == 0 || rate_ns_to_cycles(c->poll_ns, c->core_khz) == 0)
        return error_set(err, "CPU launcher: a polling round must take at least one cycle");
    return true;
}

static struct queue queue_make(uint32_t size)
{
    return (struct queue){.entries = ALLOC_ARRAY(uint32_t, size), .size = size};
}

static void queue_push(struct queue *q, uint32_t entry)
{
    q->entries[(q->head + q->count++) % q->size] = entry;
}

static uint32_t queue_pop(struct queue *q)
{
    uint32_t entry = q->entries[q->head];

    q->head = q->head + 1 == q->size ? 0 : q->head + 1;
    q->count--;
    return entry;
}

static void copy_kernels(struct launcher *l)
{
    const struct launcher_config *c = &l->config;

    if (c->queue) {
        l->packets = ALLOC_ARRAY(uint8_t, (size_t)c->entries * AQL_PACKET_BYTES);
        memcpy(l->packets, c->packet, (size_t)c->entries * AQL_PACKET_BYTES);
        return;
    }
    uint32_t kernels = c->kernels * c->entries;
    l->kernel = ALLOC_ARRAY(struct driver_kernel, kernels);
    for (uint32_t i = 0; i < kernels; i++)
        l->kernel[i] = c->kernel[i];
}

struct launcher *launcher_create(const struct launcher_config *config, struct error *err)
{
    if (!check_config(config, err))
        return NULL;

    struct launcher *l = ALLOC(struct launcher);

    l->config = *config;
    l->poll = rate_ns_to_cycles(config->poll_ns, config->core_khz);
    l->notify = rate_ns_to_cycles(config->notify_ns, config->core_khz);
    l->packet_time = rate_ns_to_cycles(config->packet_ns, config->core_khz);
    l->entry = ALLOC_ARRAY(struct entry, config->entries);
    for (uint32_t i = 0; i < config->entries; i++)
        l->entry[i].launcher = l;
    copy_kernels(l);
    l->threads = ALLOC_ARRAY(struct thread, config->threads);
    for (uint32_t i = 0; i < config->threads; i++) {
        uint32_t own = config->entries / config->threads + 1;

        l->threads[i].signalled = queue_make(own);
        l->threads[i].done = queue_make(own);
        for (uint32_t k = 0; k < KERNELS; k++)
            l->threads[i].next_stream[k] = i;
        l->threads[i].next = CYCLE_NEVER;
    }
    l->next = CYCLE_NEVER;
    return l;
}

void launcher_destroy(struct launcher *l)
{
    if (!l)
        return;
    for (uint32_t i = 0; i < l->config.threads; i++) {
        free(l->threads[i].signalled.entries);
        free(l->threads[i].done.entries);
    }
    free(l->threads);
    free(l->entry);
    free(l->kernel);
    free(l->packets);
    histogram_free(&l->notice);
    histogram_free(&l->launch);
    histogram_free(&l->total);
    free(l);
}

static void wake(struct launcher *l, uint64_t cycle)
{
    if (cycle < l->next)
        l->next = cycle;
}

/* A polling thread that has work notices it at its first poll at or after `cycle`. */
static void schedule_poll(struct launcher *l, struct thread *t, uint64_t cycle)
{
    uint64_t rounds = cycle > t->since ? (cycle - t->since + l->poll - 1) / l->poll : 0;

    t->next = t->since + rounds * l->poll;
    wake(l, t->next);
}

static void start_polling(struct launcher *l, struct thread *t, uint64_t cycle)
{
    t->state = POLLING;
    t->since = cycle;
    t->next = CYCLE_NEVER;
    if (t->signalled.count || t->done.count)
        schedule_poll(l, t, cycle);
}

/* Work for a thread has come in. */
static void offer(struct launcher *l, struct thread *t, struct queue *q, uint32_t entry,
                  uint64_t cycle)
{
    queue_push(q, entry);
    l->entry[entry].since = cycle;
    if (t->state == POLLING && t->next == CYCLE_NEVER)
        schedule_poll(l, t, cycle);
}

static struct thread *thread_of(struct launcher *l, uint32_t entry)
{
    return &l->threads[entry % l->config.threads];
}

static bool host_write(void *user, uint64_t cycle, const struct pcie_write *write)
{
    struct launcher *l = *(struct launcher **)user;
    uint64_t offset = write->address - l->config.signal_base;
    uint32_t entry = (uint32_t)(offset / WORD_BYTES);

    if (write->bytes != WORD_BYTES || offset % WORD_BYTES ||
        offset / WORD_BYTES >= l->config.entries || l->entry[entry].state != ENTRY_FREE) {
        l->stats.bad_signals++;
        return true;
    }
    l->entry[entry].state = ENTRY_SIGNALLED;
    l->outstanding++;
    offer(l, thread_of(l, entry), &thread_of(l, entry)->signalled, entry, cycle);
    return true;
}

void launcher_endpoint(struct pcie_endpoint *endpoint, struct launcher **launcher)
{
    endpoint->user = launcher;
    endpoint->deliver_write = host_write;
    endpoint->deliver_read = NULL;
    endpoint->deliver_completion = NULL;
}

static void call_returned(void *user, uint64_t cycle)
{
    struct entry *e = user;
    struct launcher *l = e->launcher;
    struct thread *t = thread_of(l, (uint32_t)(e - l->entry));

    l->stats.busy_cycles += cycle - t->since;
    start_polling(l, t, cycle);
}

static void kernel_done(void *user, uint64_t cycle, const struct driver_times *times)
{
    struct entry *e = user;
    struct launcher *l = e->launcher;
    uint32_t entry = (uint32_t)(e - l->entry);

    histogram_add(&l->launch, times->started - times->called);
    if (++e->ended < l->config.kernels && l->config.together)
        return;
    e->state = ENTRY_DONE;
    offer(l, thread_of(l, entry), &thread_of(l, entry)->done, entry, cycle);
}

/* Makes the asynchronous launch call of the entry's next kernel; false when the driver takes no
 * more calls for now. */
static bool call_driver(struct launcher *l, struct thread *t, uint64_t cycle, uint32_t entry)
{
    struct entry *e = &l->entry[entry];
    uint32_t kernel = e->calls, first = kernel ? l->config.streams : 0;
    uint32_t streams = kernel ? l->config.then_streams : l->config.streams;
    uint32_t turn = t->next_stream[kernel], stream = first + turn;
    struct driver_call call = {.kind = DRIVER_LAUNCH,
                               .thread = l->config.first_thread + (uint32_t)(t - l->threads),
                               .stream = l->config.first_stream + stream,
                               .kernel = l->kernel[kernel * l->config.entries + entry],
                               .note = {.thread = (uint32_t)(t - l->threads), .stream = stream},
                               .returned = call_returned,
                               .done = kernel_done,
                               .user = e};

    t->state = CALLING;
    t->since = cycle;
    if (!driver_call(l->config.driver, cycle, &call))
        return false;
    t->next_stream[kernel] =
        turn + l->config.threads < streams ? turn + l->config.threads : (uint32_t)(t - l->threads);
    e->state = ENTRY_LAUNCHED;
    e->called[e->calls++] = cycle;
    l->stats.launches++;
    if (!kernel)
        histogram_add(&l->notice, cycle - e->since);
    return true;
}

/* Begins to write the entry's packet. */
static void write_packet(struct launcher *l, struct thread *t, uint64_t cycle, uint32_t entry)
{
    t->state = PACKET;
    t->since = cycle;
    t->until = cycle + l->packet_time;
    t->entry = entry;
    histogram_add(&l->notice, cycle - l->entry[entry].since);
}

/* The packet is written; false: the queue or the link has no room. */
static bool ring(struct launcher *l, struct thread *t, uint64_t cycle)
{
    struct entry *e = &l->entry[t->entry];

    if (!user_queue_push(l->config.queue, cycle, l->packets + (size_t)t->entry * AQL_PACKET_BYTES))
        return false;
    e->state = ENTRY_LAUNCHED;
    e->called[e->calls++] = t->since;
    l->stats.launches++;
    l->stats.busy_cycles += cycle - t->since;
    return true;
}

void launcher_signalled(struct launcher *l, uint64_t cycle, uint32_t entry)
{
    if (entry >= l->config.entries || l->entry[entry].state != ENTRY_LAUNCHED) {
        l->stats.bad_signals++;
        return;
    }
    l->entry[entry].state = ENTRY_DONE;
    offer(l, thread_of(l, entry), &thread_of(l, entry)->done, entry, cycle);
}

static bool launch(struct launcher *l, struct thread *t, uint64_t cycle, uint32_t entry)
{
    if (!l->config.queue)
        return call_driver(l, t, cycle, entry);
    write_packet(l, t, cycle, entry);
    return true;
}

/* Launches a kernel of the entry in front, if not now, then at the next poll. */
static void launch_front(struct launcher *l, struct thread *t, uint64_t cycle, struct queue *q)
{
    uint32_t entry = q->entries[q->head];

    if (!launch(l, t, cycle, entry)) {
        t->state = POLLING;
        t->since = cycle;
        t->next = cycle + l->poll;
    } else if (!l->config.together || l->entry[entry].calls == l->config.kernels) {
        queue_pop(q);
    }
}

/* A poll that finds work: completions first, so that entries become free again. */
static void take_work(struct launcher *l, struct thread *t, uint64_t cycle)
{
    if (!t->done.count) {
        launch_front(l, t, cycle, &t->signalled);
        return;
    }
    if (l->entry[t->done.entries[t->done.head]].calls < l->config.kernels) {
        launch_front(l, t, cycle, &t->done);
        return;
    }
    t->entry = queue_pop(&t->done);
    histogram_add(&l->total, cycle - l->entry[t->entry].called[0]);
    t->state = NOTIFYING;
    t->until = cycle + l->notify;
    l->stats.busy_cycles += l->notify;
}

static bool tell_nic(struct launcher *l, uint64_t cycle, uint32_t entry)
{
    uint32_t value = l->config.done_value;
    uint8_t data[WORD_BYTES] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16),
                                (uint8_t)(value >> 24)};
    struct pcie_write write = {.address = l->config.completion_base + (uint64_t)entry * WORD_BYTES,
                               .data = data,
                               .bytes = sizeof data,
                               .from = l->config.host,
                               .to = l->config.nic,
                               .bar = PCIE_BAR_MEMORY};

    if (!pcie_write(l->config.nic_link, cycle, &write))
        return false;
    l->entry[entry].state = ENTRY_FREE;
    l->entry[entry].calls = l->entry[entry].ended = 0;
    l->outstanding--;
    l->stats.completions++;
    return true;
}

static void tick_thread(struct launcher *l, struct thread *t, uint64_t cycle)
{
    for (;;) {
        if (t->state == NOTIFYING && t->until <= cycle) {
            if (!tell_nic(l, cycle, t->entry)) {
                t->until = cycle + 1;
                return;
            }
            start_polling(l, t, cycle);
        } else if (t->state == PACKET && t->until <= cycle) {
            if (!ring(l, t, cycle)) {
                t->until = cycle + 1;
                return;
            }
            start_polling(l, t, cycle);
        } else if (t->state == POLLING && t->next <= cycle) {
            take_work(l, t, cycle);
        } else {
            return;
        }
    }
}

void launcher_tick(struct launcher *l, uint64_t cycle)
{
    l->next = CYCLE_NEVER;
    for (uint32_t i = 0; i < l->config.threads; i++) {
        struct thread *t = &l->threads[i];

        tick_thread(l, t, cycle);
        if (t->state == NOTIFYING || t->state == PACKET)
            wake(l, t->until);
        else if (t->state == POLLING)
            wake(l, t->next);
    }
}

uint64_t launcher_next_event(const struct launcher *l)
{
    return l->next;
}

bool launcher_idle(const struct launcher *l)
{
    return l->outstanding == 0;
}

uint64_t launcher_called(const struct launcher *l, uint32_t entry, uint32_t kernel)
{
    return l->entry[entry].called[kernel];
}

void launcher_get_stats(const struct launcher *l, struct launcher_stats *stats)
{
    *stats = l->stats;
    stats->notice = &l->notice;
    stats->launch = &l->launch;
    stats->total = &l->total;
}
