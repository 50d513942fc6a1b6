#include "sim/cli/run_plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "evgpu_defs.h"
#include "sim/guest/program.h"
#include "sw/cuda/protocol.h"

bool plan_service(struct run_plan *plan, char *text, struct error *err)
{
    if (plan->n_services == MAX_SERVICES)
        return error_set(err, "--service: more than %d services", MAX_SERVICES);
    struct planned_service *s = &plan->services[plan->n_services];
    const char *name = strsep(&text, ",");
    s->kind = service_find(name, err);
    if (!s->kind)
        return false;
    uint32_t same = 1;
    for (uint32_t i = 0; i < plan->n_services; i++)
        same += plan->services[i].kind == s->kind;
    snprintf(s->name, sizeof s->name, same > 1 ? "%s-%u" : "%s", name, same);
    while (text) {
        char *item = strsep(&text, ",");
        char *value = strchr(item, '=');
        if (s->n_settings == MAX_SETTINGS)
            return error_set(err, "--service %s: more than %d settings", name, MAX_SETTINGS);
        if (value)
            *value++ = '\0';
        s->settings[s->n_settings++] = (struct setting){item, value};
    }
    plan->n_services++;
    return true;
}

bool plan_program(struct run_plan *plan, const char *command, struct error *err)
{
    if (plan->n_programs == MAX_PROGRAMS)
        return error_set(err, "--program: more than %d programs", MAX_PROGRAMS);
    if (!command[strspn(command, " \t")])
        return error_set(err, "--program: no command");
    plan->programs[plan->n_programs++] = command;
    return true;
}

static bool prepare_service(struct run_plan *plan, struct planned_service *s,
                            const struct setting *common, uint32_t n_common, struct error *err)
{
    if (s->n_settings + n_common > MAX_SETTINGS)
        return error_set(err, "%s: more than %d settings", s->name, MAX_SETTINGS);
    memmove(s->settings + n_common, s->settings, s->n_settings * sizeof *s->settings);
    memcpy(s->settings, common, n_common * sizeof *common);
    s->n_settings += n_common;
    struct service_input input = {.config = &plan->config,
                                  .seed = plan->seed,
                                  .settings = s->settings,
                                  .n_settings = s->n_settings};
    s->prepared = s->kind->prepare(&input, err);
    if (!s->prepared)
        error_prefix(err, "%s", s->name);
    return s->prepared != NULL;
}

bool plan_prepare(struct run_plan *plan, const struct setting *common, uint32_t n_common,
                  struct error *err)
{
    if (plan->product.rows &&
        !find_data("matmul.ptx", "sw/apps/matrixMul", plan->product_ptx, PATH_MAX))
        return error_set(err, "sw/apps/matrixMul/matmul.ptx is not found; run evgpu in its source "
                              "directory");
    plan->product.ptx = plan->product_ptx;
    plan->product.seed = plan->seed;
    for (uint32_t i = 0; i < plan->n_services; i++) {
        if (!prepare_service(plan, &plan->services[i], common, n_common, err))
            return false;
    }
    return true;
}

void plan_release(struct run_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_services; i++) {
        if (plan->services[i].prepared)
            plan->services[i].kind->release(plan->services[i].prepared);
    }
}

/* The client library of this build, beside the command. */
static const char *library_folder(char path[PATH_MAX])
{
    ssize_t n = readlink("/proc/self/exe", path, PATH_MAX - 16);
    if (n <= 0)
        return NULL;
    path[n] = '\0';
    char *slash = strrchr(path, '/');
    if (!slash)
        return NULL;
    strcpy(slash, "/cuda/lib64");
    return access(path, R_OK) == 0 ? path : NULL;
}

/* Named by the file's name, and a number when there are several. */
static bool add_program(struct machine *m, const char *command, const char *library, int control,
                        struct error *err)
{
    char word[48] = "program", name[64];
    if (command) {
        const char *first = command + strspn(command, " \t");
        size_t length = strcspn(first, " \t");
        const char *base = first;
        for (const char *c = first; c < first + length; c++)
            base = *c == '/' ? c + 1 : base;
        snprintf(word, sizeof word, "%.*s", (int)(first + length - base), base);
    }
    uint32_t same = 1;
    for (uint32_t i = 0; i < machine_guest_count(m); i++)
        same += !strncmp(guest_name(machine_guest_at(m, i)), word, strlen(word));
    snprintf(name, sizeof name, same > 1 ? "%s-%u" : "%s", word, same);
    struct program_options options = {.command = command, .control = control, .library = library};
    return program_create(m, name, &options, err);
}

static bool add_programs(const struct run_plan *plan, struct machine *m, struct error *err)
{
    char path[PATH_MAX];
    const char *library = library_folder(path);
    for (uint32_t i = 0; i < plan->n_programs; i++) {
        if (!add_program(m, plan->programs[i], library, -1, err))
            return false;
    }
    return plan->attached < 0 || add_program(m, NULL, NULL, plan->attached, err);
}

static bool add_guests(const struct run_plan *plan, struct machine *m, bool services,
                       struct error *err)
{
    for (uint32_t i = 0; services && i < plan->n_services; i++) {
        const struct planned_service *s = &plan->services[i];
        if (!s->kind->attach(s->prepared, m, s->name, err))
            return false;
    }
    if (services && !add_programs(plan, m, err))
        return false;
    if (!plan->product.rows)
        return true;
    struct product_options product = plan->product;
    if (!services)
        product.products = 2; /* the first with cold caches */
    return product_create(m, "matrixMul", &product, err);
}

struct machine *plan_machine(const struct run_plan *plan, bool services, struct error *err)
{
    struct machine_options options = plan->machine;
    if (!services)
        options.mode = SCHED_MODE_PREEMPT; /* alone: the whole GPU */
    if (plan->n_programs || plan->attached >= 0)
        options.shared_at = WIRE_BASE;
    struct machine *m = machine_create(&plan->config, &options, err);
    if (m && add_guests(plan, m, services, err))
        return m;
    machine_destroy(m);
    return NULL;
}
