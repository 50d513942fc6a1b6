/* The gnuplot script of a picture: SVG, PNG and PDF of one size. Bars stand where the rows' labels
 * fit below them, and lie otherwise, so that no label is tilted. Lines that hide each other get a
 * panel each. */
#ifndef EVGPU_EXPERIMENT_PICTURE_SCRIPT_H
#define EVGPU_EXPERIMENT_PICTURE_SCRIPT_H

#include <stdio.h>

#include "sim/experiment/view.h"

/* `name`: of the files, without a suffix, in the folder where gnuplot runs. */
void picture_script(const struct experiment *x, const struct cells *g, const struct picture *p,
                    const char *name, FILE *out);

#endif
