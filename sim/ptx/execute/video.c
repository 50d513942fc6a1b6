/* Video instructions: 1, 2 or 4 lanes of a 32-bit register, widened, combined, saturated and
 * perhaps added up (PTX ISA, "Video Instructions"). */
#include "sim/ptx/execute/video.h"

#include "sim/ptx/execute/vector.h"

static int64_t part(uint32_t bits, uint32_t at, uint32_t width, bool is_signed)
{
    uint64_t field = (uint64_t)bits >> at << (64 - width);
    return is_signed ? (int64_t)field >> (64 - width) : (int64_t)(field >> (64 - width));
}

static bool compare(uint8_t comparison, int64_t a, int64_t b)
{
    switch (comparison + M_eq) {
    case M_eq:
        return a == b;
    case M_ne:
        return a != b;
    case M_lt:
        return a < b;
    case M_le:
        return a <= b;
    case M_gt:
        return a > b;
    default:
        return a >= b;
    }
}

static uint32_t distance(bool wraps, int64_t b)
{
    return (uint32_t)(wraps ? b & 31 : b > 32 ? 32 : b);
}

/* By 32, any number that is too large and has the sign: 64 bits do not hold each. */
static int64_t shift_left(int64_t a, uint32_t by)
{
    int64_t large = a > 0 ? 1ll << 62 : a < 0 ? -(1ll << 62) : 0;
    return by == 32 ? large : (int64_t)((uint64_t)a << by);
}

static int64_t combine(uint8_t kind, uint8_t variant, int64_t a, int64_t b)
{
    switch ((enum video_kind)kind) {
    case VIDEO_ADD:
        return a + b;
    case VIDEO_SUB:
        return a - b;
    case VIDEO_ABSDIFF:
        return a < b ? b - a : a - b;
    case VIDEO_MIN:
        return a < b ? a : b;
    case VIDEO_MAX:
        return a > b ? a : b;
    case VIDEO_AVERAGE: /* rounded away from zero on a half */
        return a + b >= 0 ? (a + b + 1) >> 1 : -((1 - a - b) >> 1);
    case VIDEO_SHL:
        return shift_left(a, distance(variant, b));
    case VIDEO_SHR:
        return a >> distance(variant, b);
    default:
        return compare(variant, a, b);
    }
}

static int64_t saturate(int64_t v, uint32_t width, bool is_signed)
{
    int64_t top = is_signed ? (int64_t)(1ull << (width - 1)) - 1 : (int64_t)((1ull << width) - 1);
    int64_t bottom = is_signed ? -top - 1 : 0;
    return v > top ? top : v < bottom ? bottom : v;
}

uint64_t scalar_video(const struct inst *inst, uint64_t a, uint64_t b, uint64_t c)
{
    uint32_t mods = inst->op.mods, lanes = VIDEO_LANES(inst->op.type2), width = 32 / lanes;
    uint8_t kind = VIDEO_KIND(inst->op.type2), variant = inst->op.round;
    bool signed_a = mods & VIDEO_SIGNED_A, signed_b = mods & VIDEO_SIGNED_B;
    bool signed_d = inst->op.type == PTX_S32;
    uint64_t result = 0, sum = c;
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t at = i * width;
        int64_t v = combine(kind, variant, part((uint32_t)a, at, width, signed_a),
                            part((uint32_t)b, at, width, signed_b));
        if (mods & OP_SAT)
            v = saturate(v, width, signed_d);
        result |= ((uint64_t)v & (UINT64_MAX >> (64 - width))) << at;
        sum += (uint64_t)v;
    }
    return mods & VIDEO_SUM ? sum : result;
}
