#include "sim/ptx/native/native.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/data_file.h"
#include "sim/ptx/native/emit.h"

#define LATER      50000000u /* warp instructions: half a second without code */
#define MOST_CODE  2048u     /* instructions of a kernel: what the compiler takes grows faster */
#define PRELUDE    "native/prelude.i" /* comes with evgpu, of the one who executes kernels */
#define FOLDER_END "/evgpu-XXXXXX"
#define TEXT       "kernel.c"
#define LIBRARY    "kernel.so"
#define MESSAGES   "messages"

enum state { INTERPRETED, COMPILING, LOADED, GIVEN_UP };

struct native {
    enum state state;
    uint64_t instructions;
    pid_t compiler;
    char *folder; /* with the text and the code, while it compiles */
    void *library;
    native_code code;
};

struct native *native_create(void)
{
    return ALLOC(struct native);
}

/* Leaves nothing behind in the folder for temporary files. */
static void remove_folder(struct native *n)
{
    static const char *const names[] = {TEXT, LIBRARY, MESSAGES};
    char path[PATH_MAX + 16];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", n->folder, names[i]);
        unlink(path);
    }
    rmdir(n->folder);
    free(n->folder);
    n->folder = NULL;
}

void native_free(struct native *n)
{
    if (!n)
        return;
    if (n->state == COMPILING) {
        kill(-n->compiler, SIGTERM); /* it removes its own files */
        waitpid(n->compiler, NULL, 0);
        remove_folder(n);
    }
    if (n->library)
        dlclose(n->library);
    free(n);
}

native_code native_code_of(const struct kernel *kernel)
{
    return kernel->native->code;
}

static bool copy_prelude(FILE *text)
{
    char path[PATH_MAX], block[65536];
    FILE *from = find_beside(PRELUDE, path, sizeof path) ? fopen(path, "r") : NULL;
    if (!from)
        return false;
    for (size_t n; (n = fread(block, 1, sizeof block, from)) > 0;)
        fwrite(block, 1, n, text);
    bool ok = !ferror(from);
    fclose(from);
    return ok;
}

static bool write_text(const struct kernel *kernel)
{
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/" TEXT, kernel->native->folder);
    FILE *text = fopen(path, "w");
    if (!text)
        return false;
    bool ok = copy_prelude(text);
    native_emit(kernel, text);
    ok &= !ferror(text);
    return !fclose(text) && ok;
}

/* In the text's folder, where the compiler's own files go, too. The same arithmetic as elsewhere:
 * no contraction, no reassociation (the Makefile's CFLAGS). */
static bool start_compiler(struct native *n)
{
    static const char *const words[] = {"cc",
                                        "-O2",
                                        "-ftree-vectorize",
                                        "-march=native",
#ifdef __x86_64__
                                        "-mprefer-vector-width=512",
#endif
                                        "-ffp-contract=off",
                                        "-fno-trapping-math",
                                        "-fno-math-errno",
                                        "-w",
                                        "-shared",
                                        "-fPIC",
                                        "-o",
                                        LIBRARY,
                                        TEXT,
                                        NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t group; /* of its own, with what it calls */
    posix_spawnattr_init(&group);
    posix_spawnattr_setflags(&group, POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addchdir_np(&actions, n->folder);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, MESSAGES, O_WRONLY | O_CREAT, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int error =
        posix_spawnp(&n->compiler, words[0], &actions, &group, (char *const *)words, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&group);
    return !error;
}

static void start(const struct kernel *kernel)
{
    struct native *n = kernel->native;
    const char *tmp = getenv("TMPDIR");
    char folder[PATH_MAX];
    if ((size_t)snprintf(folder, sizeof folder, "%s" FOLDER_END, tmp && *tmp ? tmp : "/tmp") >=
            sizeof folder ||
        !mkdtemp(folder))
        return;
    n->folder = alloc_string(folder);
    if (write_text(kernel) && start_compiler(n))
        n->state = COMPILING;
    else
        remove_folder(n);
}

static void load(const struct kernel *kernel)
{
    struct native *n = kernel->native;
    char path[PATH_MAX + 16];
    snprintf(path, sizeof path, "%s/" LIBRARY, n->folder);
    n->state = GIVEN_UP;
    n->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!n->library)
        return;
    void *function = dlsym(n->library, "run_kernel");
    memcpy(&n->code, &function, sizeof function);
    n->state = n->code ? LOADED : GIVEN_UP;
}

/* Loads what the compiler has made, if it is done or `wait`. */
static void end_compiler(const struct kernel *kernel, bool wait)
{
    struct native *n = kernel->native;
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(n->compiler, &status, wait ? 0 : WNOHANG);
    while (ended < 0 && errno == EINTR);
    if (!ended)
        return;
    n->state = GIVEN_UP;
    if (ended > 0 && WIFEXITED(status) && !WEXITSTATUS(status))
        load(kernel);
    remove_folder(n);
}

bool native_count(const struct kernel *kernel, uint64_t instructions, enum native_when when)
{
    struct native *n = kernel->native;
    bool first = when == NATIVE_FIRST;
    n->instructions += instructions;
    if (n->state == INTERPRETED && when != NATIVE_NEVER && (first || n->instructions >= LATER)) {
        n->state = GIVEN_UP;
        if (kernel->n_inst <= MOST_CODE && !kernel->reads_clock)
            start(kernel);
    }
    if (n->state != COMPILING)
        return false;
    end_compiler(kernel, first);
    return n->state == LOADED;
}
