#include "tests/microbench/micro.h"

const struct micro_suite micro_suites[] = {
    {"arithmetic", micro_arithmetic},
    {"shared memory", micro_shared},
    {"chase", micro_chases},
    {"stream", micro_streams},
    {"rows", micro_rows},
    {"atomics", micro_atomics},
    {"fairness", micro_fairness},
};
const unsigned micro_suite_count = sizeof micro_suites / sizeof *micro_suites;

bool micro_right(const struct micro_row *row)
{
    const double rounding = 1e-9 * (1 + row->high);
    return row->measured >= row->low - rounding && row->measured <= row->high + rounding;
}

void micro_between(struct micro_row *row, double least, double most)
{
    row->low = row->form * least;
    row->high = row->form * most;
}

void micro_within(struct micro_row *row, double difference)
{
    row->low = row->form - difference;
    row->high = row->form + difference;
}
