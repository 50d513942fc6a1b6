#include "sw/apps/common/offload.h"

#include "sw/cuda/include/cuda_runtime_api.h"

#define AHEAD_NS 200000 /* more than any driver call, launch and start of a kernel together */

const char *const offload_modes[] = {"baseline", "start", "finish", "overlap", NULL};

struct offload offload_create(struct app *app, enum offload_mode mode)
{
    return (struct offload){.app = app, .mode = mode};
}

static void *add(struct offload *o, struct offload_array *array, size_t bytes, bool waits)
{
    *array = (struct offload_array){.host = app_pinned(o->app, bytes, 1),
                                    .device = waits ? app_empty_buffer(o->app, bytes)
                                                    : app_buffer(o->app, NULL, bytes),
                                    .bytes = bytes};
    return array->host;
}

void *offload_in(struct offload *o, size_t bytes)
{
    return add(o, &o->in[o->ins++], bytes, offload_starts_early(o));
}

void *offload_out(struct offload *o, size_t bytes)
{
    return add(o, &o->out[o->outs++], bytes, offload_finishes_early(o));
}

static double now(void)
{
    unsigned long long ns = 0;
    evgpuGetTime(&ns);
    return (double)ns / 1000;
}

double offload_wait_for_data(const struct offload *o)
{
    if (o->mode != OFFLOAD_BASELINE)
        evgpuHostTime(AHEAD_NS);
    return now();
}

void offload_open(struct offload *o)
{
    for (int i = 0; i < 3; i++)
        APP_CALL(cuStreamCreate(&o->stream[i], CU_STREAM_NON_BLOCKING));
    APP_CALL(cuCtxSynchronize());
}

void offload_copy_in(struct offload *o)
{
    bool early = offload_starts_early(o);
    for (uint32_t i = 0; i < o->ins; i++) {
        const struct offload_array *a = &o->in[i];
        if (early)
            APP_CALL(cuMemcpyHtoDAsyncFullEmpty(a->device, a->host, a->bytes, o->stream[1],
                                                CU_MEMCPY_TRIGGER_NONE, CU_MEMCPY_ACTION_FILL));
        else
            APP_CALL(cuMemcpyHtoDAsync(a->device, a->host, a->bytes, o->stream[0]));
    }
}

void offload_copy_out(struct offload *o, CUstream stream)
{
    for (uint32_t i = 0; i < o->outs; i++) {
        const struct offload_array *a = &o->out[i];
        if (offload_finishes_early(o))
            APP_CALL(cuMemcpyDtoHAsyncFullEmpty(a->host, a->device, a->bytes, stream,
                                                CU_MEMCPY_TRIGGER_FILLED, CU_MEMCPY_ACTION_NONE));
        else
            APP_CALL(cuMemcpyDtoHAsync(a->host, a->device, a->bytes, stream));
    }
}

void offload_close(struct offload *o, double data_ready)
{
    app_figure("runtime", now() - data_ready, "us");
    APP_CALL(cuCtxSynchronize());
    for (int i = 0; i < 3; i++)
        APP_CALL(cuStreamDestroy(o->stream[i]));
}

void offload_run(struct offload *o, void (*launch)(void *user, CUstream stream), void *user)
{
    offload_open(o);
    if (offload_starts_early(o))
        launch(user, o->stream[0]);
    if (offload_finishes_early(o))
        offload_copy_out(o, o->stream[2]);
    double data_ready = offload_wait_for_data(o);
    offload_copy_in(o);
    if (!offload_starts_early(o))
        launch(user, o->stream[0]);
    if (!offload_finishes_early(o))
        offload_copy_out(o, o->stream[0]);
    APP_CALL(cuStreamSynchronize(o->stream[offload_finishes_early(o) ? 2 : 0]));
    offload_close(o, data_ready);
}
