/* What clang's code calls for OpenMP, by gcc's library (libgomp), so that host code of .cu files,
 * which clang compiles, has the threads that gcc's objects have. nvcc joins this object with those
 * that need it; a program links libgomp, as for gcc. All of it is weak: many objects bring it, one
 * is taken.
 *
 * Names and arguments are those of clang's interface (LLVM's kmp.h). Tasks run at once, a league
 * has one team, and nothing is cancelled, as without OMP_CANCELLATION. What is missing is an
 * unresolved symbol of the program. */
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/cuda/openmp/openmp.h"

/* --- of gcc's library ------------------------------------------------------------------------- */

void GOMP_parallel(void (*region)(void *), void *data, unsigned int threads, unsigned int flags);
void GOMP_barrier(void);
bool GOMP_single_start(void);
bool GOMP_loop_dynamic_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_guided_start(long start, long end, long step, long chunk, long *from, long *to);
bool GOMP_loop_runtime_start(long start, long end, long step, long *from, long *to);
bool GOMP_loop_dynamic_next(long *from, long *to);
bool GOMP_loop_guided_next(long *from, long *to);
bool GOMP_loop_runtime_next(long *from, long *to);
bool GOMP_loop_ordered_static_start(long start, long end, long step, long chunk, long *from,
                                    long *to);
bool GOMP_loop_ordered_dynamic_start(long start, long end, long step, long chunk, long *from,
                                     long *to);
bool GOMP_loop_ordered_guided_start(long start, long end, long step, long chunk, long *from,
                                    long *to);
bool GOMP_loop_ordered_runtime_start(long start, long end, long step, long *from, long *to);
bool GOMP_loop_ordered_static_next(long *from, long *to);
bool GOMP_loop_ordered_dynamic_next(long *from, long *to);
bool GOMP_loop_ordered_guided_next(long *from, long *to);
bool GOMP_loop_ordered_runtime_next(long *from, long *to);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_loop_end_nowait(void);
int omp_get_thread_num(void);

/* --- regions ---------------------------------------------------------------------------------- */

#define FOUR(a, i)    a[i], a[i + 1], a[i + 2], a[i + 3]
#define SIXTEEN(a, i) FOUR(a, i), FOUR(a, i + 4), FOUR(a, i + 8), FOUR(a, i + 12)

static __thread struct openmp_member member;
static __thread int32_t wanted_threads; /* of the next region; 0: as the program's settings say */

/* The function takes those arguments that it has, as all functions of this machine do. */
static void enter(void *data)
{
    struct region *r = data;
    struct openmp_member outer = member;
    int32_t thread = omp_get_thread_num(), bound = 0;
    member = (struct openmp_member){.region = r};
    r->function(&thread, &bound, SIXTEEN(r->arguments, 0), SIXTEEN(r->arguments, 16));
    member = outer;
}

SHARED struct openmp_member *evgpu_openmp_here(void)
{
    return &member;
}

static void take_arguments(struct region *r, int32_t count, va_list list)
{
    if (count > MOST_ARGUMENTS) {
        fprintf(stderr, "evgpu: an OpenMP region has %d shared variables; %d is the most\n", count,
                MOST_ARGUMENTS);
        abort();
    }
    for (int32_t i = 0; i < count; i++)
        r->arguments[i] = va_arg(list, void *);
}

SHARED void __kmpc_fork_call(void *where, int32_t count, region_function *function, ...)
{
    struct region r = {.function = function};
    unsigned int threads = (unsigned int)wanted_threads;
    va_list list;
    (void)where;
    va_start(list, function);
    take_arguments(&r, count, list);
    va_end(list);
    wanted_threads = 0;
    GOMP_parallel(enter, &r, threads, 0);
}

/* The only team's first thread is the one that is here. */
SHARED void __kmpc_fork_teams(void *where, int32_t count, region_function *function, ...)
{
    struct region r = {.function = function};
    int32_t thread = 0, bound = 0;
    va_list list;
    (void)where;
    va_start(list, function);
    take_arguments(&r, count, list);
    va_end(list);
    function(&thread, &bound, SIXTEEN(r.arguments, 0), SIXTEEN(r.arguments, 16));
}

SHARED void __kmpc_push_num_teams(void *where, int32_t thread, int32_t teams, int32_t threads)
{
    (void)where, (void)thread, (void)teams;
    wanted_threads = threads;
}

