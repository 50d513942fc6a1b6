/* Files that clang is shown in a changed form, under their own names (-ivfsoverlay). */
#ifndef EVGPU_NVCC_OVERLAY_H
#define EVGPU_NVCC_OVERLAY_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/nvcc/options.h"

struct overlay {
    struct list from, to; /* files as absolute paths, and their changed copies */
    bool late;            /* templates are read where they are used, and not at all otherwise */
};

/* As clang writes a path: from the root on, without "." and "..", links untouched. */
char *overlay_absolute(const char *path);

/* The text of a file as the overlay shows it, with a zero behind it; NULL: it cannot be read, or
 * has zeroes. */
char *overlay_read(const struct overlay *overlay, const char *path, size_t *size);

/* From now on the file shows this text. */
void overlay_write(struct overlay *overlay, const struct options *options, const char *path,
                   const char *bytes, size_t size);

/* Adds the overlay to a clang command, as far as there is one. */
void overlay_add(struct list *words, const struct options *options, const struct overlay *overlay);

#endif
