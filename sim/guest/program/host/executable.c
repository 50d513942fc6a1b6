#include "sim/guest/program/host/executable.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/guest/program/program.h"

bool executable_is_plain(const char *command)
{
    return !strpbrk(command, "|&;<>()$`\\\"'*?[#~=%\n");
}

/* errno of an attempt to run the file; 0: it can be run. */
static int defect(const char *path)
{
    struct stat info;
    if (stat(path, &info))
        return errno;
    if (S_ISDIR(info.st_mode))
        return EISDIR;
    return access(path, X_OK) ? errno : 0;
}

static bool in_folder(const char *folder, size_t length, const char *name)
{
    char path[PATH_MAX];
    int n = length ? snprintf(path, sizeof path, "%.*s/%s", (int)length, folder, name)
                   : snprintf(path, sizeof path, "%s", name);
    return n > 0 && (size_t)n < sizeof path && !defect(path);
}

static bool in_path(const char *name)
{
    const char *path = getenv("PATH");
    for (const char *folder = path ? path : "/bin:/usr/bin"; folder;) {
        size_t length = strcspn(folder, ":");
        if (in_folder(folder, length, name))
            return true;
        folder = folder[length] ? folder + length + 1 : NULL;
    }
    return false;
}

bool program_command_there(const char *command, const char *applications, struct error *err)
{
    const char *first = command + strspn(command, " \t");
    size_t length = strcspn(first, " \t");
    char name[PATH_MAX];
    if (!length)
        return error_set(err, "--program: no command");
    if (length >= sizeof name)
        return error_set(err, "--program %.60s...: the name is too long", first);
    memcpy(name, first, length);
    name[length] = '\0';
    if (!executable_is_plain(strchr(name, '/') ? name : command))
        return true; /* a shell will know */
    int why = strchr(name, '/') ? defect(name) : 0;
    if (why)
        return error_set(err, "--program %s: %s", name, strerror(why));
    if (strchr(name, '/') || in_path(name) ||
        (applications && in_folder(applications, strlen(applications), name)))
        return true;
    return error_set(err, "--program %s: no such command in PATH, nor %s", name,
                     applications ? "among evgpu's applications"
                                  : "applications of evgpu: `make apps` builds them");
}
