/* Which program each CPU core has. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "sim/cpu/trace/applications.h"
#include "sim/guest/cpus/cpus_internal.h"

/* "NAME" or "NAME*N"; cuts the number off. */
static bool take_times(char *item, uint64_t *times, struct error *err)
{
    char *star = strrchr(item, '*');
    *times = 1;
    if (!star)
        return true;
    *star = '\0';
    return parse_whole("the number behind '*'", star + 1, MAX_CPUS, times, err) &&
           (*times || error_set(err, "%s*0: no cores", item));
}

static bool open_one(struct cpus_guest *p, const char *spec, uint64_t seed, struct error *err)
{
    if (p->used == p->count)
        return error_set(err, "names more programs than the machine has CPU cores, %u", p->count);
    struct cpu_trace *t = cpu_trace_open(spec, p->used, seed, err);
    p->seat[p->used].trace = t;
    p->used += t != NULL;
    return t != NULL;
}

static bool open_item(struct cpus_guest *p, char *item, uint64_t seed, struct error *err)
{
    uint64_t times;
    if (!take_times(item, &times, err))
        return false;
    if (!*item)
        return error_set(err, "a program name is empty");
    const struct cpu_mix *mix = cpu_mix_find(item);
    for (uint64_t i = 0; mix && i < times * CPU_MIX_CORES; i++) {
        if (!open_one(p, mix->application[i % CPU_MIX_CORES], seed, err))
            return false;
    }
    for (uint64_t i = 0; !mix && i < times; i++) {
        if (!open_one(p, item, seed, err))
            return false;
    }
    return true;
}

bool cpus_open(struct cpus_guest *p, const struct cpus_options *options, struct error *err)
{
    char *list = alloc_string(options->programs), *rest = list;
    bool ok = true;
    while (ok && rest) {
        char *item = strsep(&rest, ",");
        ok = open_item(p, item + strspn(item, " "), options->seed, err);
    }
    free(list);
    if (!ok)
        error_prefix(err, "--cpus %.200s", options->programs);
    return ok;
}
