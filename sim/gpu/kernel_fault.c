/* Faults of kernels: whoever owns the GPU is told, and ends their owner (gpu_end_owner), or the run
 * fails. */
#include <stdio.h>
#include <string.h>

#include "sim/gpu/gpu_internal.h"

/* The event that a kernel's warp or block belongs to; NULL: none. */
static const struct event_times *event_of(const struct gpu *gpu, const struct core_fault *what)
{
    const struct running_grid *run = (const struct running_grid *)(const void *)what->grid;
    if (run && !run->from_event)
        return NULL;
    return &gpu->times[(run ? run->event_tag : what->event_tag) % TAG_RING];
}

static bool tell(struct gpu *gpu, const struct gpu_fault *fault)
{
    return gpu->calls.fault && gpu->calls.fault(gpu->calls.user, fault);
}

bool kernel_fault_of_core(struct gpu *gpu, uint32_t core, struct error *err)
{
    struct core *c = gpu->sm[core].core;
    const struct core_fault *what;
    const char *text;
    bool machine = true;
    for (uint32_t i = 0; (what = core_fault_at(c, i, &text)); i++) {
        struct error line = {.set = false};
        error_set(&line, "cycle %llu, core %u: %s", (unsigned long long)gpu->cycle, core, text);
        struct gpu_fault fault = {.owner = what->kernel->owner,
                                  .what = what,
                                  .event = event_of(gpu, what),
                                  .text = line.text};
        machine = !tell(gpu, &fault);
        if (machine)
            break;
    }
    if (machine) {
        gpu->fault = *core_fault(c);
        return error_set(err, "cycle %llu, core %u: %s", (unsigned long long)gpu->cycle, core,
                         core_fault_text(c));
    }
    core_faults_over(c);
    return true;
}

static bool tell_owner(struct gpu *gpu, uint32_t owner, const struct event_times *event,
                       struct error *err)
{
    static const struct core_fault none = {.kind = FAULT_NONE};
    struct gpu_fault fault = {.owner = owner, .what = &none, .event = event, .text = err->text};
    if (!tell(gpu, &fault))
        return false;
    err->set = false;
    return true;
}

bool kernel_fault_refused(struct gpu *gpu, const struct pending_kernel *kernel, struct error *err)
{
    return tell_owner(gpu, kernel->launch.kernel->owner,
                      kernel->from_event ? &gpu->times[kernel->event_tag % TAG_RING] : NULL, err);
}

bool kernel_fault_waiter(struct gpu *gpu, uint32_t owner, struct error *err)
{
    return owner && tell_owner(gpu, owner, NULL, err);
}
