/* nvcc for evgpu: CUDA C++ through clang to programs whose kernels are PTX. */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/compile.h"
#include "sw/cuda/nvcc/device_link.h"
#include "sw/cuda/nvcc/link.h"
#include "sw/cuda/nvcc/options.h"

/* The folder above bin/, found through links. */
static const char *home_folder(void)
{
    static char path[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    if (length <= 0)
        fatal("cannot read /proc/self/exe");
    path[length] = 0;
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
    }
    return path;
}

static char *default_output(const struct options *options, const char *input, const char *end)
{
    char *name = text("%s%s", stem(input), end);
    return options->folder ? text("%s/%s", options->folder, name) : name;
}

static size_t count_sources(const struct options *options)
{
    size_t sources = 0;
    for (size_t i = 0; i < options->inputs.count; i++)
        sources += source_kind(options, i) != SOURCE_LINK;
    return sources;
}

static const char *image_suffix(enum phase phase)
{
    return phase == PHASE_PTX ? ".ptx" : phase == PHASE_CUBIN ? ".cubin" : ".fatbin";
}

static void one_source(const struct options *options, size_t index)
{
    const char *input = options->inputs.at[index], *output = options->output;
    switch (options->phase) {
    case PHASE_COMPILE:
        compile_object(options, index, output ? output : default_output(options, input, ".o"));
        break;
    case PHASE_PTX:
    case PHASE_FATBIN:
    case PHASE_CUBIN:
        if (source_kind(options, index) != SOURCE_CUDA)
            fatal("-ptx, -fatbin and -cubin need a .cu file, not '%s'", input);
        compile_ptx(options, index,
                    output ? output : default_output(options, input, image_suffix(options->phase)));
        break;
    case PHASE_CUDA:
        if (source_kind(options, index) != SOURCE_CUDA)
            fatal("-cuda needs a .cu file, not '%s'", input);
        compile_source(options, index,
                       output ? output : default_output(options, input, ".cu.cpp.ii"));
        break;
    case PHASE_PREPROCESS:
        compile_preprocess(options, index, output);
        break;
    case PHASE_DEPEND:
        compile_depend(options, index, output);
        break;
    case PHASE_LINK:
    case PHASE_ARCHIVE:
    case PHASE_DLINK:
        break;
    }
}

static void each_source(const struct options *options)
{
    size_t sources = count_sources(options);
    if (!sources)
        fatal("No source file among the inputs");
    if (sources > 1 && options->output && options->phase != PHASE_PREPROCESS)
        fatal("A single input file is required for a non-link phase when an outputfile is "
              "specified");
    for (size_t i = 0; i < options->inputs.count; i++) {
        if (source_kind(options, i) != SOURCE_LINK)
            one_source(options, i);
    }
}

/* Compiles what is not compiled; the objects take their sources' places. */
static struct list objects(const struct options *options)
{
    struct list files = {0};
    for (size_t i = 0; i < options->inputs.count; i++) {
        const char *input = options->inputs.at[i];
        if (source_kind(options, i) != SOURCE_LINK) {
            char *object = temporary(options, text("%s.o", stem(input)));
            compile_object(options, i, object);
            input = object;
        }
        list_add(&files, input);
    }
    return files;
}

static void run_program(const struct options *options, const char *program)
{
    struct list words = {0};
    list_add(&words, strchr(program, '/') ? program : text("./%s", program));
    list_add_all(&words, &options->run_args);
    leave_clean();
    command_run(options, &words);
}

static void link_all(const struct options *options)
{
    struct list files = objects(options);
    if (options->phase == PHASE_ARCHIVE) {
        link_archive(options, &files, options->output ? options->output : "a.a");
        return;
    }
    if (options->phase == PHASE_DLINK) {
        const char *output = options->output ? options->output : "a_dlink.o";
        if (!device_link(options, &files, output) && !options->dry_run)
            fatal("no object with relocatable device code (-dc) among the inputs of -dlink");
        return;
    }
    const char *output = options->output ? options->output : options->shared ? "a.so" : "a.out";
    /* In front, so that it pulls the objects with device code out of archives. */
    char *stub = temporary(options, "a_dlink.o");
    if (device_link(options, &files, stub)) {
        struct list with = {0};
        list_add(&with, stub);
        list_add_all(&with, &files);
        files = with;
    }
    link_program(options, &files, output);
    if (options->run)
        run_program(options, output);
}

/* Lines that build tools read where the toolkit lies from. */
static void print_folders(const struct options *options)
{
    const char *home = options->home, *path = getenv("PATH");
    fprintf(stderr, "#$ _SPACE_= \n#$ _HERE_=%s/bin\n#$ TOP=%s\n#$ PATH=%s/bin:%s\n", home, home,
            home, path ? path : "");
    fprintf(stderr, "#$ INCLUDES=-I%s/include\n#$ LIBRARIES=-L%s/lib64/stubs\n", home, home);
    fprintf(stderr, "#$ ARCHITECTURE= -arch compute_%d\n", options->target);
}

#ifdef __SANITIZE_ADDRESS__
/* Strings and lists live as long as the process, whose end frees them. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}
#endif

int main(int argc, char **argv)
{
    struct options options = {0};
    options_parse(&options, home_folder(), argc, argv);
    if (!options.inputs.count)
        fatal("No input files specified; use option --help for more information");
    if (options.verbose || options.dry_run)
        print_folders(&options);
    if (options.phase == PHASE_LINK || options.phase == PHASE_ARCHIVE ||
        options.phase == PHASE_DLINK)
        link_all(&options);
    else
        each_source(&options);
    leave_clean();
    return 0;
}
