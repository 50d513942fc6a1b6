#include "sim/guest/service/service.h"

#include <string.h>

#include "sim/guest/service/packet_setup.h"

#define SERVICE(name) extern const struct event_service name##_service;
#include "sim/guest/service/services.def"
#undef SERVICE

static const struct event_service *const services[] = {
#define SERVICE(name) &name##_service,
#include "sim/guest/service/services.def"
#undef SERVICE
    NULL};

const struct event_service *service_find(const char *name, struct error *err)
{
    char names[200] = "";
    for (uint32_t i = 0; services[i]; i++) {
        if (!strcmp(services[i]->name, name))
            return services[i];
        size_t at = strlen(names);
        snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", services[i]->name);
    }
    error_set(err, "--service %s: no such service; there are %s", name, names);
    return NULL;
}

void service_print(FILE *to)
{
    for (uint32_t i = 0; services[i]; i++) {
        fprintf(to, "%s: %s (rate=%llu)\n", services[i]->name, services[i]->summary,
                (unsigned long long)services[i]->rate);
        settings_print(services[i]->settings, to);
    }
    fprintf(to, "all services:\n");
    packet_settings_print(to);
}
