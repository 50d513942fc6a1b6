#include "tests/microbench/micro.h"

#include <math.h>

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
    double ratio = row->form != 0 ? row->measured / row->form : row->measured + 1;
    return ratio >= row->low - 1e-9 && ratio <= row->high + 1e-9;
}

void micro_give(const struct micro_sink *sink, struct micro_row row)
{
    if (row.low == 0 && row.high == 0)
        row.low = row.high = 1;
    sink->row(sink->user, &row);
}
