/* What the command line says in words of its own: a service with its settings, numbers. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "sim/cli/run/run_plan.h"
#include "sim/guest/service/packet_settings.h"
#include "sim/guest/service/service.h"
#include "tests/fuzz/fuzz.h"

static const struct machine_config *machine(void)
{
    static struct machine_config config;
    struct error err = {0};
    if (!config.cores)
        fuzz_expect(config_load(&config, "config/edge.ini", &err), err.text);
    return &config;
}

static void take(const struct planned_service *s)
{
    const struct event_service *service = s->service;
    struct settings tables[2] = {{.rows = packet_setting_rows}, {.rows = service->settings}};
    bool ok = true;
    for (uint32_t i = 0; i < 2; i++) {
        tables[i].values = ALLOC_ARRAY(struct setting_value, settings_count(tables[i].rows) + 1);
        settings_default(&tables[i]);
    }
    for (uint32_t i = 0; i < s->n_settings && ok; i++) {
        struct error err = {0};
        ok = settings_take(tables, 2, &s->settings[i], &err);
        fuzz_check(ok, &err);
    }
    for (uint32_t k = 0; ok && k < SERVICE_KINDS && service->kinds[k]; k++) {
        struct packet_options options = {0};
        struct error err = {0};
        fuzz_check(packet_settings_options(tables[0].values, service->name, service->kinds[k],
                                           machine(), &options, &err),
                   &err);
    }
    free(tables[0].values);
    free(tables[1].values);
}

static void one(const uint8_t *data, size_t size)
{
    struct run_plan *plan = ALLOC(struct run_plan);
    char *text = alloc_string_n((const char *)data, size);
    struct error err = {0}, number = {0};
    uint64_t value = 0;
    bool ok = parse_whole("N", text, 1000000, &value, &number);
    fuzz_check(ok, &number);
    fuzz_expect(!ok || value <= 1000000, "a number keeps its limit");
    ok = plan_service(plan, text, &err);
    fuzz_check(ok, &err);
    if (ok)
        take(&plan->services[0]);
    free(text);
    free(plan);
}

const struct fuzz_target fuzz_target = {.name = "settings", .one = one, .mutants = 20000};
