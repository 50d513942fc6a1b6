#include "sim/cli/run/run_plan.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "evgpu_defs.h"
#include "sim/guest/cpus/cpus.h"
#include "sim/guest/program/program.h"
#include "sim/guest/service/promise.h"
#include "sim/guest/service/service.h"
#include "sw/cuda/protocol.h"

#define DEFAULT_COPIES 2u

bool plan_service(struct run_plan *plan, char *text, struct error *err)
{
    if (plan->n_services == MAX_SERVICES)
        return error_set(err, "--service: more than %d services", MAX_SERVICES);
    struct planned_service *s = &plan->services[plan->n_services];
    const char *name = settings_next(&text);
    s->service = service_find(name, err);
    if (!s->service)
        return false;
    uint32_t same = 1;
    for (uint32_t i = 0; i < plan->n_services; i++)
        same += plan->services[i].service == s->service;
    snprintf(s->name, sizeof s->name, same > 1 ? "%s-%u" : "%s", name, same);
    while (text) {
        if (s->n_settings == MAX_SETTINGS)
            return error_set(err, "--service %s: more than %d settings", name, MAX_SETTINGS);
        struct setting *new = &s->settings[s->n_settings++];
        *new = setting_of(settings_next(&text));
        if (!*new->key)
            return error_set(
                err, "--service %s: a setting without a name; commas stand between KEY=VALUE",
                name);
        for (const struct setting *old = s->settings; old < new; old++) {
            if (!strcmp(old->key, new->key))
                return error_set(err, "--service %s: %s is given twice", name, new->key);
        }
    }
    plan->n_services++;
    return true;
}

bool plan_program(struct run_plan *plan, const char *command, struct error *err)
{
    if (plan->n_programs == MAX_PROGRAMS)
        return error_set(err, "--program: more than %d programs", MAX_PROGRAMS);
    char apps[PATH_MAX];
    if (!program_command_there(command, find_beside("apps", apps, sizeof apps) ? apps : NULL, err))
        return false;
    plan->programs[plan->n_programs++] = (struct planned_program){.command = command};
    return true;
}

/* Several processes of each program at a time: their guests follow each other. */
static bool plan_copies(struct run_plan *plan, struct error *err)
{
    uint32_t copies = plan->copies ? plan->copies : DEFAULT_COPIES, n = plan->n_programs;
    if (!plan->repeat)
        return !plan->copies || error_set(err, "--copies needs --repeat");
    if (!n)
        return error_set(err, "--repeat needs --program");
    if (n > MAX_PROGRAMS / copies)
        return error_set(err, "--copies: %u of %u programs; at most %d in all", copies, n,
                         MAX_PROGRAMS);
    plan->n_programs = n * copies;
    for (uint32_t i = n * copies; i-- > 0;)
        plan->programs[i] =
            (struct planned_program){.command = plan->programs[i / copies].command,
                                     .repeat = (plan->repeat + copies - 1) / copies};
    return true;
}

/* The background is the last of the programs. */
static bool plan_background(struct run_plan *plan, struct error *err)
{
    if (!plan->background)
        return true;
    if (plan->n_programs == MAX_PROGRAMS)
        return error_set(err, "--program: more than %d programs", MAX_PROGRAMS - 1);
    if (!find_beside("apps/matrixMul", plan->background_path, PATH_MAX))
        return error_set(err, "apps/matrixMul is not found beside evgpu; `make apps` builds it");
    plan->programs[plan->n_programs++] = (struct planned_program){.command = NULL};
    return true;
}

static bool prepare_service(struct run_plan *plan, struct planned_service *s,
                            const struct setting *common, uint32_t n_common, struct error *err)
{
    if (s->n_settings + n_common > MAX_SETTINGS)
        return error_set(err, "%s: more than %d settings", s->name, MAX_SETTINGS);
    memmove(s->settings + n_common, s->settings, s->n_settings * sizeof *s->settings);
    if (n_common)
        memcpy(s->settings, common, n_common * sizeof *common);
    s->n_settings += n_common;
    struct packet_setup_input input = {.config = &plan->config,
                                       .seed = plan->seed,
                                       .settings = s->settings,
                                       .n_settings = s->n_settings,
                                       .traffic_only = plan->traffic_only};
    s->setup = packet_setup_create(s->service, &input, err);
    if (!s->setup)
        error_prefix(err, "%s", s->name);
    return s->setup != NULL;
}

bool plan_prepare(struct run_plan *plan, const struct setting *common, uint32_t n_common,
                  struct error *err)
{
    if (!plan_copies(plan, err) || !plan_background(plan, err))
        return false;
    for (uint32_t i = 0; i < plan->n_services; i++) {
        if (!prepare_service(plan, &plan->services[i], common, n_common, err))
            return false;
    }
    return true;
}

