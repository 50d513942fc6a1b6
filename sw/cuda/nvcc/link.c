#include "sw/cuda/nvcc/link.h"

#include <string.h>

#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/compile.h"
#include "sw/cuda/nvcc/diagnose.h"

static void add_runtime(struct list *words, const struct options *options)
{
    const char *library = options->runtime_library;
    if (library && !strcmp(library, "none"))
        return;
    if (library && strcmp(library, "shared") && strcmp(library, "static"))
        fatal("'%s': expected 'none', 'shared' or 'static' for option 'cudart'", library);
    list_add_these(words, text("-L%s/lib64", options->home),
                   text("-Wl,-rpath,%s/lib64", options->home),
                   library && !strcmp(library, "static") ? "-lcudart_static" : "-lcudart", NULL);
    /* CMake learns from this line that the static runtime is the default, as with NVIDIA's nvcc,
     * and links it without the path above. The linker finds nothing missing any more, and leaves it
     * out here. */
    if (!library)
        list_add_these(words, "-Wl,--push-state,--as-needed", "-lcudart_static", "-Wl,--pop-state",
                       NULL);
    list_add_these(words, "-lpthread", "-ldl", "-lrt", NULL);
}

/* Libraries behind all objects and in one group, as nvcc has them: a makefile may name them in
 * front of its sources, and in any order. */
static void add_inputs(struct list *words, const struct list *files)
{
    list_add(words, "-Wl,--start-group");
    for (int libraries = 0; libraries < 2; libraries++) {
        for (size_t i = 0; i < files->count; i++) {
            if (starts_with(files->at[i], "-l") == (libraries == 1))
                list_add(words, files->at[i]);
        }
    }
    list_add(words, "-Wl,--end-group");
}

void link_program(const struct options *options, const struct list *files, const char *output)
{
    struct list words = {0};
    list_add(&words, host_name(options, true));
    if (options->shared)
        list_add(&words, "-shared");
    if (options->profile)
        list_add(&words, "-pg");
    if (options->debug_host)
        list_add(&words, "-g");
    list_add_these(&words, "-o", output, NULL);
    list_add_all(&words, &options->host);
    add_inputs(&words, files);
    list_add_all(&words, &options->linker);
    add_runtime(&words, options);
    diagnose_link(options, &words);
}

void link_archive(const struct options *options, const struct list *files, const char *output)
{
    struct list words = {0};
    list_add_these(&words, "ar", "rcs", NULL);
    list_add_all(&words, &options->archiver);
    list_add(&words, output);
    for (size_t i = 0; i < files->count; i++) {
        if (files->at[i][0] != '-')
            list_add(&words, files->at[i]);
    }
    command_run(options, &words);
}
