#include "sim/guest/service/service.h"

#include <string.h>

#include "base/suggest.h"
#include "sim/guest/service/packet_setup.h"
#include "sim/guest/service/settings.h"

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
    char names[200] = "", hint[SUGGEST_MOST + 24];
    struct suggestion near = suggest(name);
    for (uint32_t i = 0; services[i]; i++) {
        if (!strcmp(services[i]->name, name))
            return services[i];
        size_t at = strlen(names);
        snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", services[i]->name);
        suggest_offer(&near, services[i]->name);
    }
    error_set(err, "--service %s: no such service; there are %s%s", name, names,
              suggest_text(&near, hint, sizeof hint));
    return NULL;
}

static void print_one(const struct event_service *s, FILE *to)
{
    fprintf(to, "%s: %s (rate=%llu)\n", s->name, s->summary, (unsigned long long)s->rate);
    settings_print(s->settings, to);
    fputc('\n', to);
}

bool service_help(const char *text, FILE *to)
{
    size_t length = strcspn(text, ","), n = strlen(text);
    bool every = !strcmp(text, "help"), any = every;
    if (!every && (n < 5 || strcmp(text + n - 5, ",help") != 0))
        return false;
    for (uint32_t i = 0; services[i]; i++) {
        const struct event_service *s = services[i];
        if (!every && (strlen(s->name) != length || strncmp(s->name, text, length) != 0))
            continue;
        print_one(s, to);
        any = true;
    }
    if (any) {
        fprintf(to, "all services:\n");
        packet_settings_print(to);
    }
    return any;
}
