/* The files of a run, before it starts: a run of hours must not end at a name that cannot be
 * written. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "sim/cli/run/run_execute.h"
#include "sim/guest/service/service.h"

static bool ends_in(const char *path, const char *ending)
{
    size_t n = strlen(path), of = strlen(ending);
    return n >= of && !strcmp(path + n - of, ending);
}

/* Other programs go by the names of files, and would not find what they expect. */
static bool check_names(struct run_request *r)
{
    static const char *const pictures[] = {".svg", ".png", ".pdf"};
    if (r->trace.path && ends_in(r->trace.path, ".vcd"))
        return error_set(&r->err,
                         "--trace %s: must not end in .vcd, since it gets FST; fst2vcd "
                         "converts it",
                         r->trace.path);
    for (size_t i = 0; r->timeline_path && i < sizeof pictures / sizeof *pictures; i++)
        if (ends_in(r->timeline_path, pictures[i]))
            return error_set(&r->err,
                             "--timeline %s: must not end in %s, since it gets JSON; "
                             "evgpu timeline FILE.json -o %s draws it",
                             r->timeline_path, pictures[i], r->timeline_path);
    return true;
}

bool run_outputs_check(struct run_request *r)
{
    const struct run_plan *plan = &r->plan;
    char out[64];
    if (!check_names(r))
        return false;
    if (plan->machine.details && !r->json)
        return error_set(&r->err, "--details: needs --json FILE, where they go");
    if ((r->json && !check_output("--json", r->json, &r->err)) ||
        (r->trace.path && !check_output("--trace", r->trace.path, &r->err)) ||
        (r->ports_path && !check_output("--record-ports", r->ports_path, &r->err)) ||
        (r->timeline_path && !check_output("--timeline", r->timeline_path, &r->err)))
        return false;
    if (r->trace.path && output_in_place(r->trace.path))
        return error_set(&r->err, "--trace %s: must be an ordinary file", r->trace.path);
    for (uint32_t i = 0; i < plan->n_services; i++) {
        const struct planned_service *s = &plan->services[i];
        const char *path = packet_setup_options(s->setup)->sent_path;
        snprintf(out, sizeof out, "%s: out", s->name);
        if (path && !check_output(out, path, &r->err))
            return false;
    }
    return true;
}
