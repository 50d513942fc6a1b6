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
    /* CMake takes the folders of -L for the linker's own and writes no search path for them. So it
     * sees stubs alone: what it links from lib64 itself gets a search path, and by its name a place
     * (mk/toolkit.mk). */
    list_add_these(words, text("--library-directory=%s/lib64", options->home),
                   text("-L%s/lib64/stubs", options->home),
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
    /* In a group, as nvcc has them: a makefile may name libraries in front of what uses them. */
    list_add(&words, "-Wl,--start-group");
    list_add_all(&words, files);
    list_add(&words, "-Wl,--end-group");
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
