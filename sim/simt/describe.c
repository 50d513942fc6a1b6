/* Messages about warps and their accesses: what every stuck warp waits for. */
#include <stdio.h>

#include "sim/simt/core_internal.h"

static const char *reason(const struct core *c, uint32_t w, char *text, size_t size)
{
    uint64_t bit = BIT(w);
    if (!(warps_alive(&c->slots.warps) & bit))
        return "exited, waits for its outstanding accesses";
    if (events_frozen(&c->slots.events) & bit)
        return "borrowed, waits to be released by the event unit";
    if (ready_held(&c->slots.ready, WAIT_BARRIER) & bit)
        return "waits at a barrier";
    if (ready_held(&c->slots.ready, WAIT_FENCE) & bit)
        return "waits at a fence for its outstanding accesses";
    if (ready_held(&c->slots.ready, WAIT_COPY) & bit)
        return "waits for its asynchronous copies";
    if (ready_held(&c->slots.ready, WAIT_SLEEP) & bit)
        return "sleeps";
    if (l2_accesses_starved(&c->lsu.l2_accesses) & bit)
        return "waits for a free request entry of the synchronised region";
    if (l2_accesses_at_words(&c->lsu.l2_accesses) & bit) {
        snprintf(text, size, "waits for words of the synchronised region");
        return text;
    }
    if (ready_held(&c->slots.ready, WAIT_ACCESS) & bit)
        return "waits for its earlier atomic on the same line";
    if (!ibuffer_entries(&c->slots.ibuffers, w))
        return ibuffers_busy(&c->slots.ibuffers) & bit ? "waits for instruction fetch"
                                                       : "i-buffer empty";
    if (!(issue_allowed(&c->pipeline.issue) & bit))
        return "held by the warp limit";
    if (ready_warps(&c->slots.ready) & bit)
        return "ready, waits for its unit";
    snprintf(text, size, "waits for registers: %u in pipelines, %u loads, %u atomics",
             pipe_count(&c->slots.scoreboard, w), lsu_loads(&c->lsu, w),
             l2_accesses_in_flight(&c->lsu.l2_accesses, w));
    return text;
}

/* "block (1,0,0), thread (32,0,0)" of the first active lane. */
static void thread_of(const struct core *c, uint32_t w, char *text, size_t room)
{
    struct core_fault at = {.kind = FAULT_NONE};
    uint32_t active = stack_active(&c->slots.stacks, w);
    fault_where(&c->slots, w, active ? lowest(active) : 0, &at);
    if (at.in_event)
        snprintf(text, room, "event");
    else
        snprintf(text, room, "block (%u,%u,%u), thread (%u,%u,%u)", at.block[0], at.block[1],
                 at.block[2], at.thread[0], at.thread[1], at.thread[2]);
}

/* Past the end of the code, the last instruction. */
static const struct inst *next_inst(const struct core *c, uint32_t w)
{
    const struct kernel *kernel = warp_of(&c->slots.warps, w)->kernel;
    uint32_t pc = stack_pc(&c->slots.stacks, w);
    return &kernel->code[pc < kernel->n_inst ? pc : kernel->n_inst - 1];
}

bool core_place_of(const struct core *c, uint32_t w, struct core_place *place)
{
    if (!(warps_resident(&c->slots.warps) & BIT(w)))
        return false;
    const struct kernel *kernel = warp_of(&c->slots.warps, w)->kernel;
    const struct inst *inst = next_inst(c, w);
    *place = (struct core_place){.kernel = kernel,
                                 .address = kernel->code_address +
                                            INST_BYTES * (uint64_t)(inst - kernel->code),
                                 .ptx_line = inst->line,
                                 .event = event_on(&c->slots.events, w)};
    return true;
}

void core_describe(const struct core *c, void (*line)(void *user, const char *text), void *user)
{
    for (uint64_t m = warps_resident(&c->slots.warps); m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct kernel *kernel = warp_of(&c->slots.warps, w)->kernel;
        char why[96], where[320], thread[80], text[800];
        describe_line(kernel, next_inst(c, w)->line, where, sizeof where);
        thread_of(c, w, thread, sizeof thread);
        snprintf(text, sizeof text, "core %u warp %u: %s%.80s, pc %u, %s, %s and lanes %08x: %s%s",
                 c->slots.env.port, w, event_on(&c->slots.events, w) ? "event " : "", kernel->name,
                 stack_pc(&c->slots.stacks, w), where, thread, stack_active(&c->slots.stacks, w),
                 reason(c, w, why, sizeof why),
                 event_victim_waits(&c->slots.events, w) ? "; its victim waits at a barrier" : "");
        line(user, text);
    }
}

void core_describe_access(const struct core *c, const struct mem_request *request, uint64_t word,
                          char *text, size_t room)
{
    const struct access *a = l2_access_of(&c->lsu.l2_accesses, request);
    const struct warp *warp = warp_of(&c->slots.warps, a->warp);
    const struct lane_ctx *ctx = warp_ctx(&c->slots.warps, a->warp);
    uint32_t lane = l2_access_lane(&c->lsu.l2_accesses, request, word);
    char where[64] = "an event", line[320];
    describe_line(warp->kernel, a->inst->line, line, sizeof line);
    if (warp->grid)
        snprintf(where, sizeof where, "block (%u,%u,%u)", ctx->ctaid[0], ctx->ctaid[1],
                 ctx->ctaid[2]);
    snprintf(text, room, "kernel %.60s, %.120s: core %u, %s, thread (%u,%u,%u), %s",
             warp->kernel->name, line, c->slots.env.port, where, ctx->tid[0][lane],
             ctx->tid[1][lane], ctx->tid[2][lane],
             a->inst->class == INST_ATOMIC ? "atomic" : "load");
}

const struct kernel *core_access_kernel(const struct core *c, const struct mem_request *request)
{
    return warp_of(&c->slots.warps, l2_access_of(&c->lsu.l2_accesses, request)->warp)->kernel;
}

uint32_t core_unblocked_warps(const struct core *c)
{
    uint32_t n = 0;
    for (uint64_t m = warps_resident(&c->slots.warps); m; m &= m - 1)
        n += !l2_accesses_unperformed(&c->lsu.l2_accesses, lowest(m)) &&
             !(l2_accesses_starved(&c->lsu.l2_accesses) >> lowest(m) & 1);
    return n;
}

uint32_t core_lent_warps(const struct core *c, const struct kernel **kernel)
{
    return events_victims(&c->event.run, kernel);
}
