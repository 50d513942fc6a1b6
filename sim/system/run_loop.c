#include "sim/system/run_loop.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"

#define SKIP_CYCLES 1000000000000u /* at once */
#define LONG_WAIT   100000u        /* cycles until the next event: somebody sleeps, nobody hangs */

struct watch {
    uint64_t work, since; /* last change of the work counter */
};

struct joined {
    char text[900];
    size_t length;
};

static void join_line(void *user, const char *text)
{
    struct joined *j = user;
    size_t room = sizeof j->text - j->length;
    int n = snprintf(j->text + j->length, room, "; %s", text);
    if (n > 0)
        j->length += (size_t)n < room ? (size_t)n : room - 1;
}

static enum run_end hung(const struct run_target *target, uint64_t cycles, struct error *err)
{
    struct joined j = {.length = 0};
    char idle[NUMBER_ROOM], now[NUMBER_ROOM];
    target->describe(target->self, join_line, &j);
    if (cycles)
        error_set(err, "hang: no progress for %s cycles, at cycle %s%s",
                  number_grouped(cycles, idle), number_grouped(target->cycle(target->self), now),
                  j.text);
    else
        error_set(err, "hang: no event is left after cycle %s%s",
                  number_grouped(target->cycle(target->self), now), j.text);
    return RUN_HUNG;
}

/* Looks that need not be taken every cycle. */
static enum run_end look_around(const struct run_target *target, const struct run_control *control,
                                struct watch *watch, struct error *err)
{
    uint64_t cycle = target->cycle(target->self);
    uint64_t patience =
        control->watchdog_cycles ? control->watchdog_cycles : DEFAULT_WATCHDOG_CYCLES;
    if (control->progress)
        control->progress(control->user, target);
    uint64_t work = target->work(target->self);
    if (work != watch->work) {
        watch->work = work;
        watch->since = cycle;
    } else if (cycle - watch->since > patience) {
        return hung(target, cycle - watch->since, err);
    }
    return RUN_DONE;
}

enum run_end run_loop(const struct run_target *target, const struct run_control *control,
                      struct error *err)
{
    struct watch watch = {.work = target->work(target->self), .since = target->cycle(target->self)};
    uint64_t limit = control->max_cycles ? control->max_cycles : DEFAULT_MAX_CYCLES;
    for (uint32_t steps = 0;; steps++) {
        /* Every time, since a tick may take milliseconds when the tiles are on a board; and before
         * the end, since a signal cuts calls short, and what a program then does is no result. */
        if (control->stop && *control->stop) {
            error_set(err, "stopped at cycle %llu",
                      (unsigned long long)target->cycle(target->self));
            return RUN_STOPPED;
        }
        if (target->done(target->self))
            return RUN_DONE;
        if (target->cycle(target->self) >= limit) {
            struct joined j = {.length = 0};
            target->describe(target->self, join_line, &j);
            error_set(err, "cycle limit of %llu reached; raise it with --max-cycles%s",
                      (unsigned long long)limit, j.text);
            return RUN_LIMIT;
        }
        if (steps % PROGRESS_STEPS == 0) {
            enum run_end end = look_around(target, control, &watch, err);
            if (end != RUN_DONE)
                return end;
        }
        uint64_t next = target->next_event(target->self), cycle = target->cycle(target->self);
        if (next == UINT64_MAX)
            return hung(target, 0, err);
        if (next > cycle) {
            /* In pieces, so that the limit and the stop flag are looked at on the way. */
            uint64_t end = cycle + SKIP_CYCLES < limit ? cycle + SKIP_CYCLES : limit;
            uint64_t to = next < end ? next : end;
            target->skip_to(target->self, to);
            if (next - cycle >= LONG_WAIT)
                watch.since += to - cycle;
            if (to < next)
                continue;
        }
        if (!target->tick(target->self, err))
            return RUN_FAILED;
    }
}
