/* The mistakes that were found: one record per distinct place, described as first seen. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/simt/check/check_internal.h"

struct mistake {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t line, other_line;
    uint64_t count;
    char text[1700];
};

void findings_create(struct checker *checker)
{
    checker->findings = ALLOC_ARRAY(struct mistake, CHECK_FINDINGS);
}

void findings_destroy(struct checker *checker)
{
    free(checker->findings);
}

static void thread_text(const uint32_t ntid[3], uint32_t linear, char *text, size_t room)
{
    uint32_t x = ntid[0] ? ntid[0] : 1, y = ntid[1] ? ntid[1] : 1;
    snprintf(text, room, "thread (%u,%u,%u)", linear % x, linear / x % y, linear / x / y);
}

static void describe_uninit(const struct slots *slots, const struct finding *f, const char *line,
                            const char *thread, char *text, size_t room)
{
    static const char *const spaces[] = {
        [SPACE_GLOBAL] = "", [SPACE_SHARED] = "shared ", [SPACE_LOCAL] = "local "};
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    char where[300] = "";
    if (f->space == SPACE_GLOBAL)
        access_place(slots, f->address, where, sizeof where);
    snprintf(text, room,
             "kernel %.200s, %s: reads %u bytes at %saddress 0x%" PRIx64
             " that were never written%s%s; block (%u,%u,%u), %s",
             f->kernel->name, line, f->bytes, spaces[f->space], f->address, *where ? ": " : "",
             where, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], thread);
}

static const char *const kinds[] = {[FOUND_RAW] = "read after write",
                                    [FOUND_WAR] = "write after read",
                                    [FOUND_WAW] = "write after write"};

/* The access before it that a finding names. */
struct before {
    char line[320], thread[64];
};

static struct before before_of(const struct slots *slots, const struct finding *f)
{
    struct before before;
    describe_line(f->kernel, f->other_line, before.line, sizeof before.line);
    thread_text(warp_ctx(&slots->warps, f->warp)->ntid, f->other_thread, before.thread,
                sizeof before.thread);
    return before;
}

static void describe_device_race(const struct slots *slots, const struct finding *f,
                                 const char *line, const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    const uint32_t *dims = warp_of(&slots->warps, f->warp)->grid->dims;
    const struct before before = before_of(slots, f);
    char where[300], block[64] = "";
    uint32_t x = f->other_block;
    access_place(slots, f->address, where, sizeof where);
    if (f->between_blocks)
        snprintf(block, sizeof block, " of block (%u,%u,%u)", x % dims[0], x / dims[0] % dims[1],
                 x / dims[0] / dims[1]);
    snprintf(text, room,
             "kernel %.120s, %s: race in device memory, %s %s: %s %s %u bytes at address 0x%" PRIx64
             ", which %s%s %s at %s: %s; block (%u,%u,%u)",
             f->kernel->name, line, kinds[f->kind],
             f->between_blocks ? "in another block" : "without a barrier between", thread,
             f->kind == FOUND_RAW ? "reads" : "writes", f->bytes, f->address, before.thread, block,
             f->kind == FOUND_WAR ? "reads" : "writes", before.line, where, ctx->ctaid[0],
             ctx->ctaid[1], ctx->ctaid[2]);
}

static void describe_race(const struct slots *slots, const struct finding *f, const char *line,
                          const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    const struct before before = before_of(slots, f);
    snprintf(text, room,
             "kernel %.120s, %s: race in shared memory, %s without a barrier between: %s %s %u "
             "bytes at shared address 0x%" PRIx64 ", which %s %s at %s; block (%u,%u,%u)",
             f->kernel->name, line, kinds[f->kind], thread,
             f->kind == FOUND_RAW ? "reads" : "writes", f->bytes, f->address, before.thread,
             f->kind == FOUND_WAR ? "reads" : "writes", before.line, ctx->ctaid[0], ctx->ctaid[1],
             ctx->ctaid[2]);
}

static void describe_copy(const struct slots *slots, const struct finding *f, const char *line,
                          const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    const struct before before = before_of(slots, f);
    snprintf(text, room,
             "kernel %.120s, %s: race in shared memory, before a copy is there: %s %s %u bytes at "
             "shared address 0x%" PRIx64 ", which %s copies at %s and has not waited for; block "
             "(%u,%u,%u)",
             f->kernel->name, line, thread, f->writes ? "writes" : "reads", f->bytes, f->address,
             before.thread, before.line, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2]);
}

