#include "sim/simt/check/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/simt/check/bad_access.h"
#include "sim/simt/check/check_internal.h"

struct mistake {
    enum finding_kind kind;
    const struct kernel *kernel;
    uint32_t line, other_line;
    uint64_t count;
    char text[1300];
};

struct checker *checker_create(uint32_t checks, struct image *image, uint32_t cores,
                               uint32_t blocks)
{
    struct checker *checker = ALLOC(struct checker);
    checker->checks = checks;
    checker->image = image;
    checker->places = ALLOC_ARRAY(struct mistake, CHECK_PLACES);
    checker->races = race_create(cores, blocks);
    if (checks & CHECK_UNINIT)
        image_watch(image);
    return checker;
}

void checker_destroy(struct checker *checker)
{
    if (!checker)
        return;
    race_destroy(checker->races);
    free(checker->places);
    free(checker);
}

/* --- findings --------------------------------------------------------------------------------- */

static void thread_text(const uint32_t ntid[3], uint32_t linear, char *text, size_t room)
{
    uint32_t x = ntid[0] ? ntid[0] : 1, y = ntid[1] ? ntid[1] : 1;
    snprintf(text, room, "thread (%u,%u,%u)", linear % x, linear / x % y, linear / x / y);
}

static void describe_uninit(const struct core *c, const struct finding *f, const char *line,
                            const char *thread, char *text, size_t room)
{
    static const char *const spaces[] = {
        [SPACE_GLOBAL] = "", [SPACE_SHARED] = "shared ", [SPACE_LOCAL] = "local "};
    const struct lane_ctx *ctx = warp_ctx(&c->warps, f->warp);
    char where[300] = "";
    if (f->space == SPACE_GLOBAL)
        access_place(c, f->address, where, sizeof where);
    snprintf(text, room,
             "kernel %.200s, %s: %u bytes at %saddress 0x%" PRIx64
             " are read and were never written%s%s; block (%u,%u,%u), %s",
             f->kernel->name, line, f->bytes, spaces[f->space], f->address, *where ? ": " : "",
             where, ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2], thread);
}

static void describe_race(const struct core *c, const struct finding *f, const char *line,
                          const char *thread, char *text, size_t room)
{
    static const char *const kinds[] = {[FOUND_RAW] = "read after write",
                                        [FOUND_WAR] = "write after read",
                                        [FOUND_WAW] = "write after write"};
    const struct lane_ctx *ctx = warp_ctx(&c->warps, f->warp);
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

static void describe_barrier(const struct core *c, const struct finding *f, const char *line,
                             const char *thread, char *text, size_t room)
{
    const struct lane_ctx *ctx = warp_ctx(&c->warps, f->warp);
    uint32_t away = f->other_thread;
    snprintf(text, room,
             "kernel %.120s, %s: divergent barrier %u: %s is there, thread (%u,%u,%u) of the same "
             "warp is not; block (%u,%u,%u)",
             f->kernel->name, line, (uint32_t)f->address, thread, ctx->tid[0][away],
             ctx->tid[1][away], ctx->tid[2][away], ctx->ctaid[0], ctx->ctaid[1], ctx->ctaid[2]);
}

void checker_add(struct core *c, const struct finding *f)
{
    struct checker *checker = c->env.check;
    const struct lane_ctx *ctx = warp_ctx(&c->warps, f->warp);
    checker->found++;
    for (uint32_t i = 0; i < checker->n_places; i++) {
        struct mistake *p = &checker->places[i];
        if (p->kernel == f->kernel && p->line == f->line && p->other_line == f->other_line &&
            p->kind == f->kind) {
            p->count++;
            return;
        }
    }
    if (checker->n_places == CHECK_PLACES) {
        checker->dropped++;
        return;
    }
    struct mistake *p = &checker->places[checker->n_places++];
    char line[320], thread[64];
    *p = (struct mistake){f->kind, f->kernel, f->line, f->other_line, 1, ""};
    describe_line(f->kernel, f->line, line, sizeof line);
    snprintf(thread, sizeof thread, "thread (%u,%u,%u)", ctx->tid[0][f->lane], ctx->tid[1][f->lane],
             ctx->tid[2][f->lane]);
    if (f->kind == FOUND_UNINIT)
        describe_uninit(c, f, line, thread, p->text, sizeof p->text);
    else if (f->kind == FOUND_BARRIER)
        describe_barrier(c, f, line, thread, p->text, sizeof p->text);
    else
        describe_race(c, f, line, thread, p->text, sizeof p->text);
}

void checker_report(const struct checker *checker, void (*line)(void *user, const char *text),
                    void *user)
{
    char text[1400];
    for (uint32_t i = 0; i < checker->n_places; i++) {
        const struct mistake *p = &checker->places[i];
        snprintf(text, sizeof text, "check: %s; %" PRIu64 " time%s", p->text, p->count,
                 p->count == 1 ? "" : "s");
        line(user, text);
    }
    int n =
        snprintf(text, sizeof text, "check: %u place%s, %" PRIu64 " time%s", checker->n_places,
                 checker->n_places == 1 ? "" : "s", checker->found, checker->found == 1 ? "" : "s");
    if (checker->dropped && n > 0)
        snprintf(text + n, sizeof text - (size_t)n,
                 "; %" PRIu64 " of them at places beyond the first %u", checker->dropped,
                 CHECK_PLACES);
    line(user, text);
}

uint64_t checker_found(const struct checker *checker)
{
    return checker->found;
}

/* --- from the cores --------------------------------------------------------------------------- */

void check_block(struct core *c, uint32_t slot)
{
    race_block(c, slot);
    if (c->env.check->checks & CHECK_UNINIT)
        uninit_block(c, slot);
}

/* The shared cells are kept for both checks: what was written is known from them. */
void check_access(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                  const struct places *p)
{
    if (c->env.check->checks & CHECK_UNINIT)
        uninit_access(c, w, inst, mask, p);
    if (p->shared)
        race_access(c, w, inst, p);
}

void check_arrive(struct core *c, uint32_t w, const struct inst *inst, uint32_t mask,
                  uint32_t barrier)
{
    uint32_t away = stack_lanes(&c->stacks, w) & ~mask;
    if (away && c->env.check->checks & CHECK_BARRIERS)
        checker_add(c, &(struct finding){.kind = FOUND_BARRIER,
                                         .kernel = warp_of(&c->warps, w)->kernel,
                                         .line = inst->line,
                                         .warp = w,
                                         .lane = lowest(mask),
                                         .other_thread = lowest(away),
                                         .address = barrier});
    race_arrive(c, w, barrier);
}

void check_release(struct core *c, uint32_t slot, uint32_t barrier, uint64_t waiting)
{
    race_release(c, slot, barrier, waiting);
}
