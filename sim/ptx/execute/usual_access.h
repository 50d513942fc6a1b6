/* The usual accesses of a whole warp: whole words, each half of the lanes at one place or lane
 * after lane. Not a public header. */
#ifndef EVGPU_PTX_EXECUTE_USUAL_ACCESS_H
#define EVGPU_PTX_EXECUTE_USUAL_ACCESS_H

#include "sim/ptx/execute/vector.h"

#define HALF (WARP_SIZE / 2)

typedef uint32_t half_row __attribute__((vector_size(4 * HALF), aligned(4), may_alias));

struct usual {
    uint8_t *first, *second; /* of the first lane of each half */
    bool row;                /* lane after lane, else one place */
};

static const half_row in_a_row = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

CLONED_PART bool any_bit(half_row v)
{
    uint64_t words[HALF / 2], any = 0;
    memcpy(words, &v, sizeof v);
    for (uint32_t i = 0; i < HALF / 2; i++)
        any |= words[i];
    return any;
}

/* Where a half begins that takes `bytes`; NULL: not in the window. */
CLONED_PART uint8_t *place_half(const struct inst *inst, const struct memory_window *v,
                                uint64_t base, uint32_t size, uint32_t bytes)
{
    uint64_t offset = base + (uint64_t)inst->op.imm;
    offset = (inst->op.mods & OP_BASE32 ? (uint32_t)offset : offset) - v->low;
    return v->bytes >= bytes && offset <= v->bytes - bytes && !(offset & (size - 1))
               ? v->at + offset
               : NULL;
}

/* What the lanes of an address register hold, if each half of them is at one place or in steps. */
struct base_form {
    uint64_t first, second; /* of the first lane of each half */
    uint32_t step;          /* from lane to lane, or 0 */
    bool known;
};

/* `steps`: bits that a step may have. */
CLONED_PART struct base_form form_of(const struct inst *inst, const struct lane_ctx *ctx,
                                     uint32_t steps)
{
    struct base_form form = {.known = false};
    if (inst->op.base == NO_ROW)
        return (struct base_form){.known = true};
    const uint32_t *low = row_at(ctx, inst->op.base), *high = low + WARP_SIZE;
    const uint32_t step = low[1] - low[0], last = step * (HALF - 1);
    if (step & ~steps)
        return form;
    const half_row each = in_a_row * step, *rows = (const half_row *)low;
    half_row differ = (rows[0] ^ (each + low[0])) | (rows[1] ^ (each + low[HALF]));
    uint64_t base = 0;
    if (!(inst->op.mods & OP_BASE32)) {
        differ |= (rows[2] ^ high[0]) | (rows[3] ^ high[0]);
        base = (uint64_t)high[0] << 32;
        if (low[0] > UINT32_MAX - last || low[HALF] > UINT32_MAX - last)
            return form;
    }
    form.first = base | low[0];
    form.second = base | low[HALF];
    form.step = step;
    form.known = !any_bit(differ);
    return form;
}

/* An access of `size` bytes at a base that is known. False: it is another one, and has to be looked
 * at again. */
CLONED_PART bool place_usual(const struct inst *inst, const struct base_form *form,
                             const struct memory_window *v, uint32_t size, struct usual *u)
{
    if (inst->flags & INST_FRAME || v->low & (size - 1) || (form->step && form->step != size))
        return false;
    u->row = form->step;
    u->first = place_half(inst, v, form->first, size, form->step * (HALF - 1) + size);
    u->second = place_half(inst, v, form->second, size, form->step * (HALF - 1) + size);
    return u->first && u->second;
}

CLONED_PART bool find_usual(const struct inst *inst, const struct lane_ctx *ctx,
                            const struct memory_window *v, uint32_t size, struct usual *u)
{
    const struct base_form form = form_of(inst, ctx, size);
    return form.known && place_usual(inst, &form, v, size, u);
}

/* --- of a word -------------------------------------------------------------------------------- */