SHARED void __kmpc_push_num_threads(void *where, int32_t thread, int32_t threads)
{
    (void)where, (void)thread;
    wanted_threads = threads;
}

SHARED void __kmpc_push_proc_bind(void *where, int32_t thread, int32_t bind)
{
    (void)where, (void)thread, (void)bind;
}

SHARED int32_t __kmpc_global_thread_num(void *where)
{
    (void)where;
    return omp_get_thread_num();
}

/* A region whose condition does not hold: clang's code calls its function itself. */
SHARED void __kmpc_serialized_parallel(void *where, int32_t thread)
{
    (void)where, (void)thread;
    wanted_threads = 0;
}

SHARED void __kmpc_end_serialized_parallel(void *where, int32_t thread)
{
    (void)where, (void)thread;
}

/* --- who runs what ---------------------------------------------------------------------------- */

SHARED void __kmpc_barrier(void *where, int32_t thread)
{
    (void)where, (void)thread;
    GOMP_barrier();
}

SHARED int32_t __kmpc_master(void *where, int32_t thread)
{
    (void)where, (void)thread;
    return omp_get_thread_num() == 0;
}

SHARED void __kmpc_end_master(void *where, int32_t thread)
{
    (void)where, (void)thread;
}

SHARED int32_t __kmpc_masked(void *where, int32_t thread, int32_t chosen)
{
    (void)where, (void)thread;
    return omp_get_thread_num() == chosen;
}

SHARED void __kmpc_end_masked(void *where, int32_t thread)
{
    (void)where, (void)thread;
}

SHARED int32_t __kmpc_single(void *where, int32_t thread)
{
    (void)where, (void)thread;
    return GOMP_single_start();
}

SHARED void __kmpc_end_single(void *where, int32_t thread)
{
    (void)where, (void)thread;
}

/* Behind a single region; `here`: this thread was the one in it. Without a region there is but one.
 */
SHARED void __kmpc_copyprivate(void *where, int32_t thread, size_t bytes, void *data,
                               void (*copy)(void *to, void *from), int32_t here)
{
    (void)where, (void)thread, (void)bytes;
    if (!member.region)
        return;
    if (here)
        member.region->copied = data;
    GOMP_barrier();
    if (!here)
        copy(data, member.region->copied);
    GOMP_barrier();
}

SHARED void __kmpc_ordered(void *where, int32_t thread)
{
    (void)where, (void)thread;
    GOMP_ordered_start();
}

SHARED void __kmpc_end_ordered(void *where, int32_t thread)
{
    (void)where, (void)thread;
    GOMP_ordered_end();
}

SHARED int32_t __kmpc_cancel(void *where, int32_t thread, int32_t kind)
{
    (void)where, (void)thread, (void)kind;
    return 0;
}

SHARED int32_t __kmpc_cancellationpoint(void *where, int32_t thread, int32_t kind)
{
    (void)where, (void)thread, (void)kind;
    return 0;
}

SHARED int32_t __kmpc_cancel_barrier(void *where, int32_t thread)
{
    (void)where, (void)thread;
    GOMP_barrier();
    return 0;
}

SHARED void __kmpc_critical(void *where, int32_t thread, void **lock)
{
    (void)where, (void)thread;
    GOMP_critical_name_start(lock);
}

SHARED void __kmpc_critical_with_hint(void *where, int32_t thread, void **lock, uint32_t hint)
{
    (void)hint;
    __kmpc_critical(where, thread, lock);
}

SHARED void __kmpc_end_critical(void *where, int32_t thread, void **lock)
{
    (void)where, (void)thread;
    GOMP_critical_name_end(lock);
}

SHARED void __kmpc_flush(void *where, ...)
{
    (void)where;
    __sync_synchronize();
}

/* 1: the thread adds its part to the result itself, and no other one does meanwhile. */
SHARED int32_t __kmpc_reduce_nowait(void *where, int32_t thread, int32_t count, size_t bytes,
                                    void *data, void (*add)(void *, void *), void **lock)
{
    (void)where, (void)thread, (void)count, (void)bytes, (void)data, (void)add;
    GOMP_critical_name_start(lock);
    return 1;
}

SHARED void __kmpc_end_reduce_nowait(void *where, int32_t thread, void **lock)
{
    (void)where, (void)thread;
    GOMP_critical_name_end(lock);
}

