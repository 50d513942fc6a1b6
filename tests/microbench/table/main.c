/* `make microbench`: every figure beside its closed form. Usage: microbench CONFIG
 * [SECTION.KEY=VALUE]... Ends with one verdict line; status 0 only if every figure is right. */
#include <stdio.h>

#include "tests/microbench/micro.h"

struct table {
    uint32_t rows, wrong;
    const char *group;
};

static void print_row(void *user, const struct micro_row *row)
{
    struct table *t = user;
    if (t->group != row->group)
        printf("%s%s\n", t->group ? "\n" : "", row->group);
    t->group = row->group;
    t->rows++;
    t->wrong += !micro_right(row);
    char allowed[32] = "=";
    if (row->low != row->high)
        snprintf(allowed, sizeof allowed, "%.3f .. %.3f", row->low, row->high);
    printf("  %-34s %-12s %10.3f %10.3f %+10.3f  %-20s %s\n", row->name, row->unit, row->measured,
           row->form, row->measured - row->form, allowed, micro_right(row) ? "" : "WRONG");
}

int main(int argc, char **argv)
{
    struct machine_config config;
    struct error err = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: microbench CONFIG [SECTION.KEY=VALUE]...\n");
        return 2;
    }
    bool loaded = config_load(&config, argv[1], &err);
    for (int i = 2; loaded && i < argc; i++)
        loaded = config_override(&config, argv[i], &err);
    if (!loaded) {
        fprintf(stderr, "microbench: %s\n", err.text);
        return 2;
    }
    printf("machine %s\n  %-34s %-12s %10s %10s %10s  %s\n\n", config.name, "", "unit", "measured",
           "form", "difference", "allowed");
    struct table t = {0};
    struct micro_sink sink = {print_row, &t};
    for (unsigned i = 0; i < micro_suite_count; i++)
        micro_suites[i].run(&config, &sink);
    printf("\n%s: %u figures, %u not as their closed forms\n", t.wrong ? "FAILED" : "MICROBENCH OK",
           t.rows, t.wrong);
    return t.wrong != 0;
}
