/* Frames of called functions in local memory (call.h). */
#include "sim/ptx/execute/vector.h"

void lanes_frame_address(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    uint32_t *low = ctx->reg[inst->op.dst[0]];
    bool wide = inst->op.mods & OP_DST64;
    for (uint32_t i = 0; i < WARP_SIZE; i++) {
        if (!(mask >> i & 1))
            continue;
        low[i] = ctx->frame[i] + (uint32_t)inst->op.imm;
        if (wide)
            ctx->reg[inst->op.dst[0] + 1][i] = 0;
    }
}

void lanes_leave_frame(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask)
{
    for (; mask; mask &= mask - 1)
        ctx->frame[__builtin_ctz(mask)] -= (uint32_t)inst->op.imm;
}

void isa_call(const struct inst *inst, struct lane_ctx *ctx, uint32_t mask,
              uint32_t function[WARP_SIZE])
{
    for (; mask; mask &= mask - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(mask);
        ctx->frame[lane] += (uint32_t)inst->op.imm;
        function[lane] = inst->target;
        if (inst->op.src[0] == NO_ROW)
            continue;
        uint64_t address = wide_at(row_at(ctx, inst->op.src[0]), lane);
        uint64_t index = (address - FUNCTION_WINDOW) / FUNCTION_STEP - 1;
        bool whole = (address - FUNCTION_WINDOW) % FUNCTION_STEP == 0;
        function[lane] = whole && index < NO_FUNCTION ? (uint32_t)index : NO_FUNCTION;
    }
}
