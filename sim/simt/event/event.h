/* The event unit's side of a core: the port of the sm_event_unit tile, events on warp slots and the
 * victims under them, and the save area. The interface of the room event/, which knows pipeline/,
 * lsu/ and warp/. */
#ifndef EVGPU_SIMT_EVENT_EVENT_H
#define EVGPU_SIMT_EVENT_EVENT_H

#include "sim/simt/event/answers.h"
#include "sim/simt/event/event_port.h"
#include "sim/simt/event/event_run.h"
#include "sim/simt/event/transfer.h"
#include "sim/simt/pipeline/pipeline.h"

struct event_unit {
    struct slots *slots;
    struct lsu *lsu;
    struct pipeline *pipeline;
    struct event_run run;
    struct transfers transfers;
    struct event_answers answers;
    struct event_port tile;
};

#endif
