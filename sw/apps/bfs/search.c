#include "sw/apps/bfs/search.h"

#include <string.h>

/* Words that say whether there is another level; a level has one of its own. In `finish` and
 * `overlap` they are in memory with full/empty bits: copies to the host that were called levels
 * before wait for them, and Kernel2Early fills one as soon as it has found a node. Half of the ring
 * is in use while the other half is emptied again. */
#define RING 64u
#define HALF (RING / 2)
/* Copies of words are called so many levels before their kernels, each in a stream of its own: the
 * driver then prepares none between a word and the next level's kernels. */
#define AHEAD 2u

struct masks {
    struct bfs_search *s;
    struct offload offload; /* in: nodes, columns */
    struct app_launch first, second;
    CUdeviceptr mask, updating, visited, cost, ring, blocks;
    uint32_t *more;   /* the host's ring */
    uint32_t *result; /* the host's costs */
    CUstream words[AHEAD];
    CUevent seen[RING], emptied;
    uint32_t asked; /* levels whose word a copy has been called for */
};

struct app_launch bfs_launch(const struct bfs_search *s, const char *kernel)
{
    return (struct app_launch){.kernel = app_kernel(s->app, "bfs", kernel),
                               .grid = {(s->graph->nodes + s->block - 1) / s->block},
                               .block = {s->block}};
}

CUdeviceptr bfs_unreached(const struct bfs_search *s)
{
    memset(s->distance, 0xFF, s->graph->nodes * sizeof(uint32_t));
    s->distance[s->source] = 0;
    return app_buffer(s->app, s->distance, s->graph->nodes * sizeof(uint32_t));
}

static CUdeviceptr byte_mask(const struct bfs_search *s, bool source)
{
    uint8_t *mask = APP_ARRAY(s->app, uint8_t, s->graph->nodes);
    mask[s->source] = source;
    return app_buffer(s->app, mask, s->graph->nodes);
}

static void make_ring(struct masks *m)
{
    bool early = offload_finishes_early(&m->offload);
    m->more = app_pinned(m->s->app, RING, sizeof *m->more);
    memset(m->more, 0, RING * sizeof *m->more);
    if (!early) {
        m->ring = app_buffer(m->s->app, m->more, RING * sizeof *m->more);
        return;
    }
    m->blocks = app_buffer(m->s->app, m->more, sizeof *m->more);
    m->ring = app_empty_buffer(m->s->app, RING * sizeof *m->more);
    APP_CALL(cuMemcpyHtoDAsyncFullEmpty(m->ring, m->more, RING * sizeof *m->more, NULL,
                                        CU_MEMCPY_TRIGGER_NONE, CU_MEMCPY_ACTION_EMPTY));
    for (uint32_t i = 0; i < AHEAD; i++)
        APP_CALL(cuStreamCreate(&m->words[i], CU_STREAM_NON_BLOCKING));
    APP_CALL(cuEventCreate(&m->emptied, CU_EVENT_DISABLE_TIMING));
    for (uint32_t i = 0; i < RING; i++)
        APP_CALL(cuEventCreate(&m->seen[i], CU_EVENT_DISABLE_TIMING));
}

static CUdeviceptr word_of(const struct masks *m, uint32_t level)
{
    return m->ring + level % RING * sizeof *m->more;
}

/* Copies of the words of all levels before `level`. */
static void ask_before(struct masks *m, uint32_t level)
{
    for (; m->asked < level; m->asked++) {
        uint32_t i = m->asked % RING;
        CUstream stream = m->words[m->asked % AHEAD];
        APP_CALL(cuMemcpyDtoHAsyncFullEmpty(&m->more[i], word_of(m, m->asked), sizeof *m->more,
                                            stream, CU_MEMCPY_TRIGGER_FILLED,
                                            CU_MEMCPY_ACTION_NONE));
        APP_CALL(cuEventRecord(m->seen[i], stream));
    }
}

/* Behind the kernels of the level before, which were the last to write that half. */
static void empty_other_half(struct masks *m, uint32_t level)
{
    static const uint32_t zeros[HALF];
    APP_CALL(cuMemcpyHtoDAsyncFullEmpty(word_of(m, level + HALF), zeros, sizeof zeros,
                                        m->offload.stream[0], CU_MEMCPY_TRIGGER_NONE,
                                        CU_MEMCPY_ACTION_EMPTY));
    APP_CALL(cuEventRecord(m->emptied, m->offload.stream[0]));
    for (uint32_t i = 0; i < AHEAD; i++)
        APP_CALL(cuStreamWaitEvent(m->words[i], m->emptied, 0));
}

