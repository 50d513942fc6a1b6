#include "sw/apps/streamcluster/streamcluster.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define TRIES     3   /* times centres times their logarithm: questions of a pass, candidates */
#define COARSE    0.1 /* a pass that saves less than this share is the last */
#define FINE      0.001
#define FIRSTS    1     /* first solutions tried at one price, beyond the very first */
#define NO_LONGER 0.999 /* prices: the low end over the high end at which the search gives up */

struct streamcluster_chunk streamcluster_chunk_new(const float *coordinates, const float *weights,
                                                   uint32_t count, uint32_t dimensions)
{
    size_t values = (size_t)count * dimensions;
    struct streamcluster_chunk c = {.count = count,
                                    .dimensions = dimensions,
                                    .points = ALLOC_ARRAY(struct streamcluster_point, count),
                                    .coordinates = ALLOC_ARRAY(float, values),
                                    .by_dimension = ALLOC_ARRAY(float, values),
                                    .is_centre = ALLOC_ARRAY(bool, count),
                                    .place = ALLOC_ARRAY(uint32_t, count)};
    memcpy(c.coordinates, coordinates, values * sizeof(float));
    for (uint32_t i = 0; i < count; i++)
        c.points[i] = (struct streamcluster_point){.weight = weights ? weights[i] : 1.0f,
                                                   .first = (uint64_t)i * dimensions};
    return c;
}

void streamcluster_chunk_free(struct streamcluster_chunk *c)
{
    free(c->points);
    free(c->coordinates);
    free(c->by_dimension);
    free(c->is_centre);
    free(c->place);
    *c = (struct streamcluster_chunk){0};
}

static float distance(const struct streamcluster_chunk *c, uint32_t a, uint32_t b)
{
    const float *x = c->coordinates + c->points[a].first, *y = c->coordinates + c->points[b].first;
    float sum = 0.0f;
    for (uint32_t d = 0; d < c->dimensions; d++)
        sum = fmaf(x[d] - y[d], x[d] - y[d], sum);
    return sum;
}

void streamcluster_cost(const struct streamcluster_question *q)
{
    const struct streamcluster_chunk *c = q->chunk;
    for (uint32_t i = 0; i < c->count; i++) {
        const struct streamcluster_point *p = &c->points[i];
        float *row = q->savings + (size_t)i * (c->centres + 1);
        float cost = distance(c, i, q->x) * p->weight;
        if (cost < p->cost) {
            q->moves[i] = 1;
            row[c->centres] += cost - p->cost;
        } else {
            row[c->place[p->centre]] += p->cost - cost;
        }
    }
}

/* Random order; what the kernel reads follows it. */
static void shuffle(struct streamcluster *s, struct streamcluster_chunk *c)
{
    for (uint32_t i = 0; i + 1 < c->count; i++) {
        uint32_t j = i + rng_below(&s->rng, c->count - i);
        struct streamcluster_point p = c->points[i];
        c->points[i] = c->points[j];
        c->points[j] = p;
    }
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t d = 0; d < c->dimensions; d++)
            c->by_dimension[(size_t)d * c->count + i] = c->coordinates[c->points[i].first + d];
}

static void join(struct streamcluster_chunk *c, uint32_t i, uint32_t centre)
{
    c->points[i].centre = centre;
    c->points[i].cost = distance(c, i, centre) * c->points[i].weight;
}

static double cost_of_points(const struct streamcluster_chunk *c)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < c->count; i++)
        sum += (double)c->points[i].cost;
    return sum;
}

/* A first solution: a point becomes a centre with the probability of its cost in `price`. */
static double open_some(struct streamcluster *s, struct streamcluster_chunk *c, double price)
{
    memset(c->is_centre, 0, c->count * sizeof *c->is_centre);
    c->is_centre[0] = true;
    c->centres = 1;
    for (uint32_t i = 0; i < c->count; i++)
        join(c, i, 0);
    for (uint32_t x = 1; x < c->count; x++) {
        double chance = (double)rng_below(&s->rng, 1u << 30) / (1u << 30);
        if (chance >= (double)c->points[x].cost / price)
            continue;
        c->is_centre[x] = true;
        c->centres++;
        for (uint32_t i = 0; i < c->count; i++)
            if (distance(c, i, x) * c->points[i].weight < c->points[i].cost)
                join(c, i, x);
    }
    return price * c->centres + cost_of_points(c);
}

/* What closing centre number `number` saves: its price, less what its points lose. */
static double saved_by_closing(const struct streamcluster_question *q, uint32_t number,
                               double price)
{
    for (uint32_t i = 0; i < q->chunk->count; i++)
        price += (double)q->savings[(size_t)i * (q->chunk->centres + 1) + number];
    return price;
}

static void open_centre(struct streamcluster_chunk *c, const struct streamcluster_question *q,
                        const bool *closes)
{
    for (uint32_t i = 0; i < c->count; i++)
        if (q->moves[i] || closes[c->place[c->points[i].centre]])
            join(c, i, q->x);
    uint32_t closed = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->is_centre[i] && closes[c->place[i]]) {
            c->is_centre[i] = false;
            closed++;
        }
    c->is_centre[q->x] = true;
    c->centres += 1 - closed;
}

/* Opens a centre at x, and closes those that are then not worth their price, if that saves cost;
 * returns how much. If x is a centre, it is closed and opened again. */
