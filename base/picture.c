#include "base/picture.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { TAIL = 64 }; /* bytes in which the end is */

static const struct {
    const char *suffix, *end;
} formats[] = {{".svg", "</svg>"}, {".png", "IEND"}, {".pdf", "%%EOF"}};

static const char *end_of_format(const char *path)
{
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        if (n > 4 && !strcmp(path + n - 4, formats[i].suffix))
            return formats[i].end;
    }
    return "";
}

bool picture_whole(const char *path, const char *name, struct error *err)
{
    const char *end = end_of_format(path);
    char tail[TAIL];
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, "%s: cannot be read: %s", name, strerror(errno));
    if (fseek(file, -(long)sizeof tail, SEEK_END))
        rewind(file);
    size_t n = fread(tail, 1, sizeof tail, file);
    fclose(file);
    return memmem(tail, n, end, strlen(end)) != NULL ||
           error_set(err, "%s: cannot be written whole; is there space left on its device?", name);
}
