/* Messages: where a program is at fault, and what every stuck warp waits for. */
#include <stdio.h>

#include "sim/simt/core_internal.h"

void fail_at(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane, const char *what)
{
    const struct warp *warp = &c->warp[w];
    const struct lane_ctx *ctx = c->ctx[w];
    char where[64];
    if (warp->grid)
        snprintf(where, sizeof where, "block (%u,%u,%u)", ctx->ctaid[0], ctx->ctaid[1],
                 ctx->ctaid[2]);
    else
        snprintf(where, sizeof where, "event %u", c->event[warp->entry].tag);
    error_set(&c->failure, "kernel %s, PTX line %u: %s; %s, thread (%u,%u,%u)", warp->kernel->name,
              inst->line, what, where, ctx->tid[0][lane], ctx->tid[1][lane], ctx->tid[2][lane]);
}

static const char *reason(const struct core *c, uint32_t w, char *text, size_t size)
{
    uint64_t bit = BIT(w);
    if (!(c->alive & bit))
        return "exited, waits for its outstanding accesses";
    if (c->frozen & bit)
        return "borrowed, waits to be released by the event unit";
    if (c->at_barrier & bit)
        return "waits at a barrier";
    if (c->at_fence & bit)
        return "waits at a fence for its outstanding accesses";
    if (c->wait_remote & bit)
        return "waits for its own atomic on the same line";
    if (!c->ibuf[w])
        return c->fetch_busy & bit ? "waits for instruction fetch" : "i-buffer empty";
    if (!(c->allowed & bit))
        return "held by the warp limit";
    if (c->head[c->head_unit[w]] & bit)
        return "ready, waits for its unit";
    snprintf(text, size, "waits for registers: %u in pipelines, %u loads, %u atomics", c->pipe[w],
             c->loads[w], c->remotes[w]);
    return text;
}

void core_describe(const struct core *c, void (*line)(void *user, const char *text), void *user)
{
    for (uint64_t m = c->resident; m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct kernel *kernel = c->warp[w].kernel;
        uint32_t pc = c->pc[w] < kernel->n_inst ? c->pc[w] : kernel->n_inst - 1;
        char why[96], text[320];
        snprintf(text, sizeof text, "core %u warp %u: %s%s, pc %u (PTX line %u), lanes %08x: %s%s",
                 c->env.port, w, warp_is_event(c, w) ? "event " : "", kernel->name, c->pc[w],
                 kernel->code[pc].line, c->active[w], reason(c, w, why, sizeof why),
                 c->victim_waits >> w & 1 ? "; its victim waits at a barrier" : "");
        line(user, text);
    }
}
