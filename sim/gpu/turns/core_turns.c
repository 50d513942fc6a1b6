/* A cycle of all cores: first each of them by itself, on the threads of the team, then their
 * meeting, in the order of their numbers. So neither the order in which cores run nor the number of
 * threads shows in any result.
 *
 * A core is always the same thread's, which also keeps the cycle of the core's next action. What
 * somebody else wants of a core, he says in gpu->core_wake. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/gpu/turns/thread_model.h"

struct letter {
    uint64_t cycle;
    uint64_t called; /* cores that have something to do, whatever they think themselves */
};

/* Bit per core. */
struct answer {
    uint64_t next; /* the first cycle in which one of the thread's cores has something to do */
    uint64_t ran, ports, stores, mail, faults; /* ran; needs these steps of the meeting */
    uint64_t waits;                            /* core_waits_for_room */
};

_Static_assert(sizeof(struct letter) <= TEAM_LETTER && sizeof(struct answer) <= TEAM_ANSWER,
               "one line each way");

/* A thread's cores. */
struct crew {
    _Alignas(CACHE_LINE) uint32_t first, end;
    struct letter *letter;
    struct answer *answer;
    struct core **core; /* of all */
    uint64_t *next;     /* of each from `first` on */
};

static void run_core(struct core *core, uint32_t number, uint64_t cycle, uint64_t *next,
                     struct answer *a)
{
    uint64_t bit = (uint64_t)1 << number;
    uint32_t steps = core_run(core, cycle);
    *next = core_next_event(core);
    if (*next > cycle + 1 && core_waits_for_room(core))
        a->waits |= bit;
    a->ran |= bit;
    a->ports |= steps & CORE_PORT ? bit : 0;
    a->stores |= steps & CORE_STORES ? bit : 0;
    a->mail |= steps & CORE_MAIL ? bit : 0;
    a->faults |= steps & CORE_FAULT ? bit : 0;
}

static void run_crew(void *user, uint32_t thread)
{
    struct core_turns *t = user;
    struct crew *crew = &t->crew[thread];
    const struct letter l = *crew->letter;
    struct answer a = {.next = UINT64_MAX};
    for (uint32_t i = crew->first; i < crew->end; i++) {
        uint64_t *next = &crew->next[i - crew->first];
        if (l.cycle >= *next || l.called >> i & 1) {
            core_expect(crew->core[i + 1 < crew->end ? i + 1 : crew->first]);
            run_core(crew->core[i], i, l.cycle, next, &a);
        }
        a.next = *next < a.next ? *next : a.next;
    }
    *crew->answer = a;
}

/* The same on one thread, with a look at the clock around each core. */
static void run_measured(struct gpu *gpu)
{
    struct crew *crew = &gpu->turns.crew[0];
    struct core_run_time time[GPU_MAX_CORES];
    uint32_t count = 0;
    struct answer a = {.next = UINT64_MAX};
    for (uint32_t i = crew->first; i < crew->end; i++) {
        if (gpu->cycle >= crew->next[i] || crew->letter->called >> i & 1) {
            struct core_run_time *t = &time[count++];
            t->core = i;
            t->begin = thread_model_now();
            run_core(crew->core[i], i, gpu->cycle, &crew->next[i], &a);
            t->end = thread_model_now();
            t->port = a.ports >> i & 1;
            t->stores = a.stores >> i & 1;
        }
        a.next = crew->next[i] < a.next ? crew->next[i] : a.next;
    }
    *crew->answer = a;
    thread_model_cycle(gpu->config.thread_model, time, count, gpu->config.cores);
}

void core_turns_create(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    uint32_t cores = gpu->config.cores;
    t->threads = gpu->config.threads ? gpu->config.threads : 1;
    t->threads = t->threads < cores ? t->threads : cores;
    t->team = team_create(t->threads);
    t->crew = alloc_lines(t->threads, sizeof *t->crew);
    t->core = ALLOC_ARRAY(struct core *, cores);
    for (uint32_t i = 0; i < cores; i++)
        t->core[i] = gpu->sm[i].core;
    for (uint32_t i = 0; i < t->threads; i++) {
        struct crew *crew = &t->crew[i];
        *crew = (struct crew){.first = cores * i / t->threads,
                              .end = cores * (i + 1) / t->threads,
                              .letter = team_letter(t->team, i),
                              .answer = team_answer(t->team, i),
                              .core = t->core};
        crew->next = alloc_lines(crew->end - crew->first, sizeof *crew->next);
        crew->answer->next = 0;
    }
    memsys_use_boxes(gpu->memsys, t->threads > 1 || gpu->config.thread_model);
}

