#include "sw/edge/edge_promise.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "evgpu_defs.h"
#include "sw/edge/edge.h"

#define NS_PER_S 1000000000u

struct registered {
    bool used;
    char name[64];
    uint32_t priority;
    struct edge_promise promise;
};

struct edge_book {
    struct registered kernels[EVG_EKT_ROWS];
    uint32_t places, serial_ns;
};

struct edge_book *edge_book_create(uint32_t places, uint32_t serial_ns)
{
    struct edge_book *book = calloc(1, sizeof *book);
    if (book)
        *book = (struct edge_book){.places = places, .serial_ns = serial_ns};
    return book;
}

void edge_book_destroy(struct edge_book *book)
{
    free(book);
}

static double us(uint64_t ns)
{
    return (double)ns / 1000;
}

/* What the front end needs for events of `other` that come while an event of `of` is under way. */
static uint64_t disturbance(const struct edge_book *book, const struct registered *of,
                            const struct registered *other)
{
    if (other == of || !other->used || !other->promise.p99_ns || other->priority < of->priority)
        return 0;
    uint64_t during = (of->promise.p99_ns * other->promise.rate + NS_PER_S - 1) / NS_PER_S;
    return (other->promise.burst + during) * book->serial_ns;
}

/* The least that could be promised to `of` beside all others in the book. */
static uint64_t least_p99(const struct edge_book *book, const struct registered *of)
{
    uint64_t ns = of->promise.worst_ns;
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++)
        ns += disturbance(book, of, &book->kernels[i]);
    return ns;
}

/* Places that a promise needs, in thousandths. */
static uint64_t places_of(const struct edge_promise *p)
{
    return p->p99_ns ? (uint64_t)p->burst * 1000 + p->rate * p->event_ns / (NS_PER_S / 1000) : 0;
}

static bool check_own(const struct edge_book *book, const struct registered *new,
                      struct edge_error *err)
{
    uint64_t least = least_p99(book, new);
    if (least <= new->promise.p99_ns)
        return true;
    return edge_fail(
        err,
        "%s: p99 of %.1f us is refused: at %u events per second its 99th percentile is "
        "%.1f us under full contention%s; at least %.1f us could be promised",
        new->name, us(new->promise.p99_ns), new->promise.rate, us(new->promise.worst_ns),
        least > new->promise.worst_ns ? ", and other promises' events add to it" : "", us(least));
}

static bool check_earlier(const struct edge_book *book, const struct registered *new,
                          struct edge_error *err)
{
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++) {
        const struct registered *r = &book->kernels[i];
        if (r == new || !r->used || !r->promise.p99_ns)
            continue;
        uint64_t least = least_p99(book, r);
        if (least > r->promise.p99_ns)
            return edge_fail(
                err,
                "%s: p99 of %.1f us at %u events per second, %u at once, is refused: it "
                "would break the promise given to %s (%.1f us, which could become %.1f "
                "us); a lower rate or burst, or a priority below %u, could be promised",
                new->name, us(new->promise.p99_ns), new->promise.rate, new->promise.burst, r->name,
                us(r->promise.p99_ns), us(least), r->priority);
    }
    return true;
}

static bool check_places(const struct edge_book *book, const struct registered *new,
                         struct edge_error *err)
{
    uint64_t all = (uint64_t)book->places * EDGE_PLACES_PERCENT * 10, taken = 0;
    uint64_t burst = (uint64_t) new->promise.burst * 1000;
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++)
        taken += book->kernels[i].used ? places_of(&book->kernels[i].promise) : 0;
    if (taken <= all)
        return true;
    uint64_t others = taken - places_of(&new->promise);
    uint64_t left = all > others + burst ? all - others - burst : 0;
    return edge_fail(
        err,
        "%s: %u events per second, %u at once, are refused: with %.1f us each they take "
        "%.1f places in the cores' event tables, and %.1f of %.1f are free for promises; "
        "%" PRIu64 " events per second could be promised",
        new->name, new->promise.rate, new->promise.burst, us(new->promise.event_ns),
        (double)places_of(&new->promise) / 1000, (double)(all > others ? all - others : 0) / 1000,
        (double)all / 1000, left * (NS_PER_S / 1000) / new->promise.event_ns);
}

/* Event kernels with and without a promise: the first come first, at every time. */
static bool check_order(const struct edge_book *book, const struct registered *new,
                        struct edge_error *err)
{
    for (uint32_t i = 0; i < EVG_EKT_ROWS; i++) {
        const struct registered *r = &book->kernels[i];
        if (r == new || !r->used || !r->promise.p99_ns == !new->promise.p99_ns)
            continue;
        const struct registered *given = new->promise.p99_ns ? new : r;
        const struct registered *other = given == new ? r : new;
        if (other->priority >= given->priority)
            return edge_fail(
                err,
                "%s is refused: %s has a promise (p99 of %.1f us) and priority %u, %s has "
                "none and priority %u, which must be lower",
                new->name, given->name, us(given->promise.p99_ns), given->priority, other->name,
                other->priority);
    }
    return true;
}

static bool check_promise(const struct registered *new, struct edge_error *err)
{
    const struct edge_promise *p = &new->promise;
    if (!p->rate || !p->burst)
        return edge_fail(err, "%s: a promise needs the rate of its events, and how many at once",
                         new->name);
    if (!p->worst_ns || !p->event_ns)
        return edge_fail(err,
                         "%s: a promise needs the kernel's latency and its warps' time, measured "
                         "under full contention (worst_ns, event_ns)",
                         new->name);
    return true;
}

bool edge_book_admit(struct edge_book *book, const char *name, uint32_t priority,
                     const struct edge_promise *promise, uint32_t *entry, struct edge_error *err)
{
    uint32_t i = 0;
    while (i < EVG_EKT_ROWS && book->kernels[i].used)
        i++;
    *entry = i;
    if (i == EVG_EKT_ROWS) /* the event kernel table is full as well, and says so */
        return true;
    struct registered *new = &book->kernels[i];
    *new = (struct registered){.used = true, .priority = priority, .promise = *promise};
    snprintf(new->name, sizeof new->name, "%s", name);
    bool ok = check_order(book, new, err) &&
              (!promise->p99_ns || (check_promise(new, err) && check_own(book, new, err) &&
                                    check_earlier(book, new, err) && check_places(book, new, err)));
    new->used = ok;
    return ok;
}

void edge_book_withdraw(struct edge_book *book, uint32_t entry)
{
    if (entry < EVG_EKT_ROWS)
        book->kernels[entry].used = false;
}
