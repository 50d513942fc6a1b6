/* Integer instructions, one lane at a time. Operands come as raw bits and are first extended as
 * their type says; results are cut to the destination by the caller. */
#include "sim/ptx/execute/vector.h"
#include "sim/ptx/parse/ast.h"

#define UNUSED(x) (void)(x)

static uint32_t width(const struct inst *inst)
{
    return 8 * type_bytes(inst->op.type);
}

static bool is_signed(const struct inst *inst)
{
    return type_is_signed(inst->op.type);
}

/* The value as the type of the instruction sees it, extended to 64 bits. */
static uint64_t extend(const struct inst *inst, uint64_t bits)
{
    uint32_t shift = 64 - width(inst);
    return is_signed(inst) ? (uint64_t)((int64_t)(bits << shift) >> shift) : bits << shift >> shift;
}

static int64_t clamp_s32(int64_t v)
{
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v;
}

uint64_t scalar_add(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint64_t sum = extend(inst, a) + extend(inst, b);
    return inst->op.mods & OP_SAT ? (uint64_t)clamp_s32((int64_t)sum) : sum;
}

uint64_t scalar_sub(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint64_t difference = extend(inst, a) - extend(inst, b);
    return inst->op.mods & OP_SAT ? (uint64_t)clamp_s32((int64_t)difference) : difference;
}

/* Low part (of any width up to 64 bits, so .wide as well) or high part of the product. */
uint64_t scalar_mul(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint64_t x = extend(inst, a), y = extend(inst, b);
    if (!(inst->op.mods & OP_HIGH))
        return x * y;
    if (width(inst) < 64)
        return x * y >> width(inst);
    if (is_signed(inst))
        return (uint64_t)((__int128)(int64_t)x * (int64_t)y >> 64);
    return (uint64_t)((unsigned __int128)x * y >> 64);
}

uint64_t scalar_mad(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t product = scalar_mul(inst, a, b, 0);
    if (inst->op.mods & OP_SAT)
        return (uint64_t)clamp_s32((int32_t)product + (int64_t)(int32_t)c);
    return product + c;
}

/* mul24: the low 24 bits of the operands; .lo: bits 31..0, .hi: bits 47..16 of the product. */
uint64_t scalar_mul24(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    int64_t x, y;
    if (is_signed(inst)) {
        x = (int64_t)(a << 40) >> 40;
        y = (int64_t)(b << 40) >> 40;
    } else {
        x = (int64_t)(a & 0xFFFFFF);
        y = (int64_t)(b & 0xFFFFFF);
    }
    uint64_t product = (uint64_t)(x * y);
    return inst->op.mods & OP_HIGH ? product >> 16 : product;
}

uint64_t scalar_mad24(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t product = scalar_mul24(inst, a, b, 0);
    if (inst->op.mods & OP_SAT)
        return (uint64_t)clamp_s32((int32_t)product + (int64_t)(int32_t)c);
    return product + c;
}

uint64_t scalar_sad(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = extend(inst, a), y = extend(inst, b);
    bool less = is_signed(inst) ? (int64_t)x < (int64_t)y : x < y;
    return c + (less ? y - x : x - y);
}

uint64_t scalar_abs(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(b);
    UNUSED(c);
    uint64_t x = extend(inst, a);
    return (int64_t)x < 0 ? 0 - x : x;
}

uint64_t scalar_neg(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(inst);
    UNUSED(b);
    UNUSED(c);
    return 0 - a;
}

uint64_t scalar_min(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint64_t x = extend(inst, a), y = extend(inst, b);
    return (is_signed(inst) ? (int64_t)x < (int64_t)y : x < y) ? x : y;
}

uint64_t scalar_max(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    UNUSED(c);
    uint64_t x = extend(inst, a), y = extend(inst, b);
    return (is_signed(inst) ? (int64_t)x > (int64_t)y : x > y) ? x : y;
}

/* dp4a.atype.btype: four byte products added to c; dp2a: two 16-bit elements of a times the low or
 * high two bytes of b. */
static int64_t part(uint64_t bits, unsigned at, unsigned size, uint8_t type)
{
    uint64_t v = bits >> at << (64 - size);
    return type == PTX_S32 ? (int64_t)v >> (64 - size) : (int64_t)(v >> (64 - size));
}

uint64_t scalar_dp4a(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t sum = c;
    for (unsigned i = 0; i < 32; i += 8)
        sum += (uint64_t)(part(a, i, 8, inst->op.type) * part(b, i, 8, inst->op.type2));
    return sum;
}

uint64_t scalar_dp2a(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    unsigned base = inst->op.mods & OP_HIGH ? 16 : 0;
    uint64_t sum = c;
    for (unsigned i = 0; i < 2; i++)
        sum += (uint64_t)(part(a, 16 * i, 16, inst->op.type) *
                          part(b, base + 8 * i, 8, inst->op.type2));
    return sum;
}
