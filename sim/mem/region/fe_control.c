/* The tile's registers: what a driver asks for, and the time-outs of blocked heads. */
#include <string.h>

#include "sim/mem/region/fe_internal.h"

#define NEVER UINT64_MAX

/* Cycles of a time-out that the tile counts itself; until then it may stand still. */
#define WATCH_CYCLES 256u

enum { TIMEOUT_FIRST = FE_REG_TIMEOUT_NON, TIMEOUT_LAST = FE_REG_TIMEOUT_GPU };

bool fe_submit(struct fe *f, const struct fe_job *job)
{
    struct fe_control *c = &f->control;
    if (c->count == FE_JOBS)
        return false;
    c->jobs[(c->head + c->count++) % FE_JOBS] = *job;
    return true;
}

/* --- time-outs -------------------------------------------------------------------------------- */

static void see_heads(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        bool head = (f->out.head_state >> (q * 3) & 7) != FE_HEAD_NEW;
        if (head && !c->has_head[q])
            c->since[q] = now;
        c->has_head[q] = head;
    }
}

/* Cycle from which on the tile has to count itself; NEVER: not for this head. */
static uint64_t watch_from(const struct fe_control *c, uint32_t q)
{
    if (!c->has_head[q] || !c->timeout[q] || c->armed[q] || c->reported)
        return NEVER;
    uint64_t own = c->timeout[q] > WATCH_CYCLES ? c->timeout[q] - WATCH_CYCLES : 0;
    return c->since[q] + own;
}

static void add_step(struct fe_control *c, bool write, uint8_t reg, uint32_t data)
{
    c->steps[c->n_steps++] = (struct fe_step){.write = write, .reg = reg, .data = data};
}

static void start_steps(struct fe_control *c, bool watching)
{
    c->active = true;
    c->watching = watching;
    c->n_steps = c->step = 0;
}

/* What the watch has to do with the registers now. */
static bool start_watch(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    if (c->frees_report) {
        c->frees_report = false;
        start_steps(c, true);
        add_step(c, true, FE_REG_STATUS, EVG_FE_STATUS_REPORT);
        return true;
    }
    if (f->out.irq && !c->reported) {
        start_steps(c, true);
        for (uint8_t reg = FE_REG_REPORT_LINE; reg <= FE_REG_REPORT_INFO; reg++)
            add_step(c, false, reg, 0);
        return true;
    }
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        bool over = c->armed[q] && (!c->has_head[q] || c->reported);
        if (!over && watch_from(c, q) > now)
            continue;
        uint32_t cycles = c->timeout[q] < WATCH_CYCLES ? (uint32_t)c->timeout[q] : WATCH_CYCLES;
        start_steps(c, true);
        add_step(c, true, (uint8_t)(FE_REG_TIMEOUT_NON + q), over ? 0 : cycles);
        c->armed[q] = !over;
        c->watches += !over;
        return true;
    }
    return false;
}

static void read_report(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    uint32_t info = c->value[FE_REG_REPORT_INFO - FE_REG_REPORT_LINE];
    uint32_t queue = info >> EVG_FE_INFO_QUEUE & 3;
    const struct fe_slot *slot = &f->slots[info & ((1u << EVG_FE_ID_BITS) - 1)];
    if (!c->has_head[queue] || !slot->used || slot->left) { /* it has left meanwhile */
        c->frees_report = true;
        return;
    }
    c->reported = true;
    c->report = (struct fe_report){.request = slot->request,
                                   .words = c->value[FE_REG_REPORT_MASK - FE_REG_REPORT_LINE],
                                   .age = now - c->since[queue],
                                   .partition = f->config.partition,
                                   .queue = queue};
}

bool fe_timed_out(const struct fe *f, struct fe_report *report)
{
    if (f->control.reported)
        *report = f->control.report;
    return f->control.reported;
}

void fe_report_over(struct fe *f)
{
    f->control.reported = false;
}

/* --- jobs ------------------------------------------------------------------------------------- */