static void call_kernels(struct masks *m)
{
    uint32_t level = m->s->levels, nodes = m->s->graph->nodes;
    CUstream stream = m->offload.stream[0];
    CUdeviceptr over = word_of(m, level);
    bool early = offload_finishes_early(&m->offload);
    m->first.stream = m->second.stream = stream;
    if (!early) {
        m->more[level % RING] = 0;
        APP_CALL(cuMemcpyHtoDAsync(over, &m->more[level % RING], sizeof *m->more, stream));
    }
    app_launch(&m->first, APP_ARGS(&m->offload.in[0].device, &m->offload.in[1].device, &m->mask,
                                   &m->updating, &m->visited, &m->cost, &nodes));
    if (early)
        app_launch(&m->second,
                   APP_ARGS(&m->mask, &m->updating, &m->visited, &over, &m->blocks, &nodes));
    else
        app_launch(&m->second, APP_ARGS(&m->mask, &m->updating, &m->visited, &over, &nodes));
}

/* Whether the level whose kernels have been called has found another one. */
static bool has_next(struct masks *m)
{
    uint32_t i = m->s->levels % RING;
    if (offload_finishes_early(&m->offload)) {
        APP_CALL(cuEventSynchronize(m->seen[i]));
    } else {
        APP_CALL(
            cuMemcpyDtoHAsync(&m->more[i], word_of(m, i), sizeof *m->more, m->offload.stream[0]));
        APP_CALL(cuStreamSynchronize(m->offload.stream[0]));
    }
    m->s->levels++;
    return m->more[i] != 0;
}

static void search(struct masks *m)
{
    bool early = offload_finishes_early(&m->offload);
    offload_open(&m->offload);
    if (early)
        ask_before(m, AHEAD);
    if (offload_starts_early(&m->offload))
        call_kernels(m);
    double data_ready = offload_wait_for_data(&m->offload);
    offload_copy_in(&m->offload);
    if (!offload_starts_early(&m->offload))
        call_kernels(m);
    while (has_next(m)) {
        uint32_t level = m->s->levels;
        if (early && level % HALF == 0)
            empty_other_half(m, level);
        call_kernels(m);
        if (early)
            ask_before(m, level + AHEAD);
    }
    APP_CALL(cuMemcpyDtoHAsync(m->result, m->cost, m->s->graph->nodes * sizeof *m->result,
                               m->offload.stream[0]));
    APP_CALL(cuStreamSynchronize(m->offload.stream[0]));
    if (early) /* copies of words of levels that there are not */
        APP_CALL(cuMemOverrideFullEmpty(m->ring, RING * sizeof *m->more, CU_MEMCPY_ACTION_FILL));
    offload_close(&m->offload, data_ready);
}

static void free_ring(const struct masks *m)
{
    for (uint32_t i = 0; i < RING; i++)
        APP_CALL(cuEventDestroy(m->seen[i]));
    APP_CALL(cuEventDestroy(m->emptied));
    for (uint32_t i = 0; i < AHEAD; i++)
        APP_CALL(cuStreamDestroy(m->words[i]));
}

void bfs_search_masks(struct bfs_search *s, enum offload_mode mode)
{
    const struct bfs_graph *g = s->graph;
    struct masks m = {.s = s, .offload = offload_create(s->app, mode)};
    m.first = bfs_launch(s, "Kernel");
    m.second = bfs_launch(s, offload_finishes_early(&m.offload) ? "Kernel2Early" : "Kernel2");
    uint32_t *pairs = offload_in(&m.offload, g->nodes * 2 * sizeof *pairs);
    uint32_t *columns = offload_in(&m.offload, g->edges * sizeof *columns);
    m.result = app_pinned(s->app, g->nodes, sizeof *m.result);
    for (uint32_t v = 0; v < g->nodes; v++) {
        pairs[2 * v] = g->rows[v];
        pairs[2 * v + 1] = g->rows[v + 1] - g->rows[v];
    }
    memcpy(columns, g->columns, g->edges * sizeof *columns);
    m.mask = byte_mask(s, true);
    m.visited = byte_mask(s, true);
    m.updating = byte_mask(s, false);
    m.cost = bfs_unreached(s);
    make_ring(&m);
    search(&m);
    memcpy(s->distance, m.result, g->nodes * sizeof *m.result);
    if (offload_finishes_early(&m.offload))
        free_ring(&m);
}
