/* A cycle of all cores: first each of them by itself, on the threads of the team, then their
 * meeting, in the order of their numbers. So neither the order in which cores run nor the number of
 * threads shows in any result. */
#include "sim/gpu/gpu_internal.h"

/* Cores that are awake, at least: with fewer, meeting costs more than others' help brings. */
#define LEAST_AWAKE 3u

static void run_part(void *user, uint32_t part)
{
    struct gpu *gpu = user;
    uint32_t i = gpu->turns.awake[part];
    gpu->turns.steps[part] = (uint8_t)core_run(gpu->sm[i].core, gpu->cycle);
    gpu->core_wake[i] = core_next_event(gpu->sm[i].core);
}

/* Who asks for room on the bus while little is left depends on the others; and the checks look at
 * what several cores do. */
static bool needs_order(const struct gpu *gpu)
{
    return gpu->check || !bus_port_room_for_all(gpu);
}

static uint32_t find_awake(struct gpu *gpu)
{
    uint64_t replies = memsys_reply_ports(gpu->memsys, 0);
    uint32_t count = 0;
    for (uint32_t i = 0; i < gpu->config.cores; i++)
        if (gpu->cycle >= gpu->core_wake[i] || replies >> i & 1)
            gpu->turns.awake[count++] = (uint8_t)i;
    return count;
}

/* Requests and replies; what concurrency management sees. */
static uint32_t meet_ports(struct gpu *gpu, uint32_t count)
{
    uint32_t steps = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = gpu->turns.awake[n];
        steps |= gpu->turns.steps[n];
        if (gpu->turns.steps[n] & CORE_PORT)
            core_meet_port(gpu->sm[i].core);
        if (gpu->concurrency)
            concurrency_core_ticked(gpu->concurrency, i, gpu->cycle - gpu->concurrency_slept);
    }
    return steps;
}

static void meet_mail(struct gpu *gpu, uint32_t count)
{
    gpu->bus.granted = 0;
    for (uint32_t n = 0; n < count; n++) {
        uint32_t i = gpu->turns.awake[n];
        if (!(gpu->turns.steps[n] & CORE_MAIL))
            continue;
        core_meet_mail(gpu->sm[i].core);
        if (!core_fault_text(gpu->sm[i].core))
            continue;
        gpu->turns.steps[n] |= CORE_FAULT;
        gpu->core_wake[i] = gpu->cycle;
    }
}

static bool meet_faults(struct gpu *gpu, uint32_t count, struct error *err)
{
    for (uint32_t n = 0; n < count; n++)
        if (gpu->turns.steps[n] & CORE_FAULT &&
            !kernel_fault_of_core(gpu, gpu->turns.awake[n], err))
            return false;
    return true;
}

bool core_turns(struct gpu *gpu, struct error *err)
{
    uint32_t count = find_awake(gpu);
    if (count < LEAST_AWAKE || needs_order(gpu))
        for (uint32_t n = 0; n < count; n++)
            run_part(gpu, n);
    else
        team_run(gpu->turns.team, count, run_part, gpu);
    uint32_t steps = meet_ports(gpu, count);
    for (uint32_t n = 0; steps & CORE_STORES && n < count; n++)
        if (gpu->turns.steps[n] & CORE_STORES)
            core_meet_stores(gpu->sm[gpu->turns.awake[n]].core);
    if (steps & CORE_MAIL)
        meet_mail(gpu, count);
    return !(steps & (CORE_MAIL | CORE_FAULT)) || meet_faults(gpu, count, err);
}
