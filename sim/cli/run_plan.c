#include "sim/cli/run_plan.h"

#include <stdio.h>
#include <string.h>

#include "evgpu_defs.h"

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

static bool add_guests(const struct run_plan *plan, struct machine *m, bool services,
                       struct error *err)
{
    for (uint32_t i = 0; services && i < plan->n_services; i++) {
        const struct planned_service *s = &plan->services[i];
        if (!s->kind->attach(s->prepared, m, s->name, err))
            return false;
    }
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
    struct machine *m = machine_create(&plan->config, &options, err);
    if (m && add_guests(plan, m, services, err))
        return m;
    machine_destroy(m);
    return NULL;
}
