/* Conversions that the compiler vectorises: the usual roundings, without .sat. */
#define LANE_NAMES
#include "sim/ptx/execute/half_lanes.h"
#include "sim/ptx/execute/vector.h"

LANES_1(f64_from_f32, f64, f32, (double)a)
LANES_1(f64_from_s32, f64, s32, (double)a)
LANES_1(f64_from_u32, f64, u32, (double)a)
LANES_1(f64_from_s64, f64, s64, (double)a)
LANES_1(f64_from_u64, f64, u64, (double)a)
LANES_1(f32_from_f64, f32, f64, (float)a)
LANES_1(f32_from_s16, f32, s16, (float)a)
LANES_1(f32_from_u16, f32, u16, (float)a)
LANES_1(f32_from_s32, f32, s32, (float)a)
LANES_1(f32_from_u32, f32, u32, (float)a)
LANES_1(f32_from_s64, f32, s64, (float)a)
LANES_1(f32_from_u64, f32, u64, (float)a)
LANES_1(f32_from_f16, 32, u16, f32_of_half(a))
LANES_1(f64_from_f16, f64, u16, (double)f32_of(f32_of_half(a)))
LANES_1(f16_from_f32, 16, u32, half_of_f32(a))
LANES_1(f16_from_f64, 16, f64, half_of_f64(a))

/* Out of range saturates, NaN is 0 (PTX ISA, "cvt"). `below` the first power of two that is too
 * large for the type, and from `least` on. */
#define FROM_FLOAT(F, T, type, least, below, LEAST, MOST)                                          \
    CLONED_PART type type##_of_##T(F x)                                                            \
    {                                                                                              \
        return x != x ? 0 : x >= (F)below ? MOST : x <= (F)least ? LEAST : (type)x;                \
    }
#define FROM_EITHER(...) FROM_FLOAT(float, f32, __VA_ARGS__) FROM_FLOAT(double, f64, __VA_ARGS__)
FROM_EITHER(int32_t, -0x1p31, 0x1p31, INT32_MIN, INT32_MAX)
FROM_EITHER(uint32_t, 0, 0x1p32, 0, UINT32_MAX)
FROM_EITHER(int64_t, -0x1p63, 0x1p63, INT64_MIN, INT64_MAX)
FROM_EITHER(uint64_t, 0, 0x1p64, 0, UINT64_MAX)

/* By enum rounding: to an integer in the type itself, and from there to others. */
#define INTEGERS(name, T, to_integral)                                                             \
    LANES_1(integral_##T##_##name, T, T, to_integral(a))                                           \
    LANES_1(s32_from_##T##_##name, 32, T, int32_t_of_##T(to_integral(a)))                          \
    LANES_1(u32_from_##T##_##name, 32, T, uint32_t_of_##T(to_integral(a)))                         \
    LANES_1(s64_from_##T##_##name, 64, T, int64_t_of_##T(to_integral(a)))                          \
    LANES_1(u64_from_##T##_##name, 64, T, uint64_t_of_##T(to_integral(a)))
INTEGERS(nearest, f32, rintf)
INTEGERS(zero, f32, truncf)
INTEGERS(down, f32, floorf)
INTEGERS(up, f32, ceilf)
INTEGERS(nearest, f64, rint)
INTEGERS(zero, f64, trunc)
INTEGERS(down, f64, floor)
INTEGERS(up, f64, ceil)

#ifndef EVGPU_NATIVE
#define EACH_ROUNDING(start)                                                                       \
    {                                                                                              \
        start##_nearest, start##_zero, start##_down, start##_up                                    \
    }

/* To a float of another type; to nearest where it does not hold the number. */
static exec_fn to_float(uint8_t to, uint8_t from)
{
    static const exec_fn table[][PTX_F16X2 + 1] = {
        {[PTX_F32] = f64_from_f32,
         [PTX_F16] = f64_from_f16,
         [PTX_S32] = f64_from_s32,
         [PTX_U32] = f64_from_u32,
         [PTX_S64] = f64_from_s64,
         [PTX_U64] = f64_from_u64},
        {[PTX_F64] = f32_from_f64,
         [PTX_F16] = f32_from_f16,
         [PTX_S16] = f32_from_s16,
         [PTX_U16] = f32_from_u16,
         [PTX_S32] = f32_from_s32,
         [PTX_U32] = f32_from_u32,
         [PTX_S64] = f32_from_s64,
         [PTX_U64] = f32_from_u64},
        {[PTX_F32] = f16_from_f32, [PTX_F64] = f16_from_f64}};
    return table[to == PTX_F64 ? 0 : to == PTX_F32 ? 1 : 2][from];
}

static exec_fn to_integer(uint8_t to, uint8_t from, uint8_t rounding)
{
    static const exec_fn table[][5][4] = {
        {EACH_ROUNDING(integral_f32), EACH_ROUNDING(s32_from_f32), EACH_ROUNDING(u32_from_f32),
         EACH_ROUNDING(s64_from_f32), EACH_ROUNDING(u64_from_f32)},
        {EACH_ROUNDING(integral_f64), EACH_ROUNDING(s32_from_f64), EACH_ROUNDING(u32_from_f64),
         EACH_ROUNDING(s64_from_f64), EACH_ROUNDING(u64_from_f64)}};
    uint32_t kind = to == from      ? 0
                    : to == PTX_S32 ? 1
                    : to == PTX_U32 ? 2
                    : to == PTX_S64 ? 3
                    : to == PTX_U64 ? 4
                                    : 5;
    return kind < 5 && (from == PTX_F32 || from == PTX_F64) ? table[from == PTX_F64][kind][rounding]
                                                            : NULL;
}

exec_fn lanes_convert(uint8_t to, uint8_t from, uint8_t rounding, bool integral)
{
    if (integral)
        return to_integer(to, from, rounding);
    bool is_float = to == PTX_F16 || to == PTX_F32 || to == PTX_F64;
    return is_float && rounding == ROUND_NEAREST ? to_float(to, from) : NULL;
}
#endif
