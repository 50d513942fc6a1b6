/* The frequent .approx functions of f32, for all lanes at once (approx.h). */
#include "sim/ptx/execute/approx_lanes.h"

#define APPROX(name)                                                                               \
    LANES_1(name##_f32, f32, f32, approx_##name##_lane(a))                                         \
    LANES_1(name##_z32, z32, z32, approx_##name##_lane(a))
APPROX(ex2)
APPROX(lg2)
APPROX(rsqrt)
LANES_2(div_f32, 32, u32, approx_div_lane(a, b))
LANES_2(div_z32, 32, u32, flush(approx_div_lane(flush(a), flush(b))))

exec_fn lanes_approx(enum operation op, bool ftz)
{
    switch (op) {
    case OP_ex2:
        return ftz ? ex2_z32 : ex2_f32;
    case OP_lg2:
        return ftz ? lg2_z32 : lg2_f32;
    case OP_rsqrt:
        return ftz ? rsqrt_z32 : rsqrt_f32;
    case OP_div:
        return ftz ? div_z32 : div_f32;
    case OP_rcp: /* as rounded */
    case OP_sqrt:
        return lanes_float(op, PTX_F32, ftz);
    default:
        return NULL;
    }
}