void core_turns_destroy(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    team_destroy(t->team);
    for (uint32_t i = 0; t->crew && i < t->threads; i++)
        free(t->crew[i].next);
    free(t->crew);
    free(t->core);
}

uint64_t core_turns_next(const struct gpu *gpu)
{
    uint64_t next = gpu->turns.waiting && memsys_room_ports(gpu->memsys) ? gpu->cycle : UINT64_MAX;
    for (uint32_t i = 0; i < gpu->turns.threads; i++) {
        uint64_t one = gpu->turns.crew[i].answer->next;
        next = one < next ? one : next;
    }
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        next = gpu->core_wake[i] < next ? gpu->core_wake[i] : next;
    return next;
}

/* Who asks for room on the bus while little is left depends on the others; and the checks look at
 * what several cores do. */
static bool needs_order(const struct gpu *gpu)
{
    return gpu->check || !bus_port_room_for_all(gpu);
}

/* Cores that have a reply, or room for a request, or that somebody wants something of. */
static uint64_t called(struct gpu *gpu)
{
    uint64_t cores =
        memsys_reply_ports(gpu->memsys, 0) & (UINT64_MAX >> (GPU_MAX_CORES - gpu->config.cores));
    if (gpu->turns.waiting)
        cores |= memsys_room_ports(gpu->memsys);
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (gpu->cycle < gpu->core_wake[i])
            continue;
        cores |= (uint64_t)1 << i;
        gpu->core_wake[i] = UINT64_MAX;
    }
    return cores;
}

/* Runs the cores that are awake; the steps of their meeting. */
static struct answer run_cores(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    const struct letter l = {.cycle = gpu->cycle, .called = called(gpu)};
    uint64_t parts = 0;
    for (uint32_t i = 0; i < t->threads; i++) {
        const struct crew *crew = &t->crew[i];
        uint64_t own = (((uint64_t)2 << (crew->end - 1 - crew->first)) - 1) << crew->first;
        if (l.cycle < crew->answer->next && !(l.called & own))
            continue;
        parts |= (uint64_t)1 << i;
        *crew->letter = l;
    }
    if (t->threads > 1 || gpu->config.thread_model)
        memsys_fill_boxes(gpu->memsys, gpu->config.cores);
    if (gpu->config.thread_model && parts)
        run_measured(gpu);
    else if (parts > 1 && !needs_order(gpu))
        team_run(t->team, parts, run_crew, t);
    else
        for (uint64_t left = parts; left; left &= left - 1)
            run_crew(t, (uint32_t)__builtin_ctzll(left));
    struct answer sum = {.next = 0};
    for (; parts; parts &= parts - 1) {
        const struct answer *a = t->crew[__builtin_ctzll(parts)].answer;
        sum.ran |= a->ran;
        sum.ports |= a->ports;
        sum.stores |= a->stores;
        sum.mail |= a->mail;
        sum.faults |= a->faults;
        sum.waits |= a->waits;
    }
    gpu->turns.turned = gpu->cycle + 1;
    if ((t->waiting & sum.ran) | sum.waits) {
        memsys_wait(gpu->memsys, sum.ran, sum.waits);
        t->waiting = (t->waiting & ~sum.ran) | sum.waits;
    }
    return sum;
}

/* --- the meeting ------------------------------------------------------------------------------ */

static uint32_t first_of(uint64_t cores)
{
    return (uint32_t)__builtin_ctzll(cores);
}

/* Those that have found a fault. */
static uint64_t meet_mail(struct gpu *gpu, uint64_t cores)
{
    uint64_t faults = 0;
    gpu->bus.granted = 0;
    for (; cores; cores &= cores - 1) {
        uint32_t i = first_of(cores);
        core_meet_mail(gpu->sm[i].core);
        if (!core_fault_text(gpu->sm[i].core))
            continue;
        faults |= (uint64_t)1 << i;
        gpu->core_wake[i] = gpu->cycle;
    }
    return faults;
}

bool core_turns(struct gpu *gpu, struct error *err)
{
    struct answer sum = run_cores(gpu);
    for (uint64_t m = sum.ports; m; m &= m - 1)
        core_meet_port(gpu->sm[first_of(m)].core);
    for (uint64_t m = gpu->concurrency ? sum.ran : 0; m; m &= m - 1)
        concurrency_core_ticked(gpu->concurrency, first_of(m), gpu->cycle - gpu->concurrency_slept);
    for (uint64_t m = sum.stores; m; m &= m - 1)
        core_meet_stores(gpu->sm[first_of(m)].core);
    if (sum.mail)
        sum.faults |= meet_mail(gpu, sum.mail);
    for (uint64_t m = sum.faults; m; m &= m - 1)
        if (!kernel_fault_of_core(gpu, first_of(m), err))
            return false;
    return true;
}
