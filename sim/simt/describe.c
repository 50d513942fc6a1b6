/* Messages: where a program is at fault, and what every stuck warp waits for. */
#include "sim/simt/describe.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/ptx/source_map.h"
#include "sim/simt/core_internal.h"

void describe_line(const struct kernel *kernel, uint32_t ptx_line, char *text, size_t room)
{
    char source[280];
    if (source_map_describe(kernel->source, ptx_line, source, sizeof source))
        snprintf(text, room, "PTX line %u (%s)", ptx_line, source);
    else
        snprintf(text, room, "PTX line %u", ptx_line);
}

void faults_create(struct fault *fault)
{
    fault->record = ALLOC_ARRAY(struct fault_record, FAULTS);
}

void faults_destroy(struct fault *fault)
{
    free(fault->record);
}

void fail_with(struct core *c, const char *format, ...)
{
    char text[sizeof c->fault.machine.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_set(&c->fault.machine, "%s", text);
}

static void where_of(const struct core *c, uint32_t w, uint32_t lane, struct core_fault *fault)
{
    const struct warp *warp = warp_of(&c->warps, w);
    const struct lane_ctx *ctx = warp_ctx(&c->warps, w);
    fault->kernel = warp->kernel;
    fault->grid = warp->grid;
    fault->in_event = !warp->grid;
    fault->event_tag = fault->in_event ? event_tag(&c->events, warp->entry) : 0;
    for (int i = 0; i < 3; i++) {
        fault->block[i] = ctx->ctaid[i];
        fault->thread[i] = ctx->tid[i][lane];
    }
}

static void fail(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                 struct core_fault *fault, const char *what)
{
    char where[64], line[320];
    struct fault_record *record = &c->fault.record[c->fault.count];
    if (c->fault.count == FAULTS)
        return;
    fault->ptx_line = inst->line;
    where_of(c, w, lane, fault);
    if (fault->in_event)
        snprintf(where, sizeof where, "event %u", fault->event_tag);
    else
        snprintf(where, sizeof where, "block (%u,%u,%u)", fault->block[0], fault->block[1],
                 fault->block[2]);
    describe_line(fault->kernel, inst->line, line, sizeof line);
    snprintf(record->text, sizeof record->text, "kernel %.200s, %s: %s; %s, thread (%u,%u,%u)",
             fault->kernel->name, line, what, where, fault->thread[0], fault->thread[1],
             fault->thread[2]);
    record->what = *fault;
    c->fault.count++;
    warp_doom(c, w);
}

void fail_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
                 enum fault_kind kind, uint64_t address, const char *what)
{
    struct core_fault fault = {.kind = kind, .address = address};
    if (kind == FAULT_ADDRESS || kind == FAULT_MISALIGNED)
        fault.bytes = (uint32_t)inst->width * inst->vec;
    fail(c, w, inst, lane, &fault, what);
}

void fail_at(struct core *c, uint32_t w, const struct inst *inst, uint32_t lane,
             enum fault_kind kind, const char *what)
{
    struct core_fault fault = {.kind = kind};
    fail(c, w, inst, lane, &fault, what);
}

static const char *reason(const struct core *c, uint32_t w, char *text, size_t size)
{
    uint64_t bit = BIT(w);
    if (!(warps_alive(&c->warps) & bit))
        return "exited, waits for its outstanding accesses";
    if (events_frozen(&c->events) & bit)
        return "borrowed, waits to be released by the event unit";
    if (barriers_waiting(&c->barriers) & bit)
        return "waits at a barrier";
    if (issue_fences(&c->issue) & bit)
        return "waits at a fence for its outstanding accesses";
    if (issue_asleep(&c->issue) & bit)
        return "sleeps";
    if (remotes_starved(&c->remotes) & bit)
        return "waits for a place among the requests to the synchronised region";
    if (region_unperformed(c, w)) {
        snprintf(text, size, "waits for words of the synchronised region");
        return text;
    }
    if (remotes_waiting(&c->remotes) & bit)
        return "waits for its own atomic on the same line";
    if (!fetch_ibuf(&c->fetch, w))
        return fetch_busy(&c->fetch) & bit ? "waits for instruction fetch" : "i-buffer empty";
    if (!(issue_allowed(&c->issue) & bit))
        return "held by the warp limit";
    if (issue_ready(&c->issue) & bit)
        return "ready, waits for its unit";
    snprintf(text, size, "waits for registers: %u in pipelines, %u loads, %u atomics",
             pipe_count(&c->scoreboard, w), lsu_loads(&c->lsu, w),
             remotes_in_flight(&c->remotes, w));
    return text;
}

