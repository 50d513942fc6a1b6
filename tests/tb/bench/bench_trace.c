#include "tests/tb/bench/bench_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"

struct bench_trace {
    struct tile_trace *file;
    uint64_t step;
};

static bool begun;

static void end_file(struct bench_trace *trace)
{
    struct error err = {0};
    if (!tile_trace_close(trace->file, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
}

struct bench_trace *bench_trace_begin(struct tile *tile)
{
    const char *path = getenv("EVGPU_TRACE");
    if (!path || begun)
        return NULL;
    begun = true;
    struct bench_trace *trace = ALLOC(struct bench_trace);
    struct error err = {0};
    trace->file = tile_trace_create(TILE_TRACE_GHZ);
    if (!tile_trace_add(trace->file, tile, &err) || !tile_trace_open(trace->file, path, &err)) {
        fprintf(stderr, "%s\n", err.text);
        exit(1);
    }
    return trace;
}

void bench_trace_step(struct bench_trace *trace)
{
    if (!trace || trace->step == BENCH_TRACE_STEPS)
        return;
    tile_trace_dump(trace->file, trace->step++);
    if (trace->step == BENCH_TRACE_STEPS)
        end_file(trace);
}

void bench_trace_end(struct bench_trace *trace)
{
    if (!trace)
        return;
    if (trace->step < BENCH_TRACE_STEPS)
        end_file(trace);
    tile_trace_destroy(trace->file);
    free(trace);
}
