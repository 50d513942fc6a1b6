#include "sim/system/config_include.h"

#include <ini.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

bool include_path(const char *path, const char *name, char included[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    return snprintf(included, PATH_MAX, "%.*s%s", folder, path, name) < PATH_MAX;
}

struct search {
    const char *path;
    char *included;
    bool found;
};

static int on_pair(void *user, const char *section, const char *name, const char *value)
{
    struct search *search = user;
    if (!*section && !strcmp(name, "include") && !search->found)
        search->found = include_path(search->path, value, search->included);
    return 1;
}

bool config_included(const char *path, char included[PATH_MAX])
{
    struct search search = {.path = path, .included = included};
    struct stat status;
    if (stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false; /* a pipe gives its lines only once */
    return ini_parse(path, on_pair, &search) >= 0 && search.found;
}
