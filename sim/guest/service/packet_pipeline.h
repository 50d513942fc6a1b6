/* A service of two kernels: NIC, first kernel, second kernel, NIC, without a CPU in between where
 * doorbells launch them. Four ways, by the settings launch and hand:
 *
 *   launch  hand    the second kernel of a batch
 *   cpu     batch   is launched by the CPU, which has learned of the end of the first one
 *   edge    batch   is launched by a doorbell that the first one's last warp rings
 *   cpu     words   is launched by the CPU directly behind the first one, and waits for words
 *   edge    words   is launched by a second doorbell of the NIC, and waits for words
 *
 * What the first kernel hands on, and in which order its warps ring: sw/services/common/pipeline.h.
 *
 * A second kernel that waits has a warp, which it may have borrowed from a background block, and
 * its loads have places in the queues of memory with full/empty bits. It can never keep the first
 * one, of two or more warps, from what that needs:
 *   - room on a core: at most pipeline_waiting second kernels wait, fewer than there are cores. So
 * one core has none; nothing holds up the background blocks there, which end, and the blocks of
 * events take the first room on any core;
 *   - a dispatch slot, for the same reason: there are fewer than slots;
 *   - its warps: no event borrows those of another one;
 *   - a stream, where the CPU launches: second kernels have streams of their own;
 *   - memory: it loads nothing from such memory, and its stores have a queue of their own.
 * So the first one always ends, and with it the wait. Several such services share cores and slots;
 * what their sum may still hold up ends with the time-out of full/empty words. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_PIPELINE_H
#define EVGPU_GUEST_SERVICE_PACKET_PIPELINE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/histogram.h"
#include "sim/gpu/gpu.h"
#include "sim/host/nic.h"
#include "sim/simt/counters.h"

struct grid;
struct packet_service;
struct packet_pipeline;

#define PIPELINE_KERNELS 2u

struct pipeline_figures {
    struct histogram runtime[PIPELINE_KERNELS]; /* of each kernel, cycles */
    struct histogram behind; /* the first one's last instruction to the second one's */
    struct grid_counters counts[PIPELINE_KERNELS];
};

/* Records and module, in s->pipeline; before the first kernel's launches are made. */
bool packet_pipeline_create(struct packet_service *s, struct error *err);
/* The second one's, behind them. */
bool packet_pipeline_make_launches(struct packet_pipeline *p, struct error *err);
void packet_pipeline_destroy(struct packet_pipeline *p);

/* Streams of second kernels that the CPU launches; 0: there are none. */
uint32_t packet_pipeline_streams(const struct packet_service *s);

/* The records of an entry, and how many bytes. */
uint64_t packet_pipeline_records(const struct packet_pipeline *p, uint32_t entry, uint64_t *bytes);
/* struct pipeline_queue; 0: the first kernel rings no doorbell. */
uint64_t packet_pipeline_queue_address(const struct packet_pipeline *p);
/* The NIC's second doorbell; link NULL: it has none. */
struct nic_signal packet_pipeline_signal(const struct packet_pipeline *p);

/* An event is one of the second kernel; NULL: no event is. */
bool packet_pipeline_is_second(const struct packet_pipeline *p, const struct event_times *event);

/* Of the second kernel, per thread; `p` may be NULL. */
uint32_t packet_pipeline_registers(const struct packet_pipeline *p);

/* What a kernel that the CPU has launched has cost. */
void packet_pipeline_count(struct packet_pipeline *p, uint32_t kernel, const struct grid *grid);
/* After the run: figures of events, and of all batches. */
void packet_pipeline_collect(struct packet_pipeline *p);
void packet_pipeline_free_figures(struct pipeline_figures *f);

void packet_pipeline_print(const struct packet_pipeline *p, FILE *to);
json_t *packet_pipeline_json(const struct packet_pipeline *p);

#endif
