/* Bit-field and permutation instructions, one lane at a time. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

#define UNUSED(x) (void)(x)

static uint32_t width(const struct inst *inst)
{
    return 8 * type_bytes(inst->op.type);
}

static uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (1ull << n) - 1;
}

/* Highest bit that differs from the sign; all ones if none. .shiftamt: distance to the top. */
uint64_t scalar_bfind(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    uint32_t top = width(inst) - 1;
    if (type_is_signed(inst->op.type) && (a >> top & 1))
        a = ~a & low_bits(width(inst));
    if (!a)
        return UINT32_MAX;
    uint32_t at = 63 - (uint32_t)__builtin_clzll(a);
    return inst->op.mods & OP_HIGH ? top - at : at;
}

uint64_t scalar_shl(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    return (uint32_t)b >= width(inst) ? 0 : a << b;
}

uint64_t scalar_shr(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint32_t n = width(inst), shift = (uint32_t)b < n ? (uint32_t)b : n;
    if (!type_is_signed(inst->op.type))
        return shift == n ? 0 : (a & low_bits(n)) >> shift;
    return (uint64_t)((int64_t)(a << (64 - n)) >> (64 - n) >> (shift == n ? n - 1 : shift));
}

uint64_t scalar_not(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(inst);
    UNUSED(b);
    UNUSED(c);
    return ~a;
}

uint64_t scalar_cnot(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    return (a & low_bits(width(inst))) == 0;
}

/* Position of the n-th set bit at or above (n > 0) or at or below (n < 0) the base. */
uint64_t scalar_fns(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(inst);
    int32_t offset = (int32_t)c, at = (int32_t)(b & 31), step = offset < 0 ? -1 : 1;
    uint32_t wanted = (uint32_t)(offset < 0 ? 0 - (uint32_t)offset : (uint32_t)offset);
    if (offset == 0)
        return a >> at & 1 ? (uint64_t)at : UINT32_MAX;
    for (; at >= 0 && at < 32; at += step)
        if ((a >> at & 1) && --wanted == 0)
            return (uint64_t)at;
    return UINT32_MAX;
}