SHARED int32_t __kmpc_reduce(void *where, int32_t thread, int32_t count, size_t bytes, void *data,
                             void (*add)(void *, void *), void **lock)
{
    return __kmpc_reduce_nowait(where, thread, count, bytes, data, add, lock);
}

SHARED void __kmpc_end_reduce(void *where, int32_t thread, void **lock)
{
    (void)where, (void)thread;
    GOMP_critical_name_end(lock);
    GOMP_barrier();
}

/* --- loops ------------------------------------------------------------------------------------ */

enum {
    STATIC_CHUNKED = 33,
    GUIDED = 36,
    RUNTIME = 37,
    ORDERED_CHUNKED = 65, /* from here on ordered */
    ORDERED_STATIC = 66,
    ORDERED_GUIDED = 68,
    ORDERED_RUNTIME = 69,
    TEAMS_CHUNKED = 91, /* among the teams of a league */
    TEAMS_STATIC = 92
};
#define SCHEDULE_MASK 0xffff /* above it: modifiers */

struct loop {
    int64_t lower, upper, step; /* both bounds are of the loop */
};

/* The turns of a loop; a difference of unsigned bounds of 64 bits fits, too. */
static uint64_t turns_of(const struct loop *l)
{
    if (l->step > 0 ? l->upper < l->lower : l->lower < l->upper)
        return 0;
    uint64_t apart = l->step > 0 ? (uint64_t)l->upper - (uint64_t)l->lower
                                 : (uint64_t)l->lower - (uint64_t)l->upper;
    return apart / (uint64_t)(l->step > 0 ? l->step : -l->step) + 1;
}

/* A thread's part: one run of turns, or chunks in turn, the next one `stride` further. */
static int64_t part_of(struct loop *l, int32_t schedule, int64_t chunk, bool *last)
{
    uint64_t turns = turns_of(l), thread = (uint64_t)omp_get_thread_num(),
             threads = (uint64_t)omp_get_num_threads();
    schedule &= SCHEDULE_MASK;
    if (schedule == TEAMS_CHUNKED || schedule == TEAMS_STATIC)
        thread = 0, threads = 1;
    if (schedule == STATIC_CHUNKED) {
        uint64_t size = chunk > 0 ? (uint64_t)chunk : 1;
        int64_t span = (int64_t)size * l->step;
        *last = turns && thread == (turns - 1) / size % threads;
        l->lower += span * (int64_t)thread;
        l->upper = l->lower + span - l->step;
        return span * (int64_t)threads;
    }
    uint64_t each = turns / threads, more = turns % threads,
             before = thread * each + (thread < more ? thread : more),
             mine = each + (thread < more);
    int64_t end = l->upper;
    *last = mine && before + mine == turns;
    l->upper = l->lower + ((int64_t)(before + mine) - 1) * l->step;
    l->lower += (int64_t)before * l->step;
    if (!mine) { /* a part that the code's own test finds empty */
        l->lower = end + l->step;
        l->upper = end;
    }
    return (int64_t)turns * l->step;
}

#define STATIC_LOOP(name, T, S)                                                                    \
    SHARED void __kmpc_for_static_init_##name(void *where, int32_t thread, int32_t schedule,       \
                                              int32_t *last, T *lower, T *upper, S *stride,        \
                                              S step, S chunk)                                     \
    {                                                                                              \
        struct loop l = {(int64_t)*lower, (int64_t)*upper, step};                                  \
        bool is_last = false;                                                                      \
        (void)where, (void)thread;                                                                 \
        *stride = (S)part_of(&l, schedule, chunk, &is_last);                                       \
        *lower = (T)l.lower;                                                                       \
        *upper = (T)l.upper;                                                                       \
        if (last)                                                                                  \
            *last = is_last;                                                                       \
    }
STATIC_LOOP(4, int32_t, int32_t)
STATIC_LOOP(4u, uint32_t, int32_t)
STATIC_LOOP(8, int64_t, int64_t)
STATIC_LOOP(8u, uint64_t, int64_t)

SHARED void __kmpc_for_static_fini(void *where, int32_t thread)
{
    (void)where, (void)thread;
}

/* A loop whose threads ask for chunks: the first one is there from its begin on. */
static __thread struct {
    int32_t schedule;
    long step, last, from, to;
    bool ready, more;
} asked;

