#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/cuda/nvrtc/program.h"

/* nvcc of the toolkit that the library belongs to. */
static bool find_nvcc(char *path, size_t room)
{
    Dl_info info;
    char real[PATH_MAX];
    if (!dladdr((void *)(uintptr_t)&compile_program, &info) || !info.dli_fname ||
        !realpath(info.dli_fname, real))
        return false;
    char *slash = strrchr(real, '/');
    if (!slash)
        return false;
    *slash = '\0';
    int n = snprintf(path, room, "%s/../bin/nvcc", real);
    return n > 0 && (size_t)n < room && access(path, X_OK) == 0;
}

/* --- files --------------------------------------------------------------------------------------
 */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    return remove(path);
}

static bool write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    bool ok = fputs(text, file) >= 0;
    return !fclose(file) && ok;
}

/* NULL: the file is not there or cannot be read. */
static char *read_text(const char *path)
{
    FILE *file = fopen(path, "r");
    long size = file && !fseek(file, 0, SEEK_END) ? ftell(file) : -1;
    char *text = size >= 0 ? malloc((size_t)size + 1) : NULL;
    if (text) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = '\0';
    }
    if (file)
        fclose(file);
    return text;
}

/* A header's name may have folders, below the folder of all headers. */
static bool write_header(const char *folder, const struct header *header)
{
    char *path = words_text("%s/include/%s", folder, header->name);
    bool ok = header->name[0] != '/' && !strstr(header->name, "..");
    for (char *slash = path + strlen(folder) + 1; ok && (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        ok = !mkdir(path, 0700) || errno == EEXIST;
        *slash = '/';
    }
    ok = ok && write_text(path, header->text);
    free(path);
    return ok;
}

/* Host code may write every variable of the program: a static one that no kernel writes is not
 * known to keep its first value. */
#define VARIABLES_BEGIN                                                                            \
    "#pragma clang attribute push(__attribute__((annotate(\"host\"))), apply_to = "                \
    "variable(is_global))\n"
#define VARIABLES_END "#pragma clang attribute pop\n"

static bool write_files(const struct _nvrtcProgram *prog, const char *folder)
{
    char *path = words_text("%s/include", folder);
    bool ok = !mkdir(path, 0700);
    free(path);
    for (size_t i = 0; i < prog->n_headers && ok; i++)
        ok = write_header(folder, &prog->headers[i]);
    path = words_text("%s/macros", folder);
    ok = ok && write_text(path, prog->macros);
    free(path);
    char *names = names_source(prog);
    char *source =
        words_text(VARIABLES_BEGIN "%s#line 1 \"%s\"\n%s\n%s" VARIABLES_END "%s",
                   prog->default_device ? "#pragma clang force_cuda_host_device begin\n" : "",
                   prog->name, prog->source,
                   prog->default_device ? "#pragma clang force_cuda_host_device end\n" : "", names);
    path = words_text("%s/program.cu", folder);
    ok = ok && write_text(path, source);
    free(path);
    free(source);
    free(names);
    return ok;
}

/* --- nvcc ---------------------------------------------------------------------------------------
 */

/* Its status, or -1; everything that it prints goes to the file. */
static int run(struct words *words, const char *output)
{
    posix_spawn_file_actions_t actions;
    pid_t process;
    int status;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    int error = posix_spawn(&process, words->at[0], &actions, NULL, words->at, environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error)
        return -1;
    while (waitpid(process, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool make_folder(char *folder, size_t room)
{
    const char *place = getenv("TMPDIR");
    int n = snprintf(folder, room, "%s/nvrtcXXXXXX", place && *place ? place : "/tmp");
    return n > 0 && (size_t)n < room && mkdtemp(folder);
}

char *compile_ask(const char *word)
{
    char folder[PATH_MAX], nvcc[PATH_MAX], *text = NULL;
    if (!find_nvcc(nvcc, sizeof nvcc) || !make_folder(folder, sizeof folder))
        return NULL;
    struct words words = {0};
    char *output = words_text("%s/output", folder);
    words_add(&words, words_text("%s", nvcc));
    words_add(&words, words_text("%s", word));
    if (run(&words, output) == 0)
        text = read_text(output);
    words_free(&words);
    free(output);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return text;
}

/* Without the folder, which nobody else knows. */
static char *plain(char *text, const char *folder, const char *name)
{
    char *headers = words_text("%s/include/", folder), *macros = words_text("%s/macros", folder),
         *source = words_text("%s/program.cu", folder);
    text = words_replace(words_replace(text, headers, ""), source, name);
    text = words_replace(text, macros, "<command line>");
    free(headers);
    free(macros);
    free(source);
    return text;
}

/* In NVRTC's words: programs look for them in the log, add the header that they name, and compile
 * again. What nvcc says of a header that evgpu does not have stays behind them. */
static char *say_missing(char *log)
{
    static const char missing[] = "' file not found", fault[] = "error: ";
    const char *end = strstr(log, missing);
    const char *quote = end ? memrchr(log, '\'', (size_t)(end - log)) : NULL;
    if (!quote)
        return log;
    const char *begin = memrchr(log, '\n', (size_t)(quote - log));
    begin = begin ? begin + 1 : log;
    /* FILE:LINE:COLUMN: [fatal ]error: [what nvcc says ](')NAME' file not found */
    const char *error = strstr(begin, fault);
    const char *at = error ? memrchr(begin, ':', (size_t)(error - begin)) : NULL;
    const char *column = at ? memrchr(begin, ':', (size_t)(at - begin)) : NULL;
    const char *line = column ? memrchr(begin, ':', (size_t)(column - begin)) : NULL;
    if (!line)
        return log;
    const char *says = error + strlen(fault);
    if (says == quote)
        says = end + strlen(missing) + 1;
    char *made = words_text("%.*s(%.*s): catastrophic error: cannot open source file \"%.*s\"\n%s",
                            (int)(line - log), log, (int)(column - line - 1), line + 1,
                            (int)(end - quote - 1), quote + 1, says);
    free(log);
    return made;
}

static nvrtcResult take_results(nvrtcProgram prog, const char *folder, int status)
{
    char *path = words_text("%s/log", folder);
    char *log = read_text(path);
    free(path);
    prog->log = say_missing(plain(log ? log : words_text("%s", ""), folder, prog->name));
    if (status)
        return strstr(prog->log, "nvcc fatal") == prog->log ? NVRTC_ERROR_INVALID_OPTION
               : status < 0                                 ? NVRTC_ERROR_INTERNAL_ERROR
                                                            : NVRTC_ERROR_COMPILATION;
    path = words_text("%s/program.ptx", folder);
    prog->ptx = read_text(path);
    free(path);
    if (!prog->ptx)
        return NVRTC_ERROR_INTERNAL_ERROR;
    prog->ptx = plain(prog->ptx, folder, prog->name);
    return names_take(prog) ? NVRTC_SUCCESS : NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}

nvrtcResult compile_program(nvrtcProgram prog, int count, const char *const *options)
{
    char folder[PATH_MAX], nvcc[PATH_MAX];
    struct words words = {0};
    if (!find_nvcc(nvcc, sizeof nvcc)) {
        prog->log = words_text("nvrtc: error: nvcc of the toolkit is not beside libnvrtc.so\n");
        return NVRTC_ERROR_INTERNAL_ERROR;
    }
    if (!make_folder(folder, sizeof folder))
        return NVRTC_ERROR_INTERNAL_ERROR;
    /* Behind all others for <name>: a header of the program's called limits.h is none for the C++
     * library and the toolkit. */
    char *headers = words_text("-iquote,%s/include,-idirafter,%s/include", folder, folder);
    char *log = words_text("%s/log", folder), *macros = words_text("%s/macros", folder);
    /* The program's macros are for its text, not for the headers that come by themselves: real
     * NVRTC has none of the C library's, and programs pass -Dint32_t=int. NVRTC knows assert
     * without a header. */
    const char *const first[] = {
        nvcc,         "-x",   "cu",       "-ptx",     "-D__CUDACC_RTC__",
        "-include",   macros, "-include", "assert.h", "-Wno-deprecated-gpu-targets",
        "-Xcompiler", headers};
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        words_add(&words, words_text("%s", first[i]));
    nvrtcResult result = NVRTC_ERROR_INVALID_OPTION;
    if (options_translate(prog, count, options, &words)) {
        words_add(&words, words_text("-I."));
        words_add(&words, words_text("-o"));
        words_add(&words, words_text("%s/program.ptx", folder));
        words_add(&words, words_text("%s/program.cu", folder));
        result = write_files(prog, folder) ? take_results(prog, folder, run(&words, log))
                                           : NVRTC_ERROR_PROGRAM_CREATION_FAILURE;
    }
    words_free(&words);
    free(headers);
    free(macros);
    free(log);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return result;
}
