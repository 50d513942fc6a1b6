#include "base/data_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool find_beside(const char *name, char *path, size_t room)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    for (char *slash = strrchr(self, '/'); slash && slash != self; slash = strrchr(self, '/')) {
        *slash = '\0';
        if ((size_t)snprintf(path, room, "%s/%s", self, name) < room && readable(path))
            return true;
    }
    return false;
}

bool find_data(const char *name, const char *folder, char *path, size_t room)
{
    char below[PATH_MAX];
    if ((size_t)snprintf(path, room, "%s", name) < room && readable(path))
        return true;
    if ((size_t)snprintf(path, room, "%s/%s", folder, name) < room && readable(path))
        return true;
    return (size_t)snprintf(below, sizeof below, "%s/%s", folder, name) < sizeof below &&
           find_beside(below, path, room);
}

bool find_kernel(const char *name, char *path, size_t room, struct error *err)
{
    if (readable(name) && (size_t)snprintf(path, room, "%s", name) < room)
        return true;
    return find_beside(name, path, room) ||
           error_set(err, "%s is not built; run `make kernels`", name);
}
