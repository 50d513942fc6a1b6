/* How decode_video.c tells video.c what to do. */
#ifndef EVGPU_PTX_EXECUTE_VIDEO_H
#define EVGPU_PTX_EXECUTE_VIDEO_H

#include "sim/ptx/execute/lanes.h"

enum video_kind {
    VIDEO_ADD,
    VIDEO_SUB,
    VIDEO_ABSDIFF,
    VIDEO_MIN,
    VIDEO_MAX,
    VIDEO_AVERAGE,
    VIDEO_SET,
    VIDEO_SHL,
    VIDEO_SHR
};

/* op.type2: kind, and lanes (1, 2, 4) above it; op.round: comparison of vset, from M_eq on;
 * whether a shift wraps. */
#define VIDEO_CODE(kind, lanes) ((uint8_t)((kind) | (lanes) << 4))
#define VIDEO_KIND(code)        ((uint8_t)((code)&15u))
#define VIDEO_LANES(code)       ((uint32_t)(code) >> 4)

/* In op.mods, beside OP_SAT; the places of flags that these instructions do not have. */
#define VIDEO_SIGNED_A OP_NAN
#define VIDEO_SIGNED_B OP_HIGH
#define VIDEO_SUM      OP_CARRY_IN /* the lanes' results are added to c */

#endif
