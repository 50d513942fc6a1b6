#include "sim/simt/warp/fault.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/ptx/source_map.h"
#include "sim/simt/warp/slots.h"

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

void fail_with(struct slots *slots, const char *format, ...)
{
    char text[sizeof slots->fault.machine.text];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    error_set(&slots->fault.machine, "%s", text);
}

void fault_where(const struct slots *slots, uint32_t w, uint32_t lane, struct core_fault *fault)
{
    const struct warp *warp = warp_of(&slots->warps, w);
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, w);
    fault->kernel = warp->kernel;
    fault->grid = warp->grid;
    fault->in_event = !warp->grid;
    fault->event_tag = fault->in_event ? warp->tag : 0;
    for (int i = 0; i < 3; i++) {
        fault->block[i] = ctx->ctaid[i];
        fault->thread[i] = ctx->tid[i][lane];
    }
}

static void fail(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                 struct core_fault *fault, const char *what)
{
    char where[64], line[320];
    struct fault_record *record = &slots->fault.record[slots->fault.count];
    if (slots->fault.count == FAULTS)
        return;
    fault->ptx_line = inst->line;
    fault_where(slots, w, lane, fault);
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
    slots->fault.count++;
    warp_doom(slots, w);
}

void fail_access(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
                 enum fault_kind kind, uint64_t address, const char *what)
{
    struct core_fault fault = {.kind = kind, .address = address};
    if (kind == FAULT_ADDRESS || kind == FAULT_MISALIGNED)
        fault.bytes = (uint32_t)inst->width * inst->vec;
    fail(slots, w, inst, lane, &fault, what);
}

void fail_at(struct slots *slots, uint32_t w, const struct inst *inst, uint32_t lane,
             enum fault_kind kind, const char *what)
{
    struct core_fault fault = {.kind = kind};
    fail(slots, w, inst, lane, &fault, what);
}

const struct core_fault *fault_first(const struct fault *fault)
{
    static const struct core_fault machine = {.kind = FAULT_MACHINE};
    return fault->machine.set || !fault->count ? &machine : &fault->record[0].what;
}

const struct core_fault *fault_at(const struct fault *fault, uint32_t index, const char **text)
{
    if (fault->machine.set || index >= fault->count)
        return NULL;
    *text = fault->record[index].text;
    return &fault->record[index].what;
}
