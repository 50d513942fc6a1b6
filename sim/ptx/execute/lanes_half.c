/* Sums and products of f16 and of pairs of them that the compiler vectorises. An f32 has more than
 * twice the bits and two, so sums and products that round to it first round to the same f16
 * (Figueroa, "When is double rounding innocuous?", 1995); those of fma do not. */
#include "sim/ptx/execute/half_lanes.h"
#include "sim/ptx/execute/lanes.h"

CLONED_PART float number(uint32_t h)
{
    return f32_of(f32_of_half(h));
}

/* The product is exact in f64, and so is the sum, unless c is more than 2^30 times the product;
 * then the sum rounds to c, an f16, as the exact one does. */
CLONED_PART uint32_t fused(uint32_t a, uint32_t b, uint32_t c)
{
    return half_of_f64((double)number(a) * (double)number(b) + (double)number(c));
}

#define ADD(a, b, c) half_of_f32(bits_of_f32(number(a) + number(b)))
#define SUB(a, b, c) half_of_f32(bits_of_f32(number(a) - number(b)))
#define MUL(a, b, c) half_of_f32(bits_of_f32(number(a) * number(b)))

#define UPPER(F) F(a >> 16, b >> 16, c >> 16) << 16
#define LOWER(F) F(a & 0xFFFF, b & 0xFFFF, c & 0xFFFF)
#define HALVES_2(name, F)                                                                          \
    LANES_2(name, 16, u16, F(a, b, 0))                                                             \
    LANES_2(name##_pair, 32, u32, LOWER(F) | UPPER(F))
HALVES_2(add, ADD)
HALVES_2(sub, SUB)
HALVES_2(mul, MUL)
LANES_3(fma_one, 16, u16, u16, fused(a, b, c))
LANES_3(fma_pair, 32, u32, u32, LOWER(fused) | UPPER(fused))

exec_fn lanes_half(uint8_t operation, bool pair)
{
    switch ((enum half_operation)operation) {
    case HALF_ADD:
        return pair ? add_pair : add;
    case HALF_SUB:
        return pair ? sub_pair : sub;
    case HALF_MUL:
        return pair ? mul_pair : mul;
    case HALF_FMA:
        return pair ? fma_pair : fma_one;
    default:
        return NULL;
    }
}
