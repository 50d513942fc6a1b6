#include "sw/cuda/nvcc/ptx_edit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/list.h"

/* clang's directives of a kernel stand, one a line, between ")" and "{". */
static void add_registers(FILE *to, const char *line, bool *in_entry, bool *stated, long registers)
{
    if (strstr(line, ".entry ")) {
        *in_entry = true;
        *stated = false;
    } else if (*in_entry && starts_with(line, ".maxnreg")) {
        *stated = true;
    } else if (*in_entry && line[0] == '{') {
        if (!*stated)
            fprintf(to, ".maxnreg %ld\n", registers);
        *in_entry = false;
    }
}

/* Labels of the line table that clang leaves out of the text. */
static bool is_debug_label(const char *line)
{
    return starts_with(line, "Ltmp") || starts_with(line, "Lfunc_");
}

static const char load[] = "\tld.global.";

/* Is this a load from global memory that names no cache? */
static bool is_plain_load(const char *line)
{
    static const char *const caches[] = {"ca.", "cg.", "cs.", "lu.", "cv.", "nc."};
    if (!starts_with(line, load))
        return false;
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++) {
        if (starts_with(line + strlen(load), caches[i]))
            return false;
    }
    return true;
}

void ptx_edit_file(const char *path, long max_registers, bool cache_global)
{
    char *bytes = file_read(path, NULL);
    if (!bytes)
        fatal("cannot read %s: %s", path, strerror(errno));
    char *made;
    size_t size;
    FILE *to = open_memstream(&made, &size);
    if (!to)
        fatal("out of memory");
    bool in_entry = false, stated = false;
    for (char *line = bytes, *end; *line; line = end) {
        end = line + strcspn(line, "\n");
        end += *end == '\n';
        char *copy = text_part(line, (size_t)(end - line));
        if (max_registers)
            add_registers(to, copy, &in_entry, &stated, max_registers);
        if (is_debug_label(copy))
            ;
        else if (cache_global && is_plain_load(copy))
            fprintf(to, "%scg.%s", load, copy + strlen(load));
        else
            fputs(copy, to);
        free(copy);
    }
    if (fclose(to))
        fatal("out of memory");
    file_write(path, made, size);
    free(made);
    free(bytes);
}
