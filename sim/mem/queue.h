/* The two things that a stage of the memory system is made of: a bounded queue of requests, and a
 * delay line. Both refuse when full, and nothing is allocated after creation. Times are ticks of
 * the owner's clock and only serve the statistics. */
#ifndef EVGPU_MEM_QUEUE_H
#define EVGPU_MEM_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/mem/request.h"

/* Of one queue, or summed over several of the same kind (`size` then, too). */
struct queue_stats {
    uint64_t size;     /* entries it has room for */
    uint64_t entered;  /* requests taken */
    uint64_t occupied; /* entries in use, summed over ticks */
    uint64_t full;     /* ticks in which it was full */
    uint64_t most;     /* entries in use at most */
};

/* Counts how full something of a stated size is. */
struct occupancy {
    struct queue_stats stats;
    uint64_t since; /* tick of the last change */
    uint32_t count;
};

static inline void occupancy_until(struct occupancy *o, uint64_t now)
{
    uint64_t ticks = now - o->since;
    o->stats.occupied += ticks * o->count;
    o->stats.full += o->count >= o->stats.size ? ticks : 0;
    o->since = now;
}

static inline void occupancy_enter(struct occupancy *o, uint64_t now)
{
    occupancy_until(o, now);
    o->stats.entered++;
    if (++o->count > o->stats.most)
        o->stats.most = o->count;
}

static inline void occupancy_leave(struct occupancy *o, uint64_t now)
{
    occupancy_until(o, now);
    o->count--;
}

void queue_stats_sum(struct queue_stats *sum, const struct queue_stats *one);
void queue_stats_add(struct queue_stats *sum, const struct occupancy *o, uint64_t now);

struct request_queue {
    struct mem_request *entry; /* ring */
    uint32_t head;
    struct occupancy use; /* use.count entries are in it */
};

void queue_create(struct request_queue *q, uint32_t size);
void queue_destroy(struct request_queue *q);

static inline bool queue_full(const struct request_queue *q)
{
    return q->use.count == q->use.stats.size;
}

static inline bool queue_empty(const struct request_queue *q)
{
    return !q->use.count;
}

/* Only when it is not full. */
static inline void queue_push(struct request_queue *q, const struct mem_request *r, uint64_t now)
{
    uint32_t size = (uint32_t)q->use.stats.size, at = q->head + q->use.count;
    q->entry[at < size ? at : at - size] = *r;
    occupancy_enter(&q->use, now);
}

/* Only when it is not empty. */
static inline const struct mem_request *queue_head(const struct request_queue *q)
{
    return &q->entry[q->head];
}

static inline void queue_pop(struct request_queue *q, uint64_t now)
{
    q->head = q->head + 1 < q->use.stats.size ? q->head + 1 : 0;
    occupancy_leave(&q->use, now);
}

/* A delay line of `latency` places that moves or stands as a whole. In a tick in which it moves,
 * everything in it goes one place on and one request may enter; while the request at its end cannot
 * leave, it stands, and nothing enters. Empty places are kept, so that it never holds more than
 * what arrived in `latency` moves.
 *
 * A tick of the owner: take line_end away if that is possible; if there still is one, line_stand;
 * otherwise one request may enter. Ticks without an end need no call. */
struct delayed {
    struct mem_request request;
    uint64_t due; /* tick at which it is at the end if the line never stands again */
};

struct delay_line {
    struct delayed *entry; /* ring */
    uint32_t latency, head, count;
    uint64_t stood; /* ticks that it has stood so far; `due` does not count them */
    uint64_t next;  /* first tick in which a request may enter */
};

void line_create(struct delay_line *l, uint32_t latency);
void line_destroy(struct delay_line *l);

/* The request at the end of the line; NULL when there is none. */
static inline const struct mem_request *line_end(const struct delay_line *l, uint64_t now)
{
    const struct delayed *d = &l->entry[l->head];
    return l->count && d->due + l->stood <= now ? &d->request : NULL;
}

static inline void line_leave(struct delay_line *l)
{
    l->head = l->head + 1 < l->latency ? l->head + 1 : 0;
    l->count--;
}

static inline void line_stand(struct delay_line *l)
{
    l->stood++;
}

/* False in the second call of a tick. */
static inline bool line_room(const struct delay_line *l, uint64_t now)
{
    return now >= l->next && l->count < l->latency;
}

/* The request is at the end `latency` - 1 ticks later: at once when latency is 1. */
static inline void line_enter(struct delay_line *l, const struct mem_request *r, uint64_t now)
{
    uint32_t at = l->head + l->count++;
    l->entry[at < l->latency ? at : at - l->latency] =
        (struct delayed){*r, now - l->stood + l->latency - 1};
    l->next = now + 1;
}

/* The request number i from the end, and the tick in which it is there if the line does not stand.
 */
static inline const struct mem_request *line_at(const struct delay_line *l, uint32_t i)
{
    uint32_t at = l->head + i;
    return &l->entry[at < l->latency ? at : at - l->latency].request;
}

static inline uint64_t line_due(const struct delay_line *l, uint32_t i)
{
    uint32_t at = l->head + i;
    return l->entry[at < l->latency ? at : at - l->latency].due + l->stood;
}

/* Tick from which on something is at its end; UINT64_MAX: it is empty. */
static inline uint64_t line_next(const struct delay_line *l)
{
    return l->count ? l->entry[l->head].due + l->stood : UINT64_MAX;
}

#endif