static double gain(struct streamcluster *s, struct streamcluster_chunk *c, uint32_t x, double price)
{
    uint32_t number = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->is_centre[i])
            c->place[i] = number++;
    struct streamcluster_question q = {.chunk = c,
                                       .x = x,
                                       .savings =
                                           ALLOC_ARRAY(float, (size_t)c->count *(c->centres + 1)),
                                       .moves = ALLOC_ARRAY(uint8_t, c->count)};
    bool *closes = ALLOC_ARRAY(bool, c->centres + 1);
    s->answer(s->self, &q);
    double cost = price;
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->is_centre[i]) {
            double saved = saved_by_closing(&q, c->place[i], price);
            closes[c->place[i]] = saved > 0.0;
            cost -= saved > 0.0 ? saved : 0.0;
        }
        cost += (double)q.savings[(size_t)i * (c->centres + 1) + c->centres];
    }
    if (cost < 0.0)
        open_centre(c, &q, closes);
    else
        cost = 0.0;
    free(q.savings);
    free(q.moves);
    free(closes);
    return -cost;
}

static uint32_t tries(uint32_t centres)
{
    return centres < 2 ? TRIES : (uint32_t)(TRIES * centres * log((double)centres));
}

/* Passes over the candidates, each in another order, until one saves less than `share` of the cost;
 * returns the cost. */
static double improve(struct streamcluster *s, struct streamcluster_chunk *c, uint32_t *candidates,
                      uint32_t count, double price, double cost, double share)
{
    double saved = cost;
    while (saved / cost > share) {
        for (uint32_t i = count; i > 1; i--) {
            uint32_t j = rng_below(&s->rng, i), other = candidates[j];
            candidates[j] = candidates[i - 1];
            candidates[i - 1] = other;
        }
        saved = 0.0;
        for (uint32_t i = 0; i < tries(s->most); i++)
            saved += gain(s, c, candidates[i % count], price);
        cost -= saved;
    }
    return cost;
}

/* Points that may become centres: all, or a sample in which a heavy point is likelier. */
static uint32_t choose_candidates(struct streamcluster *s, const struct streamcluster_chunk *c,
                                  uint32_t *candidates)
{
    uint32_t wanted = tries(s->least);
    if (wanted >= c->count) {
        for (uint32_t i = 0; i < c->count; i++)
            candidates[i] = i;
        return c->count;
    }
    double *upto = ALLOC_ARRAY(double, c->count), sum = 0.0;
    for (uint32_t i = 0; i < c->count; i++)
        upto[i] = sum += (double)c->points[i].weight;
    for (uint32_t k = 0; k < wanted; k++) {
        double at = (double)rng_below(&s->rng, 1u << 30) / (1u << 30) * sum;
        uint32_t low = 0, high = c->count - 1;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            if (upto[middle] > at)
                high = middle;
            else
                low = middle + 1;
        }
        candidates[k] = low;
    }
    free(upto);
    return wanted;
}

/* As many first solutions at falling prices as it takes for `least` centres; a chunk with fewer
 * different points ends at price 0. */
static double first_solution(struct streamcluster *s, struct streamcluster_chunk *c, double *price,
                             double *high)
{
    double cost = open_some(s, c, *price);
    for (uint32_t i = 0; c->centres<s->least && * price> 0.0; i++) {
        if (i >= FIRSTS) {
            *high = *price;
            *price = *high / 2;
            i = 0;
        }
        shuffle(s, c);
        cost = open_some(s, c, *price);
    }
    return cost;
}

/* The price of a centre between 0 and that at which one would do, halved until the number of
 * centres is in the range. */
static void find_price(struct streamcluster *s, struct streamcluster_chunk *c, uint32_t *candidates,
                       double high)
{
    double low = 0.0, price = high / 2, cost = first_solution(s, c, &price, &high);
    uint32_t count = choose_candidates(s, c, candidates);
    for (;;) {
        cost = improve(s, c, candidates, count, price, cost, COARSE);
        if (c->centres <= s->most + 2 && c->centres + 2 >= s->least)
            cost = improve(s, c, candidates, count, price, cost, FINE);
        if (c->centres <= s->most && c->centres >= s->least)
            return;
        if (c->centres > s->most)
            low = price;
        else
            high = price;
        double next = (low + high) / 2;
        if (low >= NO_LONGER * high || next == price)
            return;
        cost += (next - price) * c->centres;
        price = next;
    }
}

double streamcluster_search(struct streamcluster *s, struct streamcluster_chunk *c)
{
    double high = 0.0;
    shuffle(s, c);
    for (uint32_t i = 0; i < c->count; i++)
        high += (double)(distance(c, i, 0) * c->points[i].weight);
    if (c->count <= s->most || high <= 0.0) {
        for (uint32_t i = 0; i < c->count; i++) {
            c->is_centre[i] = true;
            join(c, i, i);
        }
        c->centres = c->count;
        return 0.0;
    }
    uint32_t *candidates = ALLOC_ARRAY(uint32_t, c->count);
    find_price(s, c, candidates, high);
    free(candidates);
    return cost_of_points(c);
}

uint32_t streamcluster_centres(const struct streamcluster_chunk *c, float *coordinates,
                               float *weights)
{
    uint32_t *number = ALLOC_ARRAY(uint32_t, c->count), centres = 0;
    for (uint32_t i = 0; i < c->count; i++)
        if (c->is_centre[i])
            number[i] = centres++;
    memset(coordinates, 0, (size_t)centres * c->dimensions * sizeof(float));
    memset(weights, 0, centres * sizeof(float));
    for (uint32_t i = 0; i < c->count; i++) {
        const struct streamcluster_point *p = &c->points[i];
        uint32_t to = number[p->centre];
        weights[to] += p->weight;
        for (uint32_t d = 0; d < c->dimensions; d++)
            coordinates[(size_t)to * c->dimensions + d] += p->weight * c->coordinates[p->first + d];
    }
    for (size_t i = 0; i < (size_t)centres * c->dimensions; i++)
        coordinates[i] /= weights[i / c->dimensions];
    free(number);
    return centres;
}
