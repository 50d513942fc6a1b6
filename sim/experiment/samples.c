#include "sim/experiment/samples.h"

#include <math.h>

/* Student's t for a two-sided interval of 95 %, by degrees of freedom from 1. */
static double student(uint32_t freedom)
{
    static const double t[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306,
                               2.262,  2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120,
                               2.110,  2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064,
                               2.060,  2.056, 2.052, 2.048, 2.045, 2.042};
    const uint32_t n = sizeof t / sizeof *t;
    return freedom <= n ? t[freedom - 1] : 1.96 + 2.4 / freedom;
}

void samples_add(struct samples *s, double value)
{
    if (isnan(value))
        return;
    s->first = s->known++ ? s->first : value;
    s->sum += value - s->first;
    s->squares += (value - s->first) * (value - s->first);
}

double samples_mean(const struct samples *s)
{
    return s->known ? s->first + s->sum / s->known : NAN;
}

double samples_spread(const struct samples *s)
{
    if (s->known < 2)
        return NAN;
    double variance = (s->squares - s->sum * s->sum / s->known) / (s->known - 1);
    return student(s->known - 1) * sqrt(fmax(variance, 0) / s->known);
}
