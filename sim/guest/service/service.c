#include "sim/guest/service/service.h"

#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "sim/guest/service/ipsec.h"
#include "sim/guest/service/ipv4.h"
#include "sim/guest/service/ipv6.h"
#include "sim/guest/service/memc.h"

static const struct service_kind *const kinds[] = {&ipv4_service, &ipv6_service, &memc_service,
                                                   &ipsec_service, NULL};

const struct service_kind *service_at(uint32_t index)
{
    return kinds[index];
}

const struct service_kind *service_find(const char *name, struct error *err)
{
    for (uint32_t i = 0; kinds[i]; i++) {
        if (!strcmp(kinds[i]->name, name))
            return kinds[i];
    }
    char names[200] = "";
    for (uint32_t i = 0; kinds[i]; i++) {
        size_t at = strlen(names);
        snprintf(names + at, sizeof names - at, "%s%s", i ? ", " : "", kinds[i]->name);
    }
    error_set(err, "--service %s: there is no such service, but %s", name, names);
    return NULL;
}

bool setting_number(const struct setting *s, uint64_t max, uint64_t *value, struct error *err)
{
    if (!s->value)
        return error_set(err, "%s: needs a number, as %s=1", s->key, s->key);
    return parse_whole(s->key, s->value, max, value, err);
}
