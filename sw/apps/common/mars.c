#include "sw/apps/common/mars.h"

#define BLOCK      256u /* Mars's default, in mars.cuh */
#define SCAN       (2 * BLOCK)
#define STEPS_UPTO 262144u

const char *const mars_sorts[] = {"auto", "steps", "chunks", NULL};

/* What the first pass of map or reduce has counted, then where the second one writes. */
struct counts {
    CUdeviceptr key_bytes, value_bytes, records;
};

static CUdeviceptr words(struct mars *mars, uint32_t count)
{
    return app_buffer(mars->app, NULL, (size_t)(count ? count : 1) * sizeof(uint32_t));
}

static CUdeviceptr bytes_of(struct mars *mars, uint32_t bytes)
{
    return app_buffer(mars->app, NULL, bytes ? bytes : 1);
}

static void launch(struct mars *mars, const char *kernel, uint32_t blocks, void **arguments)
{
    struct app_launch l = {.kernel = app_kernel(mars->app, mars->app->name, kernel),
                           .grid = {blocks},
                           .block = {BLOCK}};
    if (blocks == 0)
        return;
    app_launch(&l, arguments);
    mars->launches++;
}

static uint32_t blocks_for(uint32_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

/* Exclusive prefix sums in place: blocks, then the blocks' sums, then both together. */
static void scan(struct mars *mars, CUdeviceptr data, uint32_t count)
{
    uint32_t blocks = (count + SCAN - 1) / SCAN;
    CUdeviceptr totals = words(mars, blocks);
    launch(mars, "mars_scan", blocks, APP_ARGS(&data, &data, &totals, &count));
    if (blocks <= 1)
        return;
    scan(mars, totals, blocks);
    launch(mars, "mars_scan_add", blocks, APP_ARGS(&data, &totals, &count));
}

/* The same, and the sum of all. */
static uint32_t places(struct mars *mars, CUdeviceptr data, uint32_t count)
{
    uint32_t last = 0, before = 0;
    CUdeviceptr at = data + (CUdeviceptr)(count - 1) * sizeof(uint32_t);
    if (count == 0)
        return 0;
    APP_CALL(cuMemcpyDtoH(&last, at, sizeof last));
    scan(mars, data, count);
    APP_CALL(cuMemcpyDtoH(&before, at, sizeof before));
    return before + last;
}

struct mars mars_create(struct app *app, const char *text, size_t bytes, enum mars_sort sort)
{
    struct mars mars = {.app = app, .sort = sort};
    mars.context.text = app_buffer(app, bytes ? text : NULL, bytes ? bytes : 1);
    return mars;
}

struct mars_set mars_upload(struct mars *mars, const struct mars_list *list)
{
    struct mars_record *directory = APP_ARRAY(mars->app, struct mars_record, list->count);
    for (uint32_t i = 0; i < list->count; i++)
        directory[i] = (struct mars_record){i * list->key_bytes, list->key_bytes,
                                            i * list->value_bytes, list->value_bytes};
    struct mars_set set = {.count = list->count};
    if (list->count == 0)
        return set;
    set.keys = app_buffer(mars->app, list->keys, (size_t)list->count * list->key_bytes);
    set.values = app_buffer(mars->app, list->values, (size_t)list->count * list->value_bytes);
    set.directory = app_buffer(mars->app, directory, list->count * sizeof *directory);
    return set;
}

static struct counts make_counts(struct mars *mars, uint32_t threads)
{
    return (struct counts){words(mars, threads), words(mars, threads), words(mars, threads)};
}

static struct mars_set make_output(struct mars *mars, const struct counts *counts, uint32_t threads)
{
    struct mars_set out;
    out.keys = bytes_of(mars, places(mars, counts->key_bytes, threads));
    out.values = bytes_of(mars, places(mars, counts->value_bytes, threads));
    out.count = places(mars, counts->records, threads);
    out.directory = bytes_of(mars, out.count * (uint32_t)sizeof(struct mars_record));
    return out;
}

struct mars_set mars_map(struct mars *mars, const struct mars_set *in)
{
    struct mars_set from = *in;
    struct counts c = make_counts(mars, from.count);
    launch(mars, "mars_map_count", blocks_for(from.count),
           APP_ARGS(&mars->context, &from.keys, &from.values, &from.directory, &c.key_bytes,
                    &c.value_bytes, &c.records, &from.count));
    struct mars_set out = make_output(mars, &c, from.count);
    launch(mars, "mars_map", blocks_for(from.count),
           APP_ARGS(&mars->context, &from.keys, &from.values, &from.directory, &c.key_bytes,
                    &c.value_bytes, &c.records, &out.keys, &out.values, &out.directory,
                    &from.count));
    return out;
}

static void sort_steps(struct mars *mars, const struct mars_set *set, CUdeviceptr sorted,
                       uint32_t padded)
{
    CUdeviceptr keys = set->keys;
    for (uint32_t run = 2; run <= padded; run *= 2)
        for (uint32_t distance = run / 2; distance; distance /= 2)
            launch(mars, "mars_sort_step", padded / BLOCK,
                   APP_ARGS(&mars->context, &keys, &sorted, &run, &distance));
}

static void sort_chunks(struct mars *mars, const struct mars_set *set, CUdeviceptr sorted,
                        uint32_t padded)
{
    CUdeviceptr keys = set->keys;
    uint32_t first = 2, last = BLOCK;
    launch(mars, "mars_sort_chunk", padded / BLOCK,
           APP_ARGS(&mars->context, &keys, &sorted, &first, &last));
    for (uint32_t run = 2 * BLOCK; run <= padded; run *= 2) {
        for (uint32_t distance = run / 2; distance >= BLOCK; distance /= 2)
            launch(mars, "mars_sort_step", padded / BLOCK,
                   APP_ARGS(&mars->context, &keys, &sorted, &run, &distance));
        launch(mars, "mars_sort_chunk", padded / BLOCK,
               APP_ARGS(&mars->context, &keys, &sorted, &run, &run));
    }
}

/* Sorted directory; keys and values follow it. */
static void sort(struct mars *mars, struct mars_set *set)
{
    uint32_t padded = BLOCK;
    while (padded < set->count)
        padded *= 2;
    struct mars_record first;
    struct mars_set out = {.count = set->count};
    APP_CALL(cuMemcpyDtoH(&first, set->directory, sizeof first));
    out.directory = bytes_of(mars, padded * (uint32_t)sizeof(struct mars_record));
    out.keys = bytes_of(mars, set->count * first.key_bytes);
    out.values = bytes_of(mars, set->count * first.value_bytes);
    launch(mars, "mars_pad", padded / BLOCK,
           APP_ARGS(&set->directory, &out.directory, &set->count, &padded));
    bool chunks = mars->sort == MARS_SORT_CHUNKS || padded == BLOCK ||
                  (mars->sort == MARS_SORT_AUTO && set->count > STEPS_UPTO);
    (chunks ? sort_chunks : sort_steps)(mars, set, out.directory, padded);
    launch(mars, "mars_copy", blocks_for(set->count),
           APP_ARGS(&set->keys, &set->values, &out.directory, &out.keys, &out.values, &set->count));
    *set = out;
}

struct mars_groups mars_group(struct mars *mars, struct mars_set *set)
{
    struct mars_groups groups = {.starts = words(mars, set->count + 1)};
    uint32_t count = set->count;
    if (count == 0) {
        APP_CALL(cuMemsetD32(groups.starts, 0, 1));
        return groups;
    }
    sort(mars, set);
    CUdeviceptr flags = words(mars, count), numbers = words(mars, count);
    launch(mars, "mars_flags", blocks_for(count),
           APP_ARGS(&mars->context, &set->keys, &set->directory, &flags, &count));
    APP_CALL(cuMemcpyDtoD(numbers, flags, count * sizeof(uint32_t)));
    groups.count = places(mars, numbers, count);
    launch(mars, "mars_starts", blocks_for(count),
           APP_ARGS(&flags, &numbers, &groups.starts, &count));
    return groups;
}

struct mars_set mars_reduce(struct mars *mars, const struct mars_set *in,
                            const struct mars_groups *groups)
{
    struct mars_set from = *in;
    CUdeviceptr starts = groups->starts;
    uint32_t count = groups->count;
    struct counts c = make_counts(mars, count);
    launch(mars, "mars_reduce_count", blocks_for(count),
           APP_ARGS(&mars->context, &from.keys, &from.values, &from.directory, &starts,
                    &c.key_bytes, &c.value_bytes, &c.records, &count));
    struct mars_set out = make_output(mars, &c, count);
    launch(mars, "mars_reduce", blocks_for(count),
           APP_ARGS(&mars->context, &from.keys, &from.values, &from.directory, &starts,
                    &c.key_bytes, &c.value_bytes, &c.records, &out.keys, &out.values,
                    &out.directory, &count));
    return out;
}

struct mars_list mars_download(struct mars *mars, const struct mars_set *set, uint32_t key_bytes,
                               uint32_t value_bytes)
{
    struct mars_list list = {
        .key_bytes = key_bytes, .value_bytes = value_bytes, .count = set->count};
    list.keys = app_memory(mars->app, set->count, key_bytes);
    list.values = app_memory(mars->app, set->count, value_bytes);
    if (set->count == 0)
        return list;
    APP_CALL(cuMemcpyDtoH(list.keys, set->keys, (size_t)set->count * key_bytes));
    APP_CALL(cuMemcpyDtoH(list.values, set->values, (size_t)set->count * value_bytes));
    return list;
}

uint32_t *mars_download_starts(struct mars *mars, const struct mars_groups *groups)
{
    uint32_t *starts = APP_ARRAY(mars->app, uint32_t, (size_t)groups->count + 1);
    APP_CALL(cuMemcpyDtoH(starts, groups->starts, ((size_t)groups->count + 1) * sizeof(uint32_t)));
    return starts;
}