static void describe_barrier(const struct slots *slots, const struct finding *f, const char *line,
                             const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    uint32_t away = f->other_thread;
    snprintf(text, room,
             "kernel %.120s, %s: divergent barrier %u: %s has arrived, thread (%u,%u,%u) of the "
             "same warp has not; block (%u,%u,%u)",
             f->kernel->name, line, (uint32_t)f->address, thread, ctx->tid[0][away],
             ctx->tid[1][away], ctx->tid[2][away], ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2]);
}

static void describe_ended(const struct slots *slots, const struct finding *f, const char *line,
                           char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    char away[64];
    thread_text(ctx->ntid, f->other_thread, away, sizeof away);
    snprintf(text, room,
             "kernel %.120s, %s: barrier %u opens without %s, which has ended and was not there; "
             "block (%u,%u,%u)",
             f->kernel->name, line, (uint32_t)f->address, away, ctx->ctaid[0], ctx->ctaid[1],
             ctx->ctaid[2]);
}

static void describe_bad_read(const struct slots *slots, const struct finding *f, const char *line,
                              const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    snprintf(text, room, "kernel %.120s, %s: %.700s; block (%u,%u,%u), %s", f->kernel->name, line,
             f->what, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], thread);
}

static void describe(const struct slots *slots, const struct finding *f, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    char line[320], thread[64];
    describe_line(f->kernel, f->line, line, sizeof line);
    snprintf(thread, sizeof thread, "thread (%u,%u,%u)", ctx->tid[0][f->lane], ctx->tid[1][f->lane],
             ctx->tid[2][f->lane]);
    if (f->kind == FOUND_UNINIT)
        describe_uninit(slots, f, line, thread, text, room);
    else if (f->kind == FOUND_BARRIER)
        describe_barrier(slots, f, line, thread, text, room);
    else if (f->kind == FOUND_ENDED)
        describe_ended(slots, f, line, text, room);
    else if (f->kind == FOUND_COPY)
        describe_copy(slots, f, line, thread, text, room);
    else if (f->kind == FOUND_BAD_READ)
        describe_bad_read(slots, f, line, thread, text, room);
    else if (f->space == SPACE_GLOBAL)
        describe_device_race(slots, f, line, thread, text, room);
    else
        describe_race(slots, f, line, thread, text, room);
}

void checker_add(struct slots *slots, const struct finding *f)
{
    struct checker *checker = slots->env.check;
    bool read = f->kind == FOUND_BAD_READ;
    *(read ? &checker->bad_reads : &checker->found) += 1;
    for (uint32_t i = 0; i < checker->n_findings; i++) {
        struct mistake *p = &checker->findings[i];
        if (p->kernel == f->kernel && p->line == f->line && p->other_line == f->other_line &&
            p->kind == f->kind) {
            p->count++;
            return;
        }
    }
    if (checker->n_findings == CHECK_FINDINGS) {
        *(read ? &checker->bad_dropped : &checker->dropped) += 1;
        return;
    }
    struct mistake *p = &checker->findings[checker->n_findings++];
    *p = (struct mistake){f->kind, f->kernel, f->line, f->other_line, 1, ""};
    describe(slots, f, p->text, sizeof p->text);
}

struct sum {
    const char *name, *end;
    uint32_t places;
    uint64_t times, dropped;
};

static void sum_line(const struct sum *sum, void (*line)(void *user, const char *text), void *user)
{
    char text[200];
    int n =
        snprintf(text, sizeof text, "%s: %u place%s, %" PRIu64 " time%s%s", sum->name, sum->places,
                 sum->places == 1 ? "" : "s", sum->times, sum->times == 1 ? "" : "s", sum->end);
    if (sum->dropped && n > 0)
        snprintf(text + n, sizeof text - (size_t)n,
                 "; %" PRIu64 " of them at places beyond the first %u", sum->dropped,
                 CHECK_FINDINGS);
    line(user, text);
}

void checker_report(const struct checker *checker, void (*line)(void *user, const char *text),
                    void *user)
{
    char text[1800];
    struct sum mistakes = {"check", "", 0, checker->found, checker->dropped};
    struct sum reads = {"bad read", ", each gave 0", 0, checker->bad_reads, checker->bad_dropped};
    for (uint32_t i = 0; i < checker->n_findings; i++) {
        const struct mistake *p = &checker->findings[i];
        struct sum *sum = p->kind == FOUND_BAD_READ ? &reads : &mistakes;
        sum->places++;
        snprintf(text, sizeof text, "%s: %s; %" PRIu64 " time%s", sum->name, p->text, p->count,
                 p->count == 1 ? "" : "s");
        line(user, text);
    }
    if (checker->checks & ~CHECK_BAD_READS)
        sum_line(&mistakes, line, user);
    if (reads.times)
        sum_line(&reads, line, user);
}

uint64_t checker_found(const struct checker *checker)
{
    return checker->found;
}
