/* The first half of the text that becomes a kernel's machine code (sim/ptx/native/emit.h). It goes
 * through the preprocessor when evgpu is built, and nothing of it is linked. */
#define EVGPU_NATIVE
#define EVGPU_BASE_CLONES_H
#define CPU_CLONES  inline __attribute__((always_inline))
#define CLONED_PART static CPU_CLONES

#include "sim/simt/functional/native_call.h"
#include "sim/simt/functional/window.h"

#include "sim/ptx/execute/lanes_bits.c"
#include "sim/ptx/execute/lanes_compare.c"
#include "sim/ptx/execute/lanes_convert.c"
#include "sim/ptx/execute/lanes_float.c"
#include "sim/ptx/execute/lanes_int.c"
#include "sim/ptx/execute/usual_access.h"

/* Whose NaN only those see that take any (emit.c). */
LANES_2(add_f32_raw, 32, f32, bits_of_f32(a + b))
LANES_2(sub_f32_raw, 32, f32, bits_of_f32(a - b))
LANES_2(mul_f32_raw, 32, f32, bits_of_f32(a *b))
LANES_3(fma_f32_raw, 32, f32, f32, bits_of_f32(fmaf(a, b, c)))

CLONED_PART bool native_window(const struct native_call *call, const struct inst *i,
                               uint32_t number, uint64_t first, struct memory_window *v)
{
    if (i->space == SPACE_GENERIC && begins_in_shared(first)) {
        *v = call->shared;
        v->low = SHARED_WINDOW;
        return true;
    }
    if (i->space != SPACE_SHARED)
        return find_window(call->f, call->w, &call->code[number], (enum mem_space)i->space, v);
    *v = call->shared;
    return true;
}

/* Where a half begins whose lanes take `bytes` in all, the lowest at `base` + `least`; NULL: not in
 * the window. */
CLONED_PART uint8_t *place_group(const struct inst *i, const struct memory_window *v, uint64_t base,
                                 int64_t least, uint32_t bytes)
{
    uint64_t at = base + (uint64_t)least, offset = at - v->low;
    bool wraps = i->op.mods & OP_BASE32 && at > UINT32_MAX - bytes;
    bool aligned = !((v->low | offset) & (uint32_t)(i->width * i->vec - 1));
    return !wraps && aligned && v->bytes >= bytes && offset <= v->bytes - bytes ? v->at + offset
                                                                                : NULL;
}

/* Accesses like instruction `number`, `i`, by all lanes, from offset `least` of its base on, over
 * `span` bytes. False: they are no usual ones, and each has to be looked at. */
CLONED_PART bool native_group(const struct native_call *call, const struct inst *i, uint32_t number,
                              int64_t least, uint32_t span, struct usual *u)
{
    const bool store = i->class == INST_STORE;
    const uint32_t size = (uint32_t)i->width * i->vec;
    const struct base_form form = form_of(i, call->ctx, size);
    struct memory_window v;
    if (!form.known || (store && (!form.step || keeps_store(call->f, (enum mem_space)i->space))) ||
        !native_window(call, i, number, form.first + (uint64_t)i->op.imm, &v))
        return false;
    u->row = form.step;
    u->first = place_group(i, &v, form.first, least, form.step * (HALF - 1) + span);
    u->second = place_group(i, &v, form.second, least, form.step * (HALF - 1) + span);
    return u->first && u->second;
}

/* The access that begins so many bytes after the lowest one of its group. */
CLONED_PART void native_access(struct lane_ctx *ctx, const struct inst *i,
                               const struct usual *group, uint64_t above)
{
    const struct usual u = {group->first + above, group->second + above, group->row};
    const bool word = i->width * i->vec == 4;
    if (i->class == INST_LOAD && word)
        load_word(i, ctx, &u);
    else if (i->class == INST_LOAD)
        load_words(i, ctx, &u);
    else if (word)
        store_word(i, ctx, &u);
    else
        store_words(i, ctx, &u);
}

/* The same with registers of the compiler's own: one store for both forms of a word, from which it
 * knows what the row holds. */
CLONED_PART void native_access_own(struct lane_ctx *ctx, const struct inst *i,
                                   const struct usual *group, uint64_t above)
{
    half_row half[2];
    if (i->class != INST_LOAD || i->width * i->vec != 4) {
        native_access(ctx, i, group, above);
        return;
    }
    if (group->row) {
        half[0] = *(const half_row *)(group->first + above);
        half[1] = *(const half_row *)(group->second + above);
    } else {
        uint32_t words[2];
        memcpy(&words[0], group->first + above, sizeof *words);
        memcpy(&words[1], group->second + above, sizeof *words);
        half[0] = (half_row){0} + words[0];
        half[1] = (half_row){0} + words[1];
    }
    half_row *d = (half_row *)dst_row(i, ctx, 0);
    d[0] = half[0];
    d[1] = half[1];
}

CLONED_PART void native_copy(uint32_t *to, const uint32_t *from)
{
    half_row *row = (half_row *)to;
    row[0] = *(const half_row *)from;
    row[1] = *(const half_row *)(from + HALF);
}

/* The warp branches back. False: it polls, and has done so often enough to be looked at. */
CLONED_PART bool native_loops(struct native_call *call)
{
    struct slots *slots = call->f->slots;
    if (!stack_polled(&slots->stacks, call->w))
        return true;
    if (!call->polls)
        return false;
    call->polls--;
    stack_forget_polls(&slots->stacks, call->w);
    return true;
}
