/* The frequent .approx functions of f32, for all lanes at once (approx.h). */
#include "sim/ptx/execute/approx.h"
#include "sim/ptx/execute/approx_lanes.h"

#define APPROX(name)                                                                               \
    LANES_1(name##_f32, f32, f32, approx_##name##_lane(a))                                         \
    LANES_1(name##_z32, z32, z32, approx_##name##_lane(a))
APPROX(ex2)
APPROX(lg2)
APPROX(rsqrt)
LANES_2(div_f32, 32, u32, approx_div_lane(a, b))
LANES_2(div_z32, 32, u32, flush(approx_div_lane(flush(a), flush(b))))

/* sin or cos of all lanes, then again those of great numbers, of infinities and NaN. */
CLONED_PART void circular(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask, bool ftz,
                          uint32_t quarters)
{
    uint32_t *d = dst_row(inst, ctx, 0), far = 0;
    const uint32_t *a = src_row(inst, ctx, 0);
    float x[WARP_SIZE];
    EACH_LANE x[i] = f32_of(ftz ? flush(a[i]) : a[i]);
    EACH_LANE far |= fabsf(x[i]) < APPROX_NEAR ? 0 : lane_bit[i];
    EACH_LANE
    {
        uint32_t bits = canonical_f32(approx_circular_lane(x[i], quarters));
        PUT_32(ftz ? flush(bits) : bits)
    }
    for (far &= mask; far; far &= far - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(far);
        d[i] = canonical_f32(quarters ? approx_far_cos(x[i]) : approx_far_sin(x[i]));
    }
}

#define CIRCULAR(name, ftz, quarters)                                                              \
    LANE_FN static void name(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)         \
    {                                                                                              \
        circular(inst, ctx, mask, ftz, quarters);                                                  \
    }
CIRCULAR(sin_f32, false, 0)
CIRCULAR(sin_z32, true, 0)
CIRCULAR(cos_f32, false, 1)
CIRCULAR(cos_z32, true, 1)

exec_fn lanes_approx(enum operation op, bool ftz)
{
    switch (op) {
    case OP_ex2:
        return ftz ? ex2_z32 : ex2_f32;
    case OP_lg2:
        return ftz ? lg2_z32 : lg2_f32;
    case OP_sin:
        return ftz ? sin_z32 : sin_f32;
    case OP_cos:
        return ftz ? cos_z32 : cos_f32;
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
