#include "sw/cuda/client/start.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/cuda/protocol.h"

#define MAX_WORDS 64

/* `evgpu` beside the library: build/lib, build/cuda/lib64 and an installed lib all lead to it. */
static bool beside_library(char *path, size_t room)
{
    static const char *const places[] = {"../evgpu", "../../evgpu", "../bin/evgpu",
                                         "../../bin/evgpu"};
    Dl_info info;
    char real[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)&evc_start, &info) || !info.dli_fname ||
        !realpath(info.dli_fname, real))
        return false;
    char *slash = strrchr(real, '/');
    if (!slash)
        return false;
    *slash = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int n = snprintf(path, room, "%s/%s", real, places[i]);
        if (n > 0 && (size_t)n < room && access(path, X_OK) == 0)
            return true;
    }
    return false;
}

static void find_simulator(char *path, size_t room)
{
    const char *named = getenv("EVGPU");
    if (named && *named)
        snprintf(path, room, "%s", named);
    else if (!beside_library(path, room))
        snprintf(path, room, "evgpu"); /* of PATH */
}

/* In the grandchild: the simulator has a session of its own, so that Ctrl-C reaches it only through
 * the program, and prints nothing on the program's standard output. */
static void become_simulator(const char *path, int control)
{
    char number[16];
    char *argv[MAX_WORDS + 10];
    int n = 0;
    const char *config = getenv("EVGPU_CONFIG");
    const char *flags = getenv("EVGPU_FLAGS");
    const char *timing = getenv("EVGPU_TIMING");
    char *words = flags ? strdup(flags) : NULL;

    setsid();
    snprintf(number, sizeof number, "%d", control);
    argv[n++] = (char *)(uintptr_t)path;
    argv[n++] = (char *)(uintptr_t) "run";
    argv[n++] = (char *)(uintptr_t) "--attach";
    argv[n++] = number;
    if (config && *config) {
        argv[n++] = (char *)(uintptr_t) "--config";
        argv[n++] = (char *)(uintptr_t)config;
    }
    if (timing && *timing) {
        argv[n++] = (char *)(uintptr_t) "--timing";
        argv[n++] = (char *)(uintptr_t)timing;
    }
    for (char *word = words ? strtok(words, " \t\n") : NULL; word && n < MAX_WORDS;
         word = strtok(NULL, " \t\n"))
        argv[n++] = word;
    argv[n] = NULL;
    dup2(STDERR_FILENO, STDOUT_FILENO);
    unsetenv(WIRE_CONTROL_ENV);
    execvp(path, argv);
    dprintf(STDERR_FILENO, "evgpu: cannot start the simulator %s: %s; set EVGPU to its path\n",
            path, strerror(errno));
    _exit(127);
}

/* Through a child that ends at once, so that the simulator is no child of the program, which may
 * wait for children of its own. */
static bool spawn(int simulator_end, int program_end)
{
    char path[PATH_MAX];
    find_simulator(path, sizeof path);
    fflush(NULL);
    pid_t child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        close(program_end);
        pid_t grandchild = fork();
        if (grandchild == 0)
            become_simulator(path, simulator_end);
        _exit(grandchild < 0);
    }
    int status = 1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status == 0;
}

static int inherited(void)
{
    const char *text = getenv(WIRE_CONTROL_ENV);
    char *end = NULL;
    if (!text || !*text)
        return -1;
    long fd = strtol(text, &end, 10);
    int type = 0;
    socklen_t length = sizeof type;
    if (*end || fd < 0 || fd > INT_MAX ||
        getsockopt((int)fd, SOL_SOCKET, SO_TYPE, &type, &length) || type != SOCK_SEQPACKET) {
        fprintf(stderr, "evgpu: %s=%s is not a channel to a simulator\n", WIRE_CONTROL_ENV, text);
        return -2;
    }
    return (int)fd;
}

int evc_start(int *own)
{
    int fd = inherited();
    *own = 0;
    if (fd != -1)
        return fd < 0 ? -1 : fd;

    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends)) {
        fprintf(stderr, "evgpu: cannot create a socket: %s\n", strerror(errno));
        return -1;
    }
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    bool spawned = spawn(ends[1], ends[0]);
    close(ends[1]);
    if (!spawned) {
        fprintf(stderr, "evgpu: cannot start a process for the simulator: %s\n", strerror(errno));
        close(ends[0]);
        return -1;
    }
    *own = 1;
    return ends[0];
}

bool evc_wait_end(int control)
{
    char byte;
    bool told = false;
    shutdown(control, SHUT_WR);
    for (ssize_t got; (got = recv(control, &byte, 1, 0)) > 0 || (got < 0 && errno == EINTR);)
        told = told || got > 0;
    close(control);
    return told;
}
