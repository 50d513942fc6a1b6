#include "sim/system/data_file.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool readable(const char *path)
{
    return access(path, R_OK) == 0;
}

bool find_data(const char *name, const char *folder, char *path, size_t room)
{
    if ((size_t)snprintf(path, room, "%s", name) < room && readable(path))
        return true;
    if ((size_t)snprintf(path, room, "%s/%s", folder, name) < room && readable(path))
        return true;
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0)
        return false;
    self[n] = '\0';
    for (char *slash = strrchr(self, '/'); slash && slash != self; slash = strrchr(self, '/')) {
        *slash = '\0';
        if ((size_t)snprintf(path, room, "%s/%s/%s", self, folder, name) < room && readable(path))
            return true;
    }
    return false;
}
