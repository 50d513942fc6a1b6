#include "sim/guest/kernel/stress.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/data_file.h"
#include "sim/ptx/module.h"
#include "sim/system/guest.h"

#define BUFFER_BYTES ((uint64_t)64 << 20) /* power of two, much more than the caches hold */
#define BLOCK        256u
#define LEAST_BLOCKS 16u /* per core: as many as fit at least */
#define ROUNDS       UINT32_MAX

struct stress {
    struct guest *guest;
    struct guest_launch launch;
};

static bool start(void *self, uint64_t cycle, struct error *err)
{
    struct stress *s = self;
    (void)cycle;
    return guest_launch_now(s->guest, &s->launch, err);
}

static bool tick(void *self, uint64_t cycle, struct error *err)
{
    (void)self, (void)cycle, (void)err;
    return true;
}

static uint64_t next_event(const void *self)
{
    (void)self;
    return CYCLE_NEVER;
}

static bool finished(const void *self)
{
    (void)self;
    return false;
}

static bool verdict(void *self, char *text, size_t room)
{
    (void)self;
    snprintf(text, room, "contention");
    return true;
}

static void describe(const void *self, void (*line)(void *user, const char *text), void *user)
{
    (void)self, (void)line, (void)user; /* the GPU says which warps wait */
}

static void print(const void *self, FILE *to)
{
    (void)self, (void)to;
}

static json_t *json(const void *self)
{
    (void)self;
    return json_object();
}

static void destroy(void *self)
{
    free(self);
}

static const struct guest_ops ops = {.kind = "kernel",
                                     .role = GUEST_LOAD,
                                     .start = start,
                                     .tick = tick,
                                     .next_event = next_event,
                                     .finished = finished,
                                     .verdict = verdict,
                                     .describe = describe,
                                     .print = print,
                                     .json = json,
                                     .destroy = destroy};

static bool set_arguments(struct stress *s, const struct kernel *kernel, uint64_t buffer,
                          struct error *err)
{
    const uint32_t mask = BUFFER_BYTES / sizeof(uint32_t) - 1, rounds = ROUNDS;
    s->launch.parameters = guest_alloc(s->guest, kernel->param_bytes, 256, err);
    uint8_t *to = s->launch.parameters ? machine_memory(guest_machine(s->guest),
                                                        s->launch.parameters, kernel->param_bytes)
                                       : NULL;
    if (!to)
        return false;
    memcpy(to + kernel->params[0].offset, &buffer, sizeof buffer);
    memcpy(to + kernel->params[1].offset, &mask, sizeof mask);
    memcpy(to + kernel->params[2].offset, &rounds, sizeof rounds);
    return true;
}

bool stress_create(struct machine *m, struct error *err)
{
    struct stress *s = ALLOC(struct stress);
    char path[PATH_MAX];
    s->guest = machine_add_guest(m, &ops, "contention", s);
    if (!find_kernel("sw/services/common/stress.ptx", path, sizeof path, err))
        return false;
    struct module *module = module_load(path, err);
    if (!module || !guest_load(s->guest, module, err))
        return false;
    const struct kernel *kernel = module_launchable(module, "stress", err);
    uint64_t buffer = kernel ? guest_alloc(s->guest, BUFFER_BYTES, 256, err) : 0;
    s->launch = (struct guest_launch){
        .kernel = kernel,
        .grid = {machine_config(m)->cores * LEAST_BLOCKS, 1, 1},
        .block = {BLOCK, 1, 1},
    };
    return buffer && set_arguments(s, kernel, buffer, err);
}
