/* Floating-point lane functions that the compiler vectorises: round to nearest, no .sat. */
#include "sim/ptx/execute/vector.h"

#define FLOAT(T)                                                                                   \
    LANES_2(add_##T, T, T, a + b)                                                                  \
    LANES_2(sub_##T, T, T, a - b)                                                                  \
    LANES_2(mul_##T, T, T, a *b)                                                                   \
    LANES_2(div_##T, T, T, a / b)                                                                  \
    LANES_1(rcp_##T, T, T, 1 / a)
FLOAT(f32)
FLOAT(z32)
FLOAT(f64)
LANES_1(sqrt_f32, f32, f32, sqrtf(a))
LANES_1(sqrt_z32, z32, z32, sqrtf(a))
LANES_1(sqrt_f64, f64, f64, sqrt(a))
LANES_3(fma_f32, f32, f32, f32, fmaf(a, b, c))
LANES_3(fma_z32, z32, z32, z32, fmaf(a, b, c))
LANES_3(fma_f64, f64, f64, f64, fma(a, b, c))

/* PTX ISA: a NaN gives way to the other operand, +0 is above -0. */
#define MIN(a, b, zero)   (a != a ? b : b != b ? a : a == b ? (zero) : a < b ? a : b)
#define MAX(a, b, zero)   (a != a ? b : b != b ? a : a == b ? (zero) : a > b ? a : b)
#define BITS_32(a, b, op) f32_of(bits_of_f32(a) op bits_of_f32(b))
#define BITS_64(a, b, op) f64_of(bits_of_f64(a) op bits_of_f64(b))
LANES_2(min_f32, f32, f32, MIN(a, b, BITS_32(a, b, |)))
LANES_2(max_f32, f32, f32, MAX(a, b, BITS_32(a, b, &)))
LANES_2(min_z32, f32, z32, MIN(a, b, BITS_32(a, b, |)))
LANES_2(max_z32, f32, z32, MAX(a, b, BITS_32(a, b, &)))
LANES_2(min_f64, f64, f64, MIN(a, b, BITS_64(a, b, |)))
LANES_2(max_f64, f64, f64, MAX(a, b, BITS_64(a, b, &)))

LANES_1(neg_f32, 32, u32, a ^ 0x80000000u)
LANES_1(neg_z32, 32, u32, flush(a) ^ 0x80000000u)
LANES_1(neg_f64, 64, u64, a ^ (1ull << 63))
LANES_1(abs_f32, 32, u32, a & 0x7FFFFFFFu)
LANES_1(abs_z32, 32, u32, flush(a) & 0x7FFFFFFFu)
LANES_1(abs_f64, 64, u64, a & ~(1ull << 63))
/* copysign d, a, b: the sign of a, the magnitude of b. */
LANES_2(copysign_f32, 32, u32, (a & 0x80000000u) | (b & 0x7FFFFFFFu))
LANES_2(copysign_f64, 64, u64, (a & (1ull << 63)) | (b & ~(1ull << 63)))

LANES_1(f64_from_f32, f64, f32, (double)a)
LANES_1(f32_from_f64, f32, f64, (float)a)
LANES_1(f32_from_s32, f32, s32, (float)a)
LANES_1(f32_from_u32, f32, u32, (float)a)
LANES_1(f64_from_s32, f64, s32, (double)a)
LANES_1(f64_from_u32, f64, u32, (double)a)
LANES_1(f32_from_u16, f32, u16, (float)a)
LANES_1(f32_from_s16, f32, s16, (float)a)

/* Out of range saturates, NaN is 0 (PTX ISA, "cvt"). */
LANES_1(s32_from_f32, 32, f32,
        a != a         ? 0
        : a >= 0x1p31f ? INT32_MAX
        : a < -0x1p31f ? INT32_MIN
                       : (int32_t)a)
LANES_1(s32_from_f64, 32, f64,
        a != a         ? 0
        : a >= 0x1p31  ? INT32_MAX
        : a <= -0x1p31 ? INT32_MIN
                       : (int32_t)a)

exec_fn lanes_float(enum operation op, uint8_t type, bool ftz)
{
    static const exec_fn table[OPERATION_COUNT][3] = {
        [OP_add] = {add_f32, add_z32, add_f64}, [OP_sub] = {sub_f32, sub_z32, sub_f64},
        [OP_mul] = {mul_f32, mul_z32, mul_f64}, [OP_div] = {div_f32, div_z32, div_f64},
        [OP_rcp] = {rcp_f32, rcp_z32, rcp_f64}, [OP_sqrt] = {sqrt_f32, sqrt_z32, sqrt_f64},
        [OP_fma] = {fma_f32, fma_z32, fma_f64}, [OP_min] = {min_f32, min_z32, min_f64},
        [OP_max] = {max_f32, max_z32, max_f64}, [OP_neg] = {neg_f32, neg_z32, neg_f64},
        [OP_abs] = {abs_f32, abs_z32, abs_f64}, [OP_copysign] = {copysign_f32, NULL, copysign_f64},
    };
    return table[op][type == PTX_F64 ? 2 : ftz];
}

exec_fn lanes_convert(uint8_t to, uint8_t from)
{
    if (to == PTX_F64)
        return from == PTX_F32   ? f64_from_f32
               : from == PTX_S32 ? f64_from_s32
               : from == PTX_U32 ? f64_from_u32
                                 : NULL;
    if (to == PTX_F32)
        return from == PTX_F64   ? f32_from_f64
               : from == PTX_S32 ? f32_from_s32
               : from == PTX_U32 ? f32_from_u32
               : from == PTX_S16 ? f32_from_s16
               : from == PTX_U16 ? f32_from_u16
                                 : NULL;
    if (to == PTX_S32)
        return from == PTX_F32 ? s32_from_f32 : from == PTX_F64 ? s32_from_f64 : NULL;
    return NULL;
}
