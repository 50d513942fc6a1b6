#include "sim/cli/named_files.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/data_file.h"

static bool same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* The last part of the name; what the folder is goes to `folder`. */
static const char *in_folder(const char *path, struct stat *folder)
{
    char text[PATH_MAX];
    const char *slash = strrchr(path, '/');
    int length = slash ? (int)(slash - path) + 1 : 2;
    if ((size_t)snprintf(text, sizeof text, "%.*s", length, slash ? path : "./") >= sizeof text ||
        stat(text, folder) != 0)
        return NULL;
    return slash ? slash + 1 : path;
}

static bool one_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    bool there = stat(a, &of_a) == 0;
    if ((stat(b, &of_b) == 0) != there)
        return false;
    if (there)
        return S_ISREG(of_a.st_mode) && same(&of_a, &of_b);
    const char *name_a = in_folder(a, &of_a), *name_b = in_folder(b, &of_b);
    return name_a && name_b && !strcmp(name_a, name_b) && same(&of_a, &of_b);
}

size_t files_of_config(const char *name, struct config_files *config, struct named_file *files)
{
    size_t n = 0;
    bool more = find_data(name, "config", config->path[0], PATH_MAX);
    for (; more && n < INCLUDE_DEPTH; n++) {
        files[n] = (struct named_file){n ? "an include of --config" : "--config", config->path[n],
                                       false, NULL};
        more = n + 1 < INCLUDE_DEPTH && config_included(config->path[n], config->path[n + 1]);
    }
    return n;
}

bool files_distinct(const struct named_file *files, size_t n, struct error *err)
{
    for (size_t i = 1; i < n; i++) {
        for (size_t k = 0; k < i; k++) {
            const struct named_file *a = &files[k], *b = &files[i];
            if (!a->path || !b->path || !(a->written || b->written) || !one_file(a->path, b->path))
                continue;
            return error_set(err, "%s%s%s %s: is the file of %s%s%s, too; give each its own",
                             b->service ? b->service : "", b->service ? ": " : "", b->option,
                             b->path, a->service ? a->service : "", a->service ? ": " : "",
                             a->option);
        }
    }
    return true;
}
