#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"

uint8_t *read_file(const char *path, size_t *bytes, struct error *err)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        error_set(err, "%s: %s", path, strerror(errno));
        return NULL;
    }
    uint8_t *data = NULL;
    size_t room = 1 << 16, used = 0, got = 0;
    do {
        room *= 2;
        data = alloc_resize(data, room, 1);
        got = fread(data + used, 1, room - used, file);
        used += got;
    } while (used == room);
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed) {
        error_set(err, "%s: cannot be read", path);
        free(data);
        return NULL;
    }
    *bytes = used;
    return data;
}

bool write_file(const char *path, const void *data, size_t bytes, struct error *err)
{
    FILE *file = fopen(path, "wb");
    if (!file)
        return error_set(err, "%s: %s", path, strerror(errno));
    bool ok = fwrite(data, 1, bytes, file) == bytes;
    ok = fclose(file) == 0 && ok;
    return ok ? true : error_set(err, "%s: cannot be written: %s", path, strerror(errno));
}

bool check_output(const char *option, const char *path, struct error *err)
{
    struct stat status;
    char folder[PATH_MAX];
    if (stat(path, &status) == 0) {
        if (S_ISDIR(status.st_mode))
            return error_set(err, "%s %s: is a directory", option, path);
        return access(path, W_OK) == 0 ||
               error_set(err, "%s %s: %s", option, path, strerror(errno));
    }
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 2;
    if ((size_t)snprintf(folder, sizeof folder, "%.*s", length, slash ? path : "./") >=
        sizeof folder)
        return error_set(err, "%s: the name is too long", option);
    return (*path && access(folder, W_OK | X_OK) == 0) ||
           error_set(err, "%s %s: %s", option, path, strerror(errno));
}

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

bool write_json(const char *path, const json_t *json, struct error *err)
{
    char scratch[PATH_MAX];
    if (is_special(path)) /* a device or pipe keeps its place */
        return json_dump_file(json, path, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 ||
               error_set(err, "%s: cannot be written: %s", path, strerror(errno));
    if ((size_t)snprintf(scratch, sizeof scratch, "%s.tmp", path) >= sizeof scratch)
        return error_set(err, "%s: the name is too long", path);
    if (json_dump_file(json, scratch, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 &&
        rename(scratch, path) == 0)
        return true;
    error_set(err, "%s: cannot be written: %s", path, strerror(errno));
    unlink(scratch);
    return false;
}

bool make_folder(const char *path, struct error *err)
{
    char part[PATH_MAX];
    if ((size_t)snprintf(part, sizeof part, "%s", path) >= sizeof part)
        return error_set(err, "%s: the name is too long", path);
    for (char *c = part + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        struct stat status;
        if (mkdir(part, 0777) &&
            (errno != EEXIST || stat(part, &status) || !S_ISDIR(status.st_mode)))
            return error_set(err, "%s: %s", part,
                             errno == EEXIST ? "is not a directory" : strerror(errno));
        *c = kept;
        if (!kept)
            return true;
    }
}