static void end_job(struct fe *f, uint32_t code, uint32_t value)
{
    struct fe_control *c = &f->control;
    struct fe_job job = c->jobs[c->head];
    if (job.kind == FE_JOB_RANGE && code == FE_CODE_OK)
        fe_note_range(f, job.command == FE_COMMAND_FILL, job.first, job.last);
    c->head = (c->head + 1) % FE_JOBS;
    c->count--;
    if (job.done)
        job.done(job.user, code, value);
}

/* A time-out is kept here; true when the job is one of it. */
static bool timeout_job(struct fe *f, const struct fe_job *job)
{
    struct fe_control *c = &f->control;
    if (job->kind > FE_JOB_WRITE || job->reg < TIMEOUT_FIRST || job->reg > TIMEOUT_LAST)
        return false;
    uint64_t *timeout = &c->timeout[job->reg - TIMEOUT_FIRST];
    if (job->kind == FE_JOB_WRITE)
        *timeout = job->data;
    end_job(f, FE_CODE_OK, (uint32_t)*timeout);
    return true;
}

static void start_job(struct fe *f)
{
    struct fe_control *c = &f->control;
    const struct fe_job *job = &c->jobs[c->head];
    if (timeout_job(f, job))
        return;
    start_steps(c, false);
    switch ((enum fe_job_kind)job->kind) {
    case FE_JOB_READ:
    case FE_JOB_WRITE:
        add_step(c, job->kind == FE_JOB_WRITE, job->reg, job->data);
        return;
    case FE_JOB_RANGE:
        add_step(c, true, FE_REG_FIRST, job->first);
        add_step(c, true, FE_REG_LAST, job->last);
        add_step(c, true, FE_REG_COMMAND, job->command);
        break;
    case FE_JOB_RELEASE:
        add_step(c, true, FE_REG_COMMAND, FE_COMMAND_RELEASE);
        break;
    }
    add_step(c, false, FE_REG_STATUS, 0);
    c->steps[c->n_steps - 1].poll = true;
}

static void end_steps(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    c->active = false;
    uint32_t value = c->value[c->n_steps - 1];
    if (c->watching) {
        if (c->steps[0].reg == FE_REG_REPORT_LINE)
            read_report(f, now);
    } else if (c->steps[c->n_steps - 1].poll) {
        end_job(f, value >> EVG_FE_STATUS_CODE & 7, value);
    } else {
        end_job(f, FE_CODE_OK, value);
    }
}

/* --- one cycle -------------------------------------------------------------------------------- */

void fe_control_inputs(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    see_heads(f, now);
    if (!c->active && !start_watch(f, now) && c->count)
        start_job(f);
    if (!c->active || c->waiting)
        return;
    const struct fe_step *s = &c->steps[c->step];
    f->in.reg_valid = 1;
    f->in.reg_write = s->write;
    f->in.reg_addr = s->reg;
    f->in.reg_data = s->data;
    c->waiting = true;
}

void fe_control_outputs(struct fe *f, uint64_t now)
{
    struct fe_control *c = &f->control;
    if (!c->waiting || !f->out.reg_ack)
        return;
    c->waiting = false;
    c->value[c->step] = f->out.reg_data;
    const uint32_t busy = EVG_FE_STATUS_RANGE | EVG_FE_STATUS_RELEASE;
    if (c->steps[c->step].poll && f->out.reg_data & busy)
        return;
    if (++c->step == c->n_steps)
        end_steps(f, now);
}

uint64_t fe_control_quiet(const struct fe *f, uint64_t now)
{
    const struct fe_control *c = &f->control;
    if (c->active || c->count || (f->out.irq && !c->reported))
        return 0;
    uint64_t first = NEVER;
    for (uint32_t q = 0; q < FE_QUEUES; q++) {
        if (c->armed[q] && (!c->has_head[q] || c->reported))
            return 0;
        uint64_t from = watch_from(c, q);
        first = from < first ? from : first;
    }
    if (first == NEVER)
        return NEVER;
    return first > now ? first - now : 0;
}