bool plan_brings_kernels(const struct run_plan *plan, struct error *err)
{
    bool programs = plan->attached >= 0;
    for (uint32_t i = 0; i < plan->n_programs; i++)
        programs = programs || plan->programs[i].command;
    for (uint32_t i = 0; i < plan->n_services && !programs; i++) {
        const struct planned_service *s = &plan->services[i];
        if (packet_setup_options(s->setup)->foreign)
            return error_set(err, "%s: kernel=program: needs --program, which brings the kernel",
                             s->name);
    }
    return true;
}

bool plan_promises(struct run_plan *plan, const struct run_control *control, FILE *to,
                   struct error *err)
{
    bool wanted = false;
    for (uint32_t i = 0; i < plan->n_services; i++)
        wanted = wanted || promise_wanted(plan->services[i].setup);
    for (uint32_t i = 0; i < plan->n_services && wanted; i++) {
        if (!promise_reserve(plan->services[i].setup, &plan->config, err))
            return false;
    }
    for (uint32_t i = 0; i < plan->n_services && wanted; i++) {
        const struct planned_service *s = &plan->services[i];
        struct promise_request request = {.setup = s->setup,
                                          .config = &plan->config,
                                          .mode = plan->machine.mode,
                                          .stop = control->stop};
        if (!promise_measure(&request, err)) {
            error_prefix(err, "%s", s->name);
            return false;
        }
        if (to)
            promise_print(&request, s->name, to);
    }
    return true;
}

void plan_release(struct run_plan *plan)
{
    for (uint32_t i = 0; i < plan->n_services; i++)
        packet_setup_free(plan->services[i].setup);
    for (uint32_t i = 0; i < plan->n_programs; i++)
        kernel_figures_free(&plan->programs[i].alone);
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
static void name_program(const struct machine *m, const char *command, char *name, size_t room)
{
    char word[48] = "program";
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
    snprintf(name, room, same > 1 ? "%s-%u" : "%s", word, same);
}

/* Without services two products, the first with cold caches. */
static void background_command(const struct run_plan *plan, bool services, char *text, size_t room)
{
    const char *quote = strchr(plan->background_path, ' ') ? "'" : "";
    snprintf(text, room, "%s%s%s --quiet %s %u %u %u", quote, plan->background_path, quote,
             services ? "--beside" : "", plan->background, services ? plan->products : 2,
             (uint32_t)plan->seed);
}

static bool add_programs(const struct run_plan *plan, struct machine *m, bool services,
                         struct error *err)
{
    char path[PATH_MAX], apps[PATH_MAX], text[PATH_MAX + 100], name[64];
    const char *library = library_folder(path);
    bool has_apps = find_beside("apps", apps, sizeof apps);
    for (uint32_t i = 0; i < plan->n_programs; i++) {
        const struct planned_program *p = &plan->programs[i];
        struct program_options options = {.command = p->command ? p->command : text,
                                          .control = -1,
                                          .client_library = library,
                                          .applications = has_apps ? apps : NULL,
                                          .silent = plan->rehearsal,
                                          .measured = plan->measured,
                                          .quota = plan->quotas.gpu_quota,
                                          .repeat = p->repeat,
                                          .alone = p->alone.count ? &p->alone : NULL};
        background_command(plan, services, text, sizeof text);
        name_program(m, p->command ? p->command : "matrixMul", name, sizeof name);
        if (!program_create(m, name, &options, err))
            return false;
    }
    struct program_options attached = {.control = plan->attached};
    name_program(m, NULL, name, sizeof name);
    return plan->attached < 0 || program_create(m, name, &attached, err);
}

static bool add_guests(const struct run_plan *plan, struct machine *m, bool services,
                       struct error *err)
{
    for (uint32_t i = 0; services && i < plan->n_services; i++) {
        const struct planned_service *s = &plan->services[i];
        if (!packet_setup_attach(s->setup, m, s->name, err))
            return false;
    }
    if (!add_programs(plan, m, services, err))
        return false;
    struct cpus_options cpus = {.programs = plan->cpus, .seed = plan->seed, .quotas = plan->quotas};
    return !services || !plan->cpus || cpus_create_guest(m, &cpus, err);
}

struct machine *plan_machine(const struct run_plan *plan, bool services, struct error *err)
{
    struct machine_options options = plan->machine;
    options.silent = plan->rehearsal;
    if (!services)
        options.mode = SCHED_MODE_PREEMPT; /* alone: the whole GPU */
    if (plan->n_programs || plan->attached >= 0)
        options.shared_at = WIRE_BASE;
    tile_randomise((uint32_t)plan->seed, false);
    struct machine *m = machine_create(&plan->config, &options, err);
    if (m && add_guests(plan, m, services, err))
        return m;
    machine_destroy(m);
    return NULL;
}

void plan_keep_alone(struct run_plan *plan, const struct machine *m)
{
    for (uint32_t i = 0; i < plan->n_programs; i++) {
        kernel_figures_free(&plan->programs[i].alone);
        kernel_figures_copy(&plan->programs[i].alone, program_kernels(machine_guest_at(m, i)));
    }
}
