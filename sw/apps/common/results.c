/* Results beside those of the host. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sw/apps/common/app.h"

bool app_equal(const struct app *app, const char *what, const uint32_t *got, const uint32_t *want,
               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (got[i] == want[i])
            continue;
        printf("%s: %s[%zu] is %u (0x%x), but the host has %u (0x%x)\n", app->name, what, i, got[i],
               got[i], want[i], want[i]);
        return false;
    }
    return true;
}

static void tell_float(const struct app *app, const char *what, size_t i, float got, float want)
{
    printf("%s: %s[%zu] is %.9g, but the host has %.9g\n", app->name, what, i, (double)got,
           (double)want);
}

bool app_equal_floats(const struct app *app, const char *what, const float *got, const float *want,
                      size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&got[i], &want[i], sizeof *got) == 0)
            continue;
        tell_float(app, what, i, got[i], want[i]);
        return false;
    }
    return true;
}

bool app_near(const struct app *app, const char *what, const float *got, const float *want,
              size_t count, double relative, double absolute)
{
    for (size_t i = 0; i < count; i++) {
        double bound = absolute + relative * fabs((double)want[i]);
        if (fabs((double)got[i] - (double)want[i]) <= bound)
            continue;
        tell_float(app, what, i, got[i], want[i]);
        printf("%s: the tolerance is %.3g\n", app->name, bound);
        return false;
    }
    return true;
}

void app_figure(const char *name, double value, const char *unit)
{
    printf("figure %s %.9g %s\n", name, value, unit);
}
