/* Tasks of OpenMP for clang's code (clang_on_gomp.c): they run where they are made. So a group of
 * tasks has ended when its block has, and what remains are its reductions. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "sw/cuda/openmp/openmp.h"

static void *memory(size_t bytes)
{
    void *made = calloc(1, bytes);
    if (!made) {
        fprintf(stderr, "evgpu: no memory for an OpenMP task\n");
        abort();
    }
    return made;
}

struct task {
    void *shared;
    int32_t (*run)(int32_t thread, void *task);
    int32_t part;
    void *data[2];
    /* Of a taskloop: */
    uint64_t lower, upper;
    int64_t step;
    int32_t last; /* it has the last turn */
};

SHARED void *__kmpc_omp_task_alloc(void *where, int32_t thread, int32_t flags, size_t bytes,
                                   size_t shared_bytes, int32_t (*run)(int32_t, void *))
{
    const size_t align = _Alignof(max_align_t);
    size_t shared = (bytes + align - 1) / align * align;
    struct task *made = memory(shared + shared_bytes);
    (void)where, (void)thread, (void)flags;
    made->shared = shared_bytes ? (char *)made + shared : NULL;
    made->run = run;
    return made;
}

SHARED int32_t __kmpc_omp_task(void *where, int32_t thread, void *task)
{
    struct task *t = task;
    (void)where;
    t->run(thread, task);
    free(task);
    return 0;
}

SHARED int32_t __kmpc_omp_task_with_deps(void *where, int32_t thread, void *task, int32_t count,
                                         void *list, int32_t others, void *others_list)
{
    (void)count, (void)list, (void)others, (void)others_list;
    return __kmpc_omp_task(where, thread, task);
}

SHARED void __kmpc_omp_task_begin_if0(void *where, int32_t thread, void *task)
{
    (void)where, (void)thread, (void)task;
}

SHARED void __kmpc_omp_task_complete_if0(void *where, int32_t thread, void *task)
{
    (void)where, (void)thread;
    free(task);
}

/* All turns are one task. */
SHARED void __kmpc_taskloop(void *where, int32_t thread, void *task, int32_t condition,
                            uint64_t *lower, uint64_t *upper, int64_t step, int32_t no_group,
                            int32_t schedule, uint64_t grain, void *copy)
{
    (void)condition, (void)lower, (void)upper, (void)step, (void)no_group, (void)schedule;
    (void)grain, (void)copy;
    ((struct task *)task)->last = 1;
    __kmpc_omp_task(where, thread, task);
}

SHARED void __kmpc_omp_wait_deps(void *where, int32_t thread, int32_t count, void *list,
                                 int32_t others, void *others_list)
{
    (void)where, (void)thread, (void)count, (void)list, (void)others, (void)others_list;
}

SHARED int32_t __kmpc_omp_taskyield(void *where, int32_t thread, int32_t part)
{
    (void)where, (void)thread, (void)part;
    return 0;
}

SHARED int32_t __kmpc_omp_taskwait(void *where, int32_t thread)
{
    (void)where, (void)thread;
    return 0;
}

/* --- groups and their reductions --------------------------------------------------------------
 */

/* As clang describes a variable; `begin` may be NULL: of zeroes. */
struct variable {
    void *shared, *original;
    size_t bytes;
    void (*begin)(void *own, void *original);
    void (*end)(void *own);
    void (*add)(void *to, void *own);
    uint32_t flags;
};

/* A thread's own variable. */
struct own {
    struct own *next;
    const struct variable *of;
    const void *thread; /* a place that only this thread has */
    _Alignas(max_align_t) char value[];
};

struct reduction {
    struct reduction *next;
    void *lock;
    struct own *own;
    int32_t count;
    struct variable of[];
};

struct group {
    struct group *outer;
    struct reduction *reductions;
};

static __thread struct group *group;

SHARED void __kmpc_taskgroup(void *where, int32_t thread)
{
    struct group *made = memory(sizeof *made);
    (void)where, (void)thread;
    made->outer = group;
    group = made;
}

static void finish(struct reduction *r)
{
    for (struct own *o = r->own, *next; o; o = next) {
        next = o->next;
        o->of->add(o->of->shared, o->value);
        if (o->of->end)
            o->of->end(o->value);
        free(o);
    }
    free(r);
}

SHARED void __kmpc_end_taskgroup(void *where, int32_t thread)
{
    struct group *ended = group;
    (void)where, (void)thread;
    group = ended->outer;
    for (struct reduction *r = ended->reductions, *next; r; r = next) {
        next = r->next;
        finish(r);
    }
    free(ended);
}

SHARED void *__kmpc_taskred_init(int32_t thread, int32_t count, void *variables)
{
    const struct variable *of = variables;
    struct reduction *r = memory(sizeof *r + (size_t)count * sizeof *r->of);
    (void)thread;
    r->count = count;
    for (int32_t i = 0; i < count; i++)
        r->of[i] = of[i];
    r->next = group->reductions;
    group->reductions = r;
    return r;
}

/* reduction(task, ...) of a region or a loop: each thread's tasks add to its part of that
 * reduction.
 */
SHARED void *__kmpc_taskred_modifier_init(void *where, int32_t thread, int32_t of_loop,
                                          int32_t count, void *variables)
{
    (void)of_loop;
    __kmpc_taskgroup(where, thread);
    return __kmpc_taskred_init(thread, count, variables);
}

SHARED void __kmpc_task_reduction_modifier_fini(void *where, int32_t thread, int32_t of_loop)
{
    (void)of_loop;
    __kmpc_end_taskgroup(where, thread);
}

/* A task may name the variable itself, or the own one of the task around it. */
static const struct variable *find(struct reduction *r, const void *item)
{
    for (int32_t i = 0; i < r->count; i++)
        if (r->of[i].shared == item)
            return &r->of[i];
    for (struct own *o = r->own; o; o = o->next)
        if (o->value == item)
            return o->of;
    return NULL;
}

static void *own_of(struct reduction *r, const struct variable *v)
{
    struct own *o = r->own;
    while (o && (o->of != v || o->thread != &group))
        o = o->next;
    if (o)
        return o->value;
    o = memory(sizeof *o + v->bytes);
    o->of = v;
    o->thread = &group;
    if (v->begin)
        v->begin(o->value, v->original);
    o->next = r->own;
    r->own = o;
    return o->value;
}

static void *take(struct reduction *r, const void *item)
{
    GOMP_critical_name_start(&r->lock);
    const struct variable *v = find(r, item);
    void *own = v ? own_of(r, v) : NULL;
    GOMP_critical_name_end(&r->lock);
    return own;
}

/* Without `reduction` it is that of the nearest group which has the variable. */
SHARED void *__kmpc_task_reduction_get_th_data(int32_t thread, void *reduction, void *item)
{
    void *own = reduction ? take(reduction, item) : NULL;
    (void)thread;
    for (struct group *g = group; g && !own; g = g->outer)
        for (struct reduction *r = g->reductions; r && !own; r = r->next)
            own = take(r, item);
    return own ? own : item;
}
