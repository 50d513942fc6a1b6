#include "sim/simt/pipeline/control.h"

#include <stdio.h>

void control_call(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t mask)
{
    struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    const struct kernel *kernel = warp_of(&slots->warps, w)->kernel;
    uint32_t function[WARP_SIZE], target[WARP_SIZE];
    char text[256];
    isa_call(inst, ctx, mask, function);
    for (uint32_t m = mask; m; m &= m - 1) {
        uint32_t lane = lowest(m), n = function[lane];
        const struct kernel_function *f =
            n < kernel->n_functions && kernel->functions[n].present ? &kernel->functions[n] : NULL;
        if (f && !f->defect && ctx->frame[lane] + (uint64_t)f->frame_bytes <= ctx->local_bytes) {
            target[lane] = f->first;
            continue;
        }
        if (!f)
            snprintf(text, sizeof text, "indirect call of an address that is no function");
        else if (f->defect)
            snprintf(text, sizeof text, "function %.60s cannot run: %.160s", f->name, f->defect);
        else
            snprintf(text, sizeof text,
                     "stack overflow: function %.80s needs %u bytes, but %u of %u are in use",
                     f->name, f->frame_bytes, ctx->frame[lane], (uint32_t)ctx->local_bytes);
        fail_at(slots, w, inst, lane, f && !f->defect ? FAULT_STACK : FAULT_INSTRUCTION, text);
        return;
    }
    stack_call(slots, w, mask, target);
}

void control_mark(struct slots *slots, uint32_t w, const struct inst *inst)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    if (!warp->grid)
        return;
    struct core_mark *m = &outbox_add(&slots->outbox, OUT_MARK)->mark;
    *m = (struct core_mark){.owner = warp->kernel->owner,
                            .events = (uint32_t)inst->op.imm,
                            .warp = warp->index,
                            .warp_instructions = warp->warp_instructions};
    m->block =
        (ctx->ctaid[2] * (uint64_t)ctx->nctaid[1] + ctx->ctaid[1]) * ctx->nctaid[0] + ctx->ctaid[0];
}
