/* The files of a run, before it starts: a run of hours must not end at a name that cannot be
 * written. */
#include <stdio.h>
#include <string.h>

#include "base/output.h"
#include "sim/cli/named_files.h"
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

/* Of a service: what its settings name, and its kernel. */
static size_t service_files(const struct planned_service *s, struct named_file *files, size_t most)
{
    size_t n = 0;
    struct packet_file file;
    for (uint32_t i = 0; n < most && packet_setup_file(s->setup, i, &file); i++)
        files[n++] = (struct named_file){file.key, file.path, file.written, s->name};
    return n;
}

static bool check_distinct(struct run_request *r)
{
    struct config_files config;
    struct named_file files[4 + INCLUDE_DEPTH + PACKET_FILES * MAX_SERVICES] = {
        {"--json", r->json, true, NULL},
        {"--trace", r->trace.path, true, NULL},
        {"--record-ports", r->ports_path, true, NULL},
        {"--timeline", r->timeline_path, true, NULL}};
    size_t n = 4 + files_of_config(r->machine.config_name, &config, files + 4);
    for (uint32_t i = 0; i < r->plan.n_services; i++)
        n += service_files(&r->plan.services[i], files + n, PACKET_FILES);
    return files_distinct(files, n, &r->err);
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
    return check_distinct(r);
}
