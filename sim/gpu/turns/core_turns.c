/* A cycle of all cores: first each of them by itself, on the threads of the team, then their
 * meeting, in the order of their numbers. So neither the order in which cores run nor the number of
 * threads shows in any result.
 *
 * A core may go on with cycles to come, up to the end of the turn, while nothing in them depends on
 * others (core_next_alone). Turns end with every cycle whose number is a multiple of `ahead`. What
 * such a core leaves for the meeting waits until the others have had its cycle, too.
 *
 * A core is always the same thread's, which also keeps the cycle of the core's next action. What
 * somebody else wants of a core, he says in gpu->core_wake. */
#include <stdlib.h>

#include "base/alloc.h"
#include "sim/gpu/gpu_internal.h"
#include "sim/mem/port_box.h"
#include "sim/gpu/turns/thread_model.h"

struct letter {
    uint64_t cycle;
    uint64_t end;    /* cores may run up to this cycle, which is not theirs any more */
    uint64_t called; /* cores that have something to do, whatever they think themselves */
    uint64_t free;   /* cores that may run now */
};

/* Bit per core. */
struct answer {
    uint64_t next; /* the first cycle in which one of the thread's cores has something to do */
    uint64_t ran, ports, stores, mail, faults; /* ran; needs these steps of the meeting */
    uint64_t waits;                            /* core_waits_for_room */
};

_Static_assert(sizeof(struct letter) <= TEAM_LETTER && sizeof(struct answer) <= TEAM_ANSWER,
               "one line each way");

struct turn {
    uint64_t next; /* the cycle of the core's next action */
    uint64_t last; /* the last cycle that it has run */
    uint64_t port; /* the first cycle with CORE_PORT that it has run */
};

/* A thread's cores. */
struct crew {
    _Alignas(CACHE_LINE) uint32_t first, end;
    uint32_t ahead; /* of core_turns */
    struct letter *letter;
    struct answer *answer;
    struct core **core; /* of all */
    struct memsys *memsys;
    struct turn *turn; /* of each from `first` on */
};

static uint64_t bit_of(uint32_t core)
{
    return (uint64_t)1 << core;
}

/* The core runs from `cycle` on, as far before the others as it can. */
static void run_core(const struct crew *crew, uint32_t number, uint64_t cycle, struct answer *a)
{
    struct core *core = crew->core[number];
    struct turn *turn = &crew->turn[number - crew->first];
    uint64_t bit = bit_of(number), end = crew->letter->end;
    uint32_t steps;
    struct port_box *box = memsys_box(crew->memsys, number);
    box_open(box);
    for (;; cycle = turn->next) {
        steps = core_run(core, cycle);
        turn->last = cycle;
        turn->next = core_next_event(core);
        if (cycle + 1 >= end || steps & ~(uint32_t)CORE_PORT)
            break;
        uint64_t next = core_next_alone(core, turn->next);
        if (next >= end)
            break;
        turn->next = next;
    }
    if (turn->next > turn->last + 1 && core_waits_for_room(core))
        a->waits |= bit;
    turn->port = box_first(box);
    a->ran |= bit;
    a->ports |= steps & CORE_PORT ? bit : 0;
    a->stores |= steps & CORE_STORES ? bit : 0;
    a->mail |= steps & CORE_MAIL ? bit : 0;
    a->faults |= steps & CORE_FAULT ? bit : 0;
}

/* The cycle in which the core runs next, if that is now; UINT64_MAX: it is not. A core that has
 * nothing to do in this cycle runs the later ones now only where a turn begins, so that it does not
 * depend on the other cores of its thread what memory it finds. */
static uint64_t begins(const struct crew *crew, uint32_t number, const struct letter *l)
{
    uint64_t next = crew->turn[number - crew->first].next;
    if (!(l->free >> number & 1))
        return UINT64_MAX;
    if (l->cycle >= next || l->called >> number & 1)
        return l->cycle;
    if (l->cycle % crew->ahead || l->cycle + 1 == l->end)
        return UINT64_MAX;
    box_open(memsys_box(crew->memsys, number));
    next = core_next_alone(crew->core[number], next);
    return next < l->end ? next : UINT64_MAX;
}

