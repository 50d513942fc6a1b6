/* Memory instructions whose lanes' addresses follow a pattern (struct lane_pattern of program.h).
 */
#include "sim/ptx/execute/vector.h"

#define ROW_LANES 16u

/* Beyond these steps the rest of the machine has nothing to gain from a pattern. */
#define MOST_STEP 0x10000u
#define MOST_HALF 0x1000000u

/* Both rows of 16 have the same steps, and all addresses the same upper half. */
LANE_FN bool isa_address_pattern(const struct inst *inst, const struct lane_ctx *ctx,
                                 struct lane_pattern *p)
{
    uint64_t offset = (uint64_t)inst->op.imm;
    bool frame = inst->flags & INST_FRAME, narrow = frame || inst->op.mods & OP_BASE32;
    if (!frame && inst->op.base == NO_ROW) {
        *p = (struct lane_pattern){.first = offset};
        return true;
    }
    const uint32_t *low = frame ? ctx->frame : row_at(ctx, inst->op.base);
    const uint32_t *high = low + (narrow ? 0 : WARP_SIZE);
    uint32_t step = low[1] - low[0], half = low[ROW_LANES] - low[0], differ = 0;
    if (step > MOST_STEP || half > MOST_HALF || low[0] > UINT32_MAX - (MOST_STEP * 16 + MOST_HALF))
        return false;
    for (uint32_t i = 0; i < ROW_LANES; i++) {
        uint32_t expected = low[0] + i * step;
        differ |= (low[i] ^ expected) | (low[i + ROW_LANES] ^ (expected + half));
    }
    for (uint32_t i = 0; i < WARP_SIZE && !narrow; i++)
        differ |= high[i] ^ high[0];
    uint64_t first = narrow ? low[0] : wide_at(low, 0);
    *p = (struct lane_pattern){.first = first + offset, .step = step, .half = half};
    if (inst->op.mods & OP_BASE32 && !frame) {
        p->first = (uint32_t)p->first;
        differ |= p->first > UINT32_MAX - (MOST_STEP * 16 + MOST_HALF);
    }
    return !differ;
}

static inline uint32_t word_at(const uint8_t *at)
{
    uint32_t word;
    memcpy(&word, at, sizeof word);
    return word;
}

static inline uint64_t long_at(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
    return value;
}

/* Four lanes at once: who reads the row next reads all of it, and would wait for each store of a
 * single lane. */
#define FOUR 4
typedef uint32_t four_words __attribute__((vector_size(FOUR * sizeof(uint32_t))));
typedef uint64_t two_longs __attribute__((vector_size(2 * sizeof(uint64_t))));

/* A word for each lane. */
LANE_FN static void load_words(uint32_t *restrict d, const uint8_t *restrict first, uint32_t step,
                               uint32_t half)
{
    for (uint32_t r = 0; r < WARP_SIZE; r += ROW_LANES, first += half) {
        if (step == 4) {
            memcpy(d + r, first, ROW_LANES * 4);
            continue;
        }
        for (uint32_t i = 0; i < ROW_LANES; i += FOUR) {
            const uint8_t *at = first + (size_t)i * step;
            const four_words words = {word_at(at), word_at(at + step),
                                      word_at(at + (size_t)2 * step),
                                      word_at(at + (size_t)3 * step)};
            memcpy(d + r + i, &words, sizeof words);
        }
    }
}

/* A double or two words for each lane, which are in memory together. */
LANE_FN static void load_doubles(uint32_t *restrict d, const uint8_t *restrict first, uint32_t step,
                                 uint32_t half)
{
    for (uint32_t r = 0; r < WARP_SIZE; r += ROW_LANES, first += half)
        for (uint32_t i = 0; i < ROW_LANES; i += FOUR) {
            const uint8_t *at = first + (size_t)i * step;
            const two_longs x = {long_at(at), long_at(at + step)};
            const two_longs y = {long_at(at + (size_t)2 * step), long_at(at + (size_t)3 * step)};
            const four_words a = (four_words)x, b = (four_words)y;
            const four_words low = __builtin_shufflevector(a, b, 0, 2, 4, 6);
            const four_words high = __builtin_shufflevector(a, b, 1, 3, 5, 7);
            memcpy(d + r + i, &low, sizeof low);
            memcpy(d + r + i + WARP_SIZE, &high, sizeof high);
        }
}

void isa_load_pattern(const struct inst *inst, struct lane_ctx *ctx, const uint8_t *first,
                      const struct lane_pattern *p)
{
    bool wide = inst->op.mods & OP_DST64;
    if (inst->width == 8 || (inst->width == 4 && !wide)) {
        for (uint32_t e = 0; e < inst->vec; e++, first += inst->width) {
            uint32_t *d = dst_row(inst, ctx, (int)e);
            if (inst->width == 8)
                load_doubles(d, first, p->step, p->half);
            else
                load_words(d, first, p->step, p->half);
        }
        return;
    }
    const uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = first + (size_t)(i % ROW_LANES) * p->step + (size_t)(i / ROW_LANES) * p->half;
    isa_load(inst, ctx, FULL_MASK, at);
}

/* A word of each lane. */
LANE_FN static void store_words(const uint32_t *restrict row, uint8_t *restrict first,
                                uint32_t step, uint32_t half)
{
    for (uint32_t r = 0; r < WARP_SIZE; r += ROW_LANES, first += half)
        for (uint32_t i = 0; i < ROW_LANES; i++)
            memcpy(first + (size_t)i * step, &row[r + i], sizeof *row);
}

void isa_store_pattern(const struct inst *inst, const struct lane_ctx *ctx, uint8_t *first,
                       const struct lane_pattern *p)
{
    if (inst->width >= 4) {
        for (uint32_t e = 0; e < inst->vec; e++, first += inst->width) {
            const uint32_t *row = src_row(inst, ctx, (int)e);
            store_words(row, first, p->step, p->half);
            if (inst->width == 8)
                store_words(row + WARP_SIZE, first + 4, p->step, p->half);
        }
        return;
    }
    uint8_t *at[WARP_SIZE];
    for (uint32_t i = 0; i < WARP_SIZE; i++)
        at[i] = first + (size_t)(i % ROW_LANES) * p->step + (size_t)(i / ROW_LANES) * p->half;
    isa_store(inst, ctx, FULL_MASK, at);
}
