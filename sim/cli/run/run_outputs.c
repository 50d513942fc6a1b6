/* The files of a run, before it starts: a run of hours must not end at a name that cannot be
 * written. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

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

struct named_file {
    const char *option, *path;
};

/* Devices and pipes take several outputs; a file would keep the last one only. */
static bool one_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    if (stat(a, &of_a) != 0)
        return strcmp(a, b) == 0;
    return S_ISREG(of_a.st_mode) && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

/* Two outputs in one file, or an output in the file that a service reads. */
static bool check_distinct(struct run_request *r)
{
    struct named_file files[4 + 2 * MAX_SERVICES] = {{"--json", r->json},
                                                     {"--trace", r->trace.path},
                                                     {"--record-ports", r->ports_path},
                                                     {"--timeline", r->timeline_path}};
    size_t n = 4;
    for (uint32_t i = 0; i < r->plan.n_services; i++) {
        struct packet_setup *setup = r->plan.services[i].setup;
        files[n++] = (struct named_file){"--out", packet_setup_options(setup)->sent_path};
        files[n++] = (struct named_file){"--capture", packet_setup_capture(setup)};
    }
    for (size_t b = 1; b < n; b++) {
        for (size_t a = 0; a < b; a++) {
            bool inputs =
                !strcmp(files[a].option, "--capture") && files[b].option == files[a].option;
            if (files[a].path && files[b].path && !inputs && one_file(files[a].path, files[b].path))
                return error_set(&r->err, "%s %s: is the file of %s, too; give each its own",
                                 files[b].option, files[b].path, files[a].option);
        }
    }
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
    return check_distinct(r);
}
