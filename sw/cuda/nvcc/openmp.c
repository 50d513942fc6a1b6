#include "sw/cuda/nvcc/openmp.h"

#include <string.h>

#include "sw/cuda/nvcc/command.h"
#include "sw/cuda/nvcc/diagnose.h"

bool openmp_asked(const struct options *options)
{
    return list_has(&options->host, "-fopenmp");
}

static bool calls(const char *object)
{
    static const char name[] = "__kmpc_";
    size_t size = 0;
    char *bytes = file_read(object, &size);
    return bytes && memmem(bytes, size, name, sizeof name - 1);
}

void openmp_join(const struct options *options, const char *object)
{
    if (!openmp_asked(options) || options->dry_run || !calls(object))
        return;
    struct list words = {0};
    char *joined = temporary(options, "openmp.o");
    size_t size = 0;
    list_add_these(&words, "ld", "-r", "-o", joined, object,
                   text("%s/lib64/evgpu_openmp.o", options->home), NULL);
    command_run(options, &words);
    char *bytes = file_read(joined, &size);
    if (!bytes)
        fatal("cannot read %s", joined);
    file_write(object, bytes, size);
}