/* gcc's calls for a kind of schedule. Those of RUNTIME take no size of a chunk. */
static const struct schedule {
    bool (*start)(long, long, long, long, long *, long *);
    bool (*next)(long *, long *);
} dynamic = {GOMP_loop_dynamic_start, GOMP_loop_dynamic_next},
  guided = {GOMP_loop_guided_start, GOMP_loop_guided_next},
  runtime = {NULL, GOMP_loop_runtime_next},
  ordered_static = {GOMP_loop_ordered_static_start, GOMP_loop_ordered_static_next},
  ordered_dynamic = {GOMP_loop_ordered_dynamic_start, GOMP_loop_ordered_dynamic_next},
  ordered_guided = {GOMP_loop_ordered_guided_start, GOMP_loop_ordered_guided_next},
  ordered_runtime = {NULL, GOMP_loop_ordered_runtime_next};

static const struct schedule *schedule_of(int32_t number)
{
    switch (number) {
    case GUIDED:
        return &guided;
    case RUNTIME:
        return &runtime;
    case ORDERED_CHUNKED:
    case ORDERED_STATIC:
        return &ordered_static;
    case ORDERED_GUIDED:
        return &ordered_guided;
    case ORDERED_RUNTIME:
        return &ordered_runtime;
    default:
        return number > ORDERED_RUNTIME || number < ORDERED_CHUNKED ? &dynamic : &ordered_dynamic;
    }
}

static void ask(const struct loop *l, int32_t schedule, int64_t chunk)
{
    long end = l->upper + (l->step > 0 ? 1 : -1), size = chunk > 0 ? chunk : 1;
    asked.schedule = schedule & SCHEDULE_MASK;
    asked.step = l->step;
    asked.last = l->upper;
    asked.ready = true;
    if (asked.schedule == ORDERED_STATIC)
        size = 0; /* one run of turns for each thread */
    if (asked.schedule == RUNTIME)
        asked.more = GOMP_loop_runtime_start(l->lower, end, l->step, &asked.from, &asked.to);
    else if (asked.schedule == ORDERED_RUNTIME)
        asked.more =
            GOMP_loop_ordered_runtime_start(l->lower, end, l->step, &asked.from, &asked.to);
    else
        asked.more = schedule_of(asked.schedule)
                         ->start(l->lower, end, l->step, size, &asked.from, &asked.to);
}

static bool answer(struct loop *l, bool *last)
{
    if (!asked.ready)
        asked.more = schedule_of(asked.schedule)->next(&asked.from, &asked.to);
    asked.ready = false;
    if (!asked.more) {
        GOMP_loop_end_nowait();
        return false;
    }
    l->lower = asked.from;
    l->upper = asked.to - (asked.step > 0 ? 1 : -1);
    l->step = asked.step;
    *last = asked.step > 0 ? asked.to > asked.last : asked.to < asked.last;
    return true;
}

#define ASKED_LOOP(name, T, S)                                                                     \
    SHARED void __kmpc_dispatch_init_##name(void *where, int32_t thread, int32_t schedule,         \
                                            T lower, T upper, S step, S chunk)                     \
    {                                                                                              \
        struct loop l = {(int64_t)lower, (int64_t)upper, step};                                    \
        (void)where, (void)thread;                                                                 \
        ask(&l, schedule, chunk);                                                                  \
    }                                                                                              \
    SHARED int32_t __kmpc_dispatch_next_##name(void *where, int32_t thread, int32_t *last,         \
                                               T *lower, T *upper, S *step)                        \
    {                                                                                              \
        struct loop l = {0, 0, 0};                                                                 \
        bool is_last = false;                                                                      \
        (void)where, (void)thread;                                                                 \
        if (!answer(&l, &is_last))                                                                 \
            return 0;                                                                              \
        *lower = (T)l.lower;                                                                       \
        *upper = (T)l.upper;                                                                       \
        *step = (S)l.step;                                                                         \
        if (last)                                                                                  \
            *last = is_last;                                                                       \
        return 1;                                                                                  \
    }                                                                                              \
    SHARED void __kmpc_dispatch_fini_##name(void *where, int32_t thread)                           \
    {                                                                                              \
        (void)where, (void)thread; /* a turn of an ordered loop */                                 \
    }
ASKED_LOOP(4, int32_t, int32_t)
ASKED_LOOP(4u, uint32_t, int32_t)
ASKED_LOOP(8, int64_t, int64_t)
ASKED_LOOP(8u, uint64_t, int64_t)
