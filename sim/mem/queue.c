#include "sim/mem/queue.h"

#include <stdlib.h>

#include "base/alloc.h"

void queue_create(struct request_queue *q, uint32_t size)
{
    *q = (struct request_queue){.entry = ALLOC_ARRAY(struct mem_request, size)};
    q->use.stats.size = size;
}

void queue_destroy(struct request_queue *q)
{
    free(q->entry);
    q->entry = NULL;
}

void line_create(struct delay_line *l, uint32_t latency)
{
    *l = (struct delay_line){.entry = ALLOC_ARRAY(struct delayed, latency), .latency = latency};
}

void line_destroy(struct delay_line *l)
{
    free(l->entry);
    l->entry = NULL;
}

void queue_stats_sum(struct queue_stats *sum, const struct queue_stats *one)
{
    sum->size += one->size;
    sum->entered += one->entered;
    sum->occupied += one->occupied;
    sum->full += one->full;
    sum->most = one->most > sum->most ? one->most : sum->most;
}

void queue_stats_add(struct queue_stats *sum, const struct occupancy *o, uint64_t now)
{
    struct occupancy until = *o;
    occupancy_until(&until, now);
    queue_stats_sum(sum, &until.stats);
}
