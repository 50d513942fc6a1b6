/* streamcluster: a stream of points clustered chunk by chunk; a launch for each question what one
 * more centre would save, each answer compared with the host's bit by bit. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/streamcluster/streamcluster.h"

enum { POINTS, DIMENSIONS, CHUNK, LEAST, MOST };

/* Buffers are of one chunk. */
struct device {
    struct app *app;
    struct app_launch cost;
    CUdeviceptr points, coordinates, place, moves;
    bool uploaded; /* its coordinates */
};

/* As the benchmark has it: memory for the savings is allocated for each question, and points and
 * numbers of centres are copied for each, coordinates once for a chunk. */
static void ask(struct device *d, const struct streamcluster_question *q, size_t savings)
{
    const struct streamcluster_chunk *c = q->chunk;
    uint32_t count = c->count, dimensions = c->dimensions, centres = c->centres, x = q->x;
    CUdeviceptr buffer;
    APP_CALL(cuMemAlloc(&buffer, savings * sizeof(float)));
    if (!d->uploaded)
        APP_CALL(cuMemcpyHtoD(d->coordinates, c->by_dimension,
                              (size_t)count * dimensions * sizeof(float)));
    d->uploaded = true;
    APP_CALL(cuMemcpyHtoD(d->place, c->place, count * sizeof *c->place));
    APP_CALL(cuMemcpyHtoD(d->points, c->points, count * sizeof *c->points));
    APP_CALL(cuMemsetD8(d->moves, 0, count));
    APP_CALL(cuMemsetD32(buffer, 0, savings));
    d->cost.grid[0] = (count + STREAMCLUSTER_BLOCK - 1) / STREAMCLUSTER_BLOCK;
    app_launch(&d->cost, APP_ARGS(&count, &dimensions, &x, &d->points, &centres, &d->coordinates,
                                  &buffer, &d->place, &d->moves));
    APP_CALL(cuMemcpyDtoH(q->savings, buffer, savings * sizeof(float)));
    APP_CALL(cuMemcpyDtoH(q->moves, d->moves, count));
    APP_CALL(cuMemFree(buffer));
}

/* The GPU's answer; ends the program if it is not the host's. */
static void answer(void *self, const struct streamcluster_question *q)
{
    struct device *d = self;
    uint32_t count = q->chunk->count;
    size_t savings = (size_t)count * (q->chunk->centres + 1);
    struct streamcluster_question want = {.chunk = q->chunk,
                                          .x = q->x,
                                          .savings = ALLOC_ARRAY(float, savings),
                                          .moves = ALLOC_ARRAY(uint8_t, count)};
    ask(d, q, savings);
    streamcluster_cost(&want);
    bool right = app_equal_floats(d->app, "savings", q->savings, want.savings, savings);
    for (uint32_t i = 0; i < count && right; i++) {
        uint32_t got = q->moves[i], host = want.moves[i];
        right = app_equal(d->app, "moves", &got, &host, 1);
    }
    free(want.savings);
    free(want.moves);
    if (!right)
        exit(app_end(d->app, false));
}

/* Clusters one chunk; its centres go to `coordinates` and `weights`; returns how many. */
static uint32_t cluster(struct streamcluster *s, struct streamcluster_chunk chunk,
                        float *coordinates, float *weights)
{
    struct device *d = s->self;
    size_t values = (size_t)chunk.count * chunk.dimensions;
    APP_CALL(cuMemAlloc(&d->points, chunk.count * sizeof *chunk.points));
    APP_CALL(cuMemAlloc(&d->coordinates, values * sizeof(float)));
    APP_CALL(cuMemAlloc(&d->place, chunk.count * sizeof *chunk.place));
    APP_CALL(cuMemAlloc(&d->moves, chunk.count));
    d->uploaded = false;
    double cost = streamcluster_search(s, &chunk);
    uint32_t centres = streamcluster_centres(&chunk, coordinates, weights);
    APP_CALL(cuMemFree(d->points));
    APP_CALL(cuMemFree(d->coordinates));
    APP_CALL(cuMemFree(d->place));
    APP_CALL(cuMemFree(d->moves));
    streamcluster_chunk_free(&chunk);
    app_figure("centres", centres, "");
    app_figure("cost", cost, "");
    return centres;
}

/* All chunks, and then their centres. */
static void cluster_stream(struct app *app, struct streamcluster *s, uint32_t points,
                           uint32_t chunk)
{
    uint32_t chunks = (points + chunk - 1) / chunk, dimensions = s->dimensions, centres = 0;
    float *input = APP_ARRAY(app, float, (size_t)chunk *dimensions);
    /* A search that gives up leaves as many centres as it has, at most all points. */
    float *coordinates = APP_ARRAY(app, float, (size_t)points *dimensions);
    float *weights = APP_ARRAY(app, float, points);
    for (uint32_t i = 0; i < chunks; i++) {
        uint32_t count = i + 1 < chunks ? chunk : points - i * chunk;
        input_range((uint64_t)app->seed << 32 | i, input, (size_t)count * dimensions, 0.0f, 1.0f);
        centres += cluster(s, streamcluster_chunk_new(input, NULL, count, dimensions),
                           coordinates + (size_t)centres * dimensions, weights + centres);
    }
    cluster(s, streamcluster_chunk_new(coordinates, weights, centres, dimensions), coordinates,
            weights);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [POINTS] = {"points", "points of the stream (Rodinia: 65536)", .number = 1024, .min = 1,
                    .max = 1u << 24},
        [DIMENSIONS] = {"dimensions", "coordinates of a point (Rodinia: 256)", .number = 16,
                        .min = 1, .max = 4096},
        [CHUNK] = {"chunk", "points of a chunk (Rodinia: 65536)", .number = 1024, .min = 1,
                   .max = 1u << 22},
        [LEAST] = {"least", "centres at least (Rodinia: 10)", .number = 3, .min = 1, .max = 10000},
        [MOST] = {"most", "centres at most (Rodinia: 20)", .number = 6, .min = 1, .max = 10000}};
    struct app app = {.name = "streamcluster",
                      .doc = "Online clustering (Rodinia streamcluster): local search on the host, "
                             "and a kernel with blocks of 512 threads, one a point, that says what "
                             "a centre at a point would save; one launch for each such point.",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    uint32_t points = options[POINTS].number, dimensions = options[DIMENSIONS].number;
    uint32_t chunk = options[CHUNK].number < points ? options[CHUNK].number : points;
    if (options[LEAST].number > options[MOST].number)
        app_fail(&app, APP_BAD_INPUT, "--least is %u; it must be at most --most, %u",
                 options[LEAST].number, options[MOST].number);
    if ((uint64_t)chunk * dimensions > 1u << 28)
        app_fail(&app, APP_BAD_INPUT,
                 "a chunk of %u points has %" PRIu64 " coordinates; the most is %u", chunk,
                 (uint64_t)chunk * dimensions, 1u << 28);
    struct device device = {
        .app = &app,
        .cost = {.kernel = app_kernel(&app, "streamcluster", "streamcluster_cost"),
                 .block = {STREAMCLUSTER_BLOCK}}};
    struct streamcluster s = {.dimensions = dimensions,
                              .least = options[LEAST].number,
                              .most = options[MOST].number,
                              .answer = answer,
                              .self = &device};
    rng_seed(&s.rng, app.seed);
    cluster_stream(&app, &s, points, chunk);
    return app_end(&app, true);
}
