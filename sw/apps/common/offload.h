/* Offloading with and without full/empty bits: the four patterns of Figure 7 of Lustig and
 * Martonosi, "Reducing GPU Offload Latency via Fine-Grained CPU-GPU Synchronization".
 *
 *   baseline  copies in, launches and copies out, in one stream, when the data are ready
 *   start     launches in advance; they wait for the words of the inputs
 *   finish    copies out in advance; they wait for the words of the outputs
 *   overlap   both
 *
 * Data waited for by word is in memory with full/empty bits: inputs in `start` and `overlap`,
 * outputs in `finish` and `overlap`. */
#ifndef EVGPU_SW_OFFLOAD_H
#define EVGPU_SW_OFFLOAD_H

#include "sw/apps/common/app.h"

enum offload_mode { OFFLOAD_BASELINE, OFFLOAD_START, OFFLOAD_FINISH, OFFLOAD_OVERLAP };
extern const char *const offload_modes[];
#define OFFLOAD_OPTION                                                                             \
    {                                                                                              \
        "mode", "pattern of calls, Figure 7 of the full/empty bits paper", APP_CHOICE,             \
            .choices = offload_modes                                                               \
    }

#define OFFLOAD_ARRAYS 4u

struct offload_array {
    void *host; /* pinned */
    CUdeviceptr device;
    size_t bytes;
};

struct offload {
    struct app *app;
    enum offload_mode mode;
    struct offload_array in[OFFLOAD_ARRAYS], out[OFFLOAD_ARRAYS]; /* copied in this order */
    uint32_t ins, outs;
    CUstream stream[3]; /* kernels; copies in; copies out that are called in advance */
};

struct offload offload_create(struct app *app, enum offload_mode mode);

/* One more array; the host's side. */
void *offload_in(struct offload *o, size_t bytes);
void *offload_out(struct offload *o, size_t bytes);

static inline bool offload_starts_early(const struct offload *o)
{
    return o->mode == OFFLOAD_START || o->mode == OFFLOAD_OVERLAP;
}

static inline bool offload_finishes_early(const struct offload *o)
{
    return o->mode == OFFLOAD_FINISH || o->mode == OFFLOAD_OVERLAP;
}

/* The host does something else until what was called in advance is where it can be; then the data
 * are ready. Simulated time in microseconds. */
double offload_wait_for_data(const struct offload *o);

/* Streams and one run; `launch` calls the kernels in the stream. Prints the figure `runtime`: from
 * the call that is made when the data are ready to the end of the last copy (section 2.3). */
void offload_run(struct offload *o, void (*launch)(void *user, CUstream stream), void *user);

/* For applications whose calls are their own. */
void offload_open(struct offload *o);
void offload_copy_in(struct offload *o);
void offload_copy_out(struct offload *o, CUstream stream);
void offload_close(struct offload *o, double data_ready);

#endif
