/* Pictures that another program has drawn. */
#ifndef EVGPU_BASE_PICTURE_H
#define EVGPU_BASE_PICTURE_H

#include <stdbool.h>

#include "base/error.h"

/* Whether the file has its format's end (.svg, .png or .pdf), since gnuplot does not say when it
 * could not write all of it. `name` is what the error calls the file. */
bool picture_whole(const char *path, const char *name, struct error *err);

#endif