/* "block (1,0,0), thread (32,0,0)" of the first active lane. */
static void thread_of(const struct core *c, uint32_t w, char *text, size_t room)
{
    struct core_fault at = {.kind = FAULT_NONE};
    uint32_t active = stack_active(&c->stacks, w);
    where_of(c, w, active ? lowest(active) : 0, &at);
    if (at.in_event)
        snprintf(text, room, "event");
    else
        snprintf(text, room, "block (%u,%u,%u), thread (%u,%u,%u)", at.block[0], at.block[1],
                 at.block[2], at.thread[0], at.thread[1], at.thread[2]);
}

/* Past the end of the code, the last instruction. */
static const struct inst *next_inst(const struct core *c, uint32_t w)
{
    const struct kernel *kernel = warp_of(&c->warps, w)->kernel;
    uint32_t pc = stack_pc(&c->stacks, w);
    return &kernel->code[pc < kernel->n_inst ? pc : kernel->n_inst - 1];
}

bool core_place_of(const struct core *c, uint32_t w, struct core_place *place)
{
    if (!(warps_resident(&c->warps) & BIT(w)))
        return false;
    const struct kernel *kernel = warp_of(&c->warps, w)->kernel;
    const struct inst *inst = next_inst(c, w);
    *place = (struct core_place){.kernel = kernel,
                                 .address = kernel->code_address +
                                            INST_BYTES * (uint64_t)(inst - kernel->code),
                                 .ptx_line = inst->line,
                                 .event = event_on(&c->events, w)};
    return true;
}

void core_describe(const struct core *c, void (*line)(void *user, const char *text), void *user)
{
    for (uint64_t m = warps_resident(&c->warps); m; m &= m - 1) {
        uint32_t w = lowest(m);
        const struct kernel *kernel = warp_of(&c->warps, w)->kernel;
        char why[96], where[320], thread[80], text[800];
        describe_line(kernel, next_inst(c, w)->line, where, sizeof where);
        thread_of(c, w, thread, sizeof thread);
        snprintf(text, sizeof text, "core %u warp %u: %s%.80s, pc %u, %s, %s and lanes %08x: %s%s",
                 c->env.port, w, event_on(&c->events, w) ? "event " : "", kernel->name,
                 stack_pc(&c->stacks, w), where, thread, stack_active(&c->stacks, w),
                 reason(c, w, why, sizeof why),
                 event_victim_waits(&c->events, w) ? "; its victim waits at a barrier" : "");
        line(user, text);
    }
}

void core_describe_access(const struct core *c, const struct mem_request *request, uint64_t word,
                          char *text, size_t room)
{
    const struct access *a = remote_access(c, request);
    const struct warp *warp = warp_of(&c->warps, a->warp);
    const struct lane_ctx *ctx = warp_ctx(&c->warps, a->warp);
    uint32_t lane = remote_lane(c, request, word);
    char where[64] = "an event", line[320];
    describe_line(warp->kernel, a->inst->line, line, sizeof line);
    if (warp->grid)
        snprintf(where, sizeof where, "block (%u,%u,%u)", ctx->ctaid[0], ctx->ctaid[1],
                 ctx->ctaid[2]);
    snprintf(text, room, "kernel %.60s, %.120s: core %u, %s, thread (%u,%u,%u), %s",
             warp->kernel->name, line, c->env.port, where, ctx->tid[0][lane], ctx->tid[1][lane],
             ctx->tid[2][lane], a->inst->class == INST_ATOMIC ? "atomic" : "load");
}

uint32_t core_access_owner(const struct core *c, const struct mem_request *request)
{
    return warp_of(&c->warps, remote_access(c, request)->warp)->kernel->owner;
}

uint32_t core_unblocked_warps(const struct core *c)
{
    uint32_t n = 0;
    for (uint64_t m = warps_resident(&c->warps); m; m &= m - 1)
        n += !remotes_unperformed(&c->remotes, lowest(m)) &&
             !(remotes_starved(&c->remotes) >> lowest(m) & 1);
    return n;
}

const struct core_fault *core_fault(const struct core *c)
{
    static const struct core_fault machine = {.kind = FAULT_MACHINE};
    return c->fault.machine.set || !c->fault.count ? &machine : &c->fault.record[0].what;
}

const struct core_fault *core_fault_at(const struct core *c, uint32_t index, const char **text)
{
    if (c->fault.machine.set || index >= c->fault.count)
        return NULL;
    *text = c->fault.record[index].text;
    return &c->fault.record[index].what;
}

void core_faults_over(struct core *c)
{
    c->fault.count = 0;
}