/* A word of each lane of a half. */
CLONED_PART void fill_half(uint32_t *row, const uint8_t *at, bool in_row)
{
    uint32_t word;
    if (in_row) {
        *(half_row *)row = *(const half_row *)at;
        return;
    }
    memcpy(&word, at, sizeof word);
    /* No half_row of them: gcc takes that apart before it makes the clones. */
    for (uint32_t i = 0; i < HALF; i++)
        row[i] = word;
}

CLONED_PART void load_word(const struct inst *inst, struct lane_ctx *ctx, const struct usual *u)
{
    uint32_t *d = dst_row(inst, ctx, 0);
    fill_half(d, u->first, u->row);
    fill_half(d + HALF, u->second, u->row);
}

/* Lane after lane. */
CLONED_PART void store_word(const struct inst *inst, const struct lane_ctx *ctx,
                            const struct usual *u)
{
    const half_row *row = (const half_row *)src_row(inst, ctx, 0);
    *(half_row *)u->first = row[0];
    *(half_row *)u->second = row[1];
}

/* --- of two or four words --------------------------------------------------------------------- */

typedef uint32_t memory_word __attribute__((may_alias));

/* Of a half of the lanes, to the rows of registers. */
CLONED_PART void load_half(uint32_t *const row[4], uint32_t words, const memory_word *at)
{
    uint32_t *restrict a = row[0], *restrict b = row[1], *restrict c = row[2], *restrict d = row[3];
    if (words == 2) {
        for (uint32_t i = 0; i < HALF; i++) {
            a[i] = at[2 * i];
            b[i] = at[2 * i + 1];
        }
        return;
    }
    for (uint32_t i = 0; i < HALF; i++) {
        a[i] = at[4 * i];
        b[i] = at[4 * i + 1];
        c[i] = at[4 * i + 2];
        d[i] = at[4 * i + 3];
    }
}

CLONED_PART void load_words(const struct inst *inst, struct lane_ctx *ctx, const struct usual *u)
{
    const uint32_t each = inst->width / 4, words = each * inst->vec;
    for (uint32_t half = 0; half < 2; half++) {
        uint32_t *row[4] = {NULL, NULL, NULL, NULL};
        const uint8_t *at = half ? u->second : u->first;
        for (uint32_t i = 0; i < words; i++)
            row[i] = dst_row(inst, ctx, (int)(i / each)) + i % each * WARP_SIZE + half * HALF;
        if (u->row)
            load_half(row, words, (const void *)at);
        for (uint32_t i = 0; i < words && !u->row; i++)
            fill_half(row[i], at + 4 * i, false);
    }
}

CLONED_PART void store_half(const uint32_t *const row[4], uint32_t words, memory_word *restrict at)
{
    const uint32_t *a = row[0], *b = row[1], *c = row[2], *d = row[3];
    if (words == 2) {
        for (uint32_t i = 0; i < HALF; i++) {
            at[2 * i] = a[i];
            at[2 * i + 1] = b[i];
        }
        return;
    }
    for (uint32_t i = 0; i < HALF; i++) {
        at[4 * i] = a[i];
        at[4 * i + 1] = b[i];
        at[4 * i + 2] = c[i];
        at[4 * i + 3] = d[i];
    }
}

/* Lane after lane. */
CLONED_PART void store_words(const struct inst *inst, const struct lane_ctx *ctx,
                             const struct usual *u)
{
    const uint32_t each = inst->width / 4, words = each * inst->vec;
    for (uint32_t half = 0; half < 2; half++) {
        const uint32_t *row[4] = {NULL, NULL, NULL, NULL};
        for (uint32_t i = 0; i < words; i++)
            row[i] = src_row(inst, ctx, (int)(i / each)) + i % each * WARP_SIZE + half * HALF;
        store_half(row, words, (void *)(half ? u->second : u->first));
    }
}

/* Of registers that hold elements as memory does. */
CLONED_PART bool is_whole(const struct inst *inst)
{
    return inst->width == 8 || (inst->width == 4 && !(inst->op.mods & OP_DST64));
}

#endif
