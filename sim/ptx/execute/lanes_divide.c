/* Quotients and remainders of integers. PTX leaves division by zero open; here all bits of the
 * quotient are ones and the remainder is the dividend. The most negative number divided by -1 wraps
 * around. */
#include "sim/ptx/execute/vector.h"

/* By way of f64, which the compiler vectorises. The exact quotient q + r / b with r < b is at least
 * 1 / b below q + 1, more than half a unit in the last place of f64 there, so it never rounds up to
 * q + 1. */
CLONED_PART uint32_t quotient(uint32_t a, uint32_t b)
{
    uint32_t q = (uint32_t)((double)a / (double)(b ? b : 1));
    return b ? q : UINT32_MAX;
}

CLONED_PART uint32_t magnitude(int32_t a)
{
    return a < 0 ? 0 - (uint32_t)a : (uint32_t)a;
}

CLONED_PART uint32_t signed_quotient(int32_t a, int32_t b)
{
    uint32_t q = quotient(magnitude(a), magnitude(b));
    return b && (a ^ b) < 0 ? 0 - q : q;
}

CLONED_PART uint64_t quotient_64(int64_t a, int64_t b)
{
    return b == 0 ? UINT64_MAX : b == -1 ? 0 - (uint64_t)a : (uint64_t)(a / b);
}

LANES_2(div_u16, 16, u16, b ? a / b : UINT16_MAX)
LANES_2(div_s16, 16, s16, b ? a / b : -1)
LANES_2(div_u32, 32, u32, quotient(a, b))
LANES_2(div_s32, 32, s32, signed_quotient(a, b))
LANES_2(div_u64, 64, u64, b ? a / b : UINT64_MAX)
LANES_2(div_s64, 64, s64, quotient_64(a, b))
LANES_2(rem_u16, 16, u16, b ? a % b : a)
LANES_2(rem_s16, 16, s16, b ? a % b : a)
LANES_2(rem_u32, 32, u32, a - quotient(a, b) * b)
LANES_2(rem_s32, 32, s32, (uint32_t)a - signed_quotient(a, b) * (uint32_t)b)
LANES_2(rem_u64, 64, u64, b ? a % b : a)
LANES_2(rem_s64, 64, s64, (uint64_t)a - quotient_64(a, b) * (uint64_t)b)

exec_fn lanes_quotient(uint8_t type)
{
    return type == PTX_U16   ? div_u16
           : type == PTX_S16 ? div_s16
           : type == PTX_U32 ? div_u32
           : type == PTX_S32 ? div_s32
           : type == PTX_U64 ? div_u64
                             : div_s64;
}

exec_fn lanes_remainder(uint8_t type)
{
    return type == PTX_U16   ? rem_u16
           : type == PTX_S16 ? rem_s16
           : type == PTX_U32 ? rem_u32
           : type == PTX_S32 ? rem_s32
           : type == PTX_U64 ? rem_u64
                             : rem_s64;
}
