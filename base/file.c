#include "base/file.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/output.h"

/* Of what is no regular file: some have no end. */
#define STREAM_MOST (256u << 20)

uint8_t *read_file(const char *path, size_t *bytes, struct error *err)
{
    FILE *file = fopen(path, "rb");
    struct stat status;
    if (!file) {
        if (*path)
            error_set(err, "%s: %s", path, strerror(errno));
        else
            error_set(err, "the name of a file to read is empty");
        return NULL;
    }
    size_t most = !fstat(fileno(file), &status) && S_ISREG(status.st_mode) ? SIZE_MAX : STREAM_MOST;
    uint8_t *data = NULL;
    size_t room = 1 << 16, used = 0;
    do {
        room *= 2;
        data = alloc_resize(data, room, 1);
        used += fread(data + used, 1, room - used, file);
    } while (used == room && used < most);
    bool failed = ferror(file) != 0, endless = used == room;
    int cause = errno;
    fclose(file);
    if (!failed && !endless) {
        *bytes = used;
        return data;
    }
    if (failed)
        error_set(err, "%s: cannot be read: %s", path, strerror(cause));
    else
        error_set(err,
                  "%s: no regular file, and has %u MiB or more; copy what you need of it to a file",
                  path, STREAM_MOST >> 20);
    free(data);
    return NULL;
}

bool write_file(const char *path, const void *data, size_t bytes, struct error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    fwrite(data, 1, bytes, output_stream(out));
    return output_finish(out, err);
}

bool check_output(const char *option, const char *path, struct error *err)
{
    struct stat status;
    char folder[PATH_MAX];
    if (!*path)
        return error_set(err, "%s: the file's name is empty", option);
    bool there = stat(path, &status) == 0;
    if (!there && errno != ENOENT) /* among others, a name that is too long for its folder */
        return error_set(err, "%s %s: %s", option, path, strerror(errno));
    if (there && S_ISDIR(status.st_mode))
        return error_set(err, "%s %s: is a directory", option, path);
    if (there && access(path, W_OK) != 0)
        return error_set(err, "%s %s: %s", option, path, strerror(errno));
    if (there && output_in_place(path))
        return true;
    char *target = output_target(path);
    const char *slash = strrchr(target, '/');
    int length = slash ? (int)(slash - target) + 1 : 2;
    bool fits = (size_t)snprintf(folder, sizeof folder, "%.*s", length, slash ? target : "./") <
                sizeof folder;
    free(target);
    if (!fits)
        return error_set(err, "%s: the name is too long", option);
    return access(folder, W_OK | X_OK) == 0 ||
           error_set(err, "%s %s: %s", option, path, strerror(errno));
}

bool write_json(const char *path, const json_t *json, struct error *err)
{
    struct output *out = output_open(path, err);
    if (!out)
        return false;
    FILE *to = output_stream(out);
    if (json_dumpf(json, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) == 0 || ferror(to))
        return output_finish(out, err);
    output_abandon(out);
    return error_set(err, "%s: a value has no form in JSON", path);
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