static void run_crew(void *user, uint32_t thread)
{
    struct core_turns *t = user;
    const struct crew *crew = &t->crew[thread];
    const struct letter l = *crew->letter;
    struct answer a = {.next = UINT64_MAX};
    for (uint32_t i = crew->first; thread && i < crew->end; i++)
        box_expect(memsys_box(crew->memsys, i));
    for (uint32_t i = crew->first; i < crew->end; i++) {
        uint64_t cycle = begins(crew, i, &l);
        if (cycle != UINT64_MAX) {
            core_expect(crew->core[i + 1 < crew->end ? i + 1 : crew->first]);
            run_core(crew, i, cycle, &a);
        }
        uint64_t next = crew->turn[i - crew->first].next;
        a.next = next < a.next ? next : a.next;
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
        uint64_t cycle = begins(crew, i, crew->letter);
        if (cycle != UINT64_MAX) {
            struct core_run_time *t = &time[count++];
            t->core = i;
            t->begin = thread_model_now();
            run_core(crew, i, cycle, &a);
            t->end = thread_model_now();
            t->port = a.ports >> i & 1;
            t->stores = a.stores >> i & 1;
        }
        a.next = crew->turn[i].next < a.next ? crew->turn[i].next : a.next;
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
    t->ahead = gpu->config.lookahead ? gpu->config.lookahead : 1;
    if (t->ahead > memsys_ahead(gpu->memsys))
        t->ahead = memsys_ahead(gpu->memsys);
    t->team = team_create(t->threads);
    t->crew = alloc_lines(t->threads, sizeof *t->crew);
    t->core = ALLOC_ARRAY(struct core *, cores);
    for (uint32_t i = 0; i < cores; i++)
        t->core[i] = gpu->sm[i].core;
    for (uint32_t i = 0; i < t->threads; i++) {
        struct crew *crew = &t->crew[i];
        /* The first threads have one more, since the others begin later and fetch what they need.
         */
        *crew = (struct crew){.first = (cores * i + t->threads - 1) / t->threads,
                              .end = (cores * (i + 1) + t->threads - 1) / t->threads,
                              .ahead = t->ahead,
                              .letter = team_letter(t->team, i),
                              .answer = team_answer(t->team, i),
                              .core = t->core,
                              .memsys = gpu->memsys};
        crew->turn = alloc_lines(crew->end - crew->first, sizeof *crew->turn);
        crew->answer->next = 0;
    }
    t->boxes = t->threads > 1 || t->ahead > 1 || gpu->config.thread_model;
    memsys_use_boxes(gpu->memsys, t->boxes);
}

void core_turns_destroy(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    team_destroy(t->team);
    for (uint32_t i = 0; t->crew && i < t->threads; i++)
        free(t->crew[i].turn);
    free(t->crew);
    free(t->core);
}

void core_turns_cores(const struct gpu *gpu, uint32_t thread, uint32_t *first, uint32_t *end)
{
    *first = gpu->turns.crew[thread].first;
    *end = gpu->turns.crew[thread].end;
}

/* The first cycle in which a core does something by itself. */
static uint64_t first_next(const struct core_turns *t)
{
    uint64_t next = UINT64_MAX;
    for (uint32_t i = 0; i < t->threads; i++)
        next = t->crew[i].answer->next < next ? t->crew[i].answer->next : next;
    return next;
}

uint64_t core_turns_next(const struct gpu *gpu)
{
    const struct core_turns *t = &gpu->turns;
    if (t->left.ports | t->left.stores | t->left.mail | t->left.faults)
        return gpu->cycle; /* of cycles that are still to come for the others */
    if (t->waiting && memsys_room_ports(gpu->memsys))
        return gpu->cycle;
    uint64_t next = first_next(t);
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

/* Something may look at a core, or change it, between two of its cycles. */
static bool in_step(const struct gpu *gpu, uint64_t end)
{
    const struct kernel_manager *kmu = &gpu->kmu;
    return needs_order(gpu) || gpu->concurrency || gpu->region.open || gpu->bus.map.count ||
           gpu->untimed.running || gpu->aborting || gpu->active_units || gpu->fout.levels ||
           gpu->watched || kmu->dirty || kmu->wake < end || kmu->ending ||
           gpu->config.kernels.dispatch_latency < gpu->turns.ahead || events_busy(gpu);
}

/* Cores may run up to this cycle now. All of them stop at the same one, and meet there. */
static uint64_t end_of_turn(const struct gpu *gpu)
{
    uint64_t ahead = gpu->turns.ahead, end = gpu->cycle - gpu->cycle % ahead + ahead;
    return ahead == 1 || in_step(gpu, end) ? gpu->cycle + 1 : end;
}

static uint32_t first_of(uint64_t cores)
{
    return (uint32_t)__builtin_ctzll(cores);
}

/* Cores that have not run this cycle. */
static uint64_t free_cores(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    for (uint64_t left = t->before; left; left &= left - 1) {
        if (t->last[first_of(left)] < gpu->cycle)
            t->before &= ~(left & -left);
    }
    return ~t->before & (UINT64_MAX >> (GPU_MAX_CORES - gpu->config.cores));
}

/* Of the free cores, those that have a reply, or room for a request, or that somebody wants
 * something of. */
static uint64_t called(struct gpu *gpu, uint64_t free)
{
    uint64_t cores = memsys_reply_ports(gpu->memsys, 0);
    if (gpu->turns.waiting)
        cores |= memsys_room_ports(gpu->memsys);
    for (uint32_t i = 0; i < gpu->config.cores; i++) {
        if (gpu->cycle < gpu->core_wake[i] || !(free >> i & 1))
            continue;
        cores |= (uint64_t)1 << i;
        gpu->core_wake[i] = UINT64_MAX;
    }
    return cores & free;
}

static uint64_t cores_of(const struct crew *crew)
{
    return (((uint64_t)2 << (crew->end - 1 - crew->first)) - 1) << crew->first;
}

static uint64_t cores_before(const struct core_turns *t, uint32_t cores, uint64_t until)
{
    uint64_t found = 0;
    for (uint32_t i = 0; first_next(t) < until && i < cores; i++)
        found |= (uint64_t)(t->next[i] < until) << i;
    return found;
}

/* Threads with a core that runs now, a bit each; l->free is left with these cores. At the beginning
 * of a turn those may run, too, that have something to do later in it. */
static uint64_t tell(struct gpu *gpu, struct letter *l)
{
    struct core_turns *t = &gpu->turns;
    bool begins = gpu->cycle % t->ahead == 0 && l->end > l->cycle + 1;
    uint64_t parts = 0;
    l->free &= l->called | (begins ? memsys_coming_ports(gpu->memsys) : 0) |
               cores_before(t, gpu->config.cores, begins ? l->end : l->cycle + 1);
    if (!l->free)
        return 0;
    if (t->boxes)
        memsys_fill_boxes(gpu->memsys, l->free, (uint32_t)(l->end - l->cycle));
    for (uint32_t i = 0; i < t->threads; i++) {
        if (!(l->free & cores_of(&t->crew[i])))
            continue;
        parts |= (uint64_t)1 << i;
        *t->crew[i].letter = *l;
    }
    return parts;
}

static void add_answers(struct core_turns *t, uint64_t parts, struct answer *sum)
{
    for (; parts; parts &= parts - 1) {
        const struct crew *crew = &t->crew[__builtin_ctzll(parts)];
        const struct answer *a = crew->answer;
        for (uint64_t m = crew->first ? a->ports : 0; m; m &= m - 1)
            box_expect_back(memsys_box(crew->memsys, first_of(m)));
        sum->ran |= a->ran;
        sum->ports |= a->ports;
        sum->stores |= a->stores;
        sum->mail |= a->mail;
        sum->faults |= a->faults;
        sum->waits |= a->waits;
        for (uint64_t m = a->ran; m; m &= m - 1) {
            const struct turn *turn = &crew->turn[first_of(m) - crew->first];
            t->next[first_of(m)] = turn->next;
            t->last[first_of(m)] = turn->last;
            t->port[first_of(m)] = turn->port;
        }
    }
}

/* Runs the cores that are awake; those that have run. */
static uint64_t run_cores(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    struct letter l = {.cycle = gpu->cycle, .end = end_of_turn(gpu), .free = free_cores(gpu)};
    l.called = called(gpu, l.free);
    uint64_t parts = tell(gpu, &l);
    if (gpu->config.thread_model && parts)
        run_measured(gpu);
    else if (parts > 1 && !needs_order(gpu))
        team_run(t->team, parts, run_crew, t);
    else
        for (uint64_t left = parts; left; left &= left - 1)
            run_crew(t, (uint32_t)__builtin_ctzll(left));
    struct answer sum = {.next = 0};
    add_answers(t, parts, &sum);
    t->before |= sum.ran;
    t->left.ports |= sum.ports;
    t->left.stores |= sum.stores;
    t->left.mail |= sum.mail;
    t->left.faults |= sum.faults;
    t->turned = gpu->cycle + 1;
    if ((t->waiting & sum.ran) | sum.waits) {
        memsys_wait(gpu->memsys, sum.ran, sum.waits);
        t->waiting = (t->waiting & ~sum.ran) | sum.waits;
    }
    return sum.ran;
}

/* --- the meeting ------------------------------------------------------------------------------ */

/* Of the cores that have left something in their last cycle, those for which that is this one. */
static uint64_t take_due(const struct gpu *gpu, uint64_t *cores)
{
    uint64_t due = 0;
    for (uint64_t m = *cores; m; m &= m - 1) {
        if (gpu->turns.last[first_of(m)] == gpu->cycle)
            due |= m & -m;
    }
    *cores &= ~due;
    return due;
}

static void meet_ports(struct gpu *gpu)
{
    struct core_turns *t = &gpu->turns;
    for (uint64_t m = t->left.ports; m; m &= m - 1) {
        uint32_t i = first_of(m);
        if (t->port[i] != gpu->cycle)
            continue;
        t->port[i] = core_meet_port(t->core[i]);
        if (t->port[i] == UINT64_MAX)
            t->left.ports &= ~(m & -m);
    }
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
    struct core_turns *t = &gpu->turns;
    uint64_t ran = run_cores(gpu);
    meet_ports(gpu);
    for (uint64_t m = gpu->concurrency ? ran : 0; m; m &= m - 1)
        concurrency_core_ticked(gpu->concurrency, first_of(m), gpu->cycle - gpu->concurrency_slept);
    for (uint64_t m = take_due(gpu, &t->left.stores); m; m &= m - 1)
        core_meet_stores(gpu->sm[first_of(m)].core);
    if (t->left.mail)
        t->left.faults |= meet_mail(gpu, take_due(gpu, &t->left.mail));
    for (uint64_t m = take_due(gpu, &t->left.faults); m; m &= m - 1)
        if (!kernel_fault_of_core(gpu, first_of(m), err))
            return false;
    return true;
}
