/* The pipeline of a core: fetch, issue and execution, barriers, blocks, and warps that come and
 * leave. The interface of the room pipeline/, which knows lsu/, check/ and warp/. */
#ifndef EVGPU_SIMT_PIPELINE_PIPELINE_H
#define EVGPU_SIMT_PIPELINE_PIPELINE_H

#include "sim/simt/lsu/lsu.h"
#include "sim/simt/pipeline/barrier.h"
#include "sim/simt/pipeline/block.h"
#include "sim/simt/pipeline/control.h"
#include "sim/simt/pipeline/fetch.h"
#include "sim/simt/pipeline/issue.h"
#include "sim/simt/pipeline/launch.h"
#include "sim/simt/pipeline/retire.h"
#include "sim/simt/pipeline/system_call.h"
#include "sim/simt/warp/slots.h"

struct pipeline {
    struct slots *slots;
    struct lsu *lsu;
    struct issue issue;
    struct fetch fetch;
    struct barriers barriers;
    struct blocks blocks;
};

#endif
