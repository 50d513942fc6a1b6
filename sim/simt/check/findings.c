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
    char text[1300];
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

static void describe_race(const struct slots *slots, const struct finding *f, const char *line,
                          const char *thread, char *text, size_t room)
{
    static const char *const kinds[] = {[FOUND_RAW] = "read after write",
                                        [FOUND_WAR] = "write after read",
                                        [FOUND_WAW] = "write after write"};
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    char other[320], before[64];
    describe_line(f->kernel, f->other_line, other, sizeof other);
    thread_text(ctx->ntid, f->other_thread, before, sizeof before);
    snprintf(text, room,
             "kernel %.120s, %s: race in shared memory, %s without a barrier between: %s %s %u "
             "bytes at shared address 0x%" PRIx64 ", which %s %s at %s; block (%u,%u,%u)",
             f->kernel->name, line, kinds[f->kind], thread,
             f->kind == FOUND_RAW ? "reads" : "writes", f->bytes, f->address, before,
             f->kind == FOUND_WAR ? "reads" : "writes", other, ctx->ctaid[0], ctx->ctaid[1],
             ctx->ctaid[2]);
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

void checker_add(struct slots *slots, const struct finding *f)
{
    struct checker *checker = slots->env.check;
    const struct lane_ctx *ctx = warp_ctx(&slots->warps, f->warp);
    checker->found++;
    for (uint32_t i = 0; i < checker->n_findings; i++) {
        struct mistake *p = &checker->findings[i];
        if (p->kernel == f->kernel && p->line == f->line && p->other_line == f->other_line &&
            p->kind == f->kind) {
            p->count++;
            return;
        }
    }
    if (checker->n_findings == CHECK_FINDINGS) {
        checker->dropped++;
        return;
    }
    struct mistake *p = &checker->findings[checker->n_findings++];
    char line[320], thread[64];
    *p = (struct mistake){f->kind, f->kernel, f->line, f->other_line, 1, ""};
    describe_line(f->kernel, f->line, line, sizeof line);
    snprintf(thread, sizeof thread, "thread (%u,%u,%u)", ctx->tid[0][f->lane], ctx->tid[1][f->lane],
             ctx->tid[2][f->lane]);
    if (f->kind == FOUND_UNINIT)
        describe_uninit(slots, f, line, thread, p->text, sizeof p->text);
    else if (f->kind == FOUND_BARRIER)
        describe_barrier(slots, f, line, thread, p->text, sizeof p->text);
    else
        describe_race(slots, f, line, thread, p->text, sizeof p->text);
}

void checker_report(const struct checker *checker, void (*line)(void *user, const char *text),
                    void *user)
{
    char text[1400];
    for (uint32_t i = 0; i < checker->n_findings; i++) {
        const struct mistake *p = &checker->findings[i];
        snprintf(text, sizeof text, "check: %s; %" PRIu64 " time%s", p->text, p->count,
                 p->count == 1 ? "" : "s");
        line(user, text);
    }
    int n = snprintf(text, sizeof text, "check: %u place%s, %" PRIu64 " time%s",
                     checker->n_findings, checker->n_findings == 1 ? "" : "s", checker->found,
                     checker->found == 1 ? "" : "s");
    if (checker->dropped && n > 0)
        snprintf(text + n, sizeof text - (size_t)n,
                 "; %" PRIu64 " of them at places beyond the first %u", checker->dropped,
                 CHECK_FINDINGS);
    line(user, text);
}

uint64_t checker_found(const struct checker *checker)
{
    return checker->found;
}
