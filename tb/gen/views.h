/* GTKWave views, from tb/wave/views.def; the format is documented at the top of that file. */
#ifndef EVGPU_TB_GEN_VIEWS_H
#define EVGPU_TB_GEN_VIEWS_H

#include <stddef.h>

#include "tb/gen/definition.h"

struct view {
    char *name;
    char *text; /* of the file that GTKWave opens */
    size_t size;
};

struct views {
    struct view *items;
    size_t count, capacity;
};

/* Reads and checks the file; errors name FILE:LINE. The definition gives ports, enumerations, flags
 * and constants; the views name the filter files in directory `filters`. Free the views in either
 * case. */
bool views_read(struct views *views, const char *path, const struct definition *def,
                const char *filters, struct error *err);
void views_free(struct views *views);

#endif
