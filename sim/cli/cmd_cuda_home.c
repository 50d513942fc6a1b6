#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cli.h"

int cmd_cuda_home(int argc, char **argv)
{
    (void)argv;
    struct error err = {0};
    char folder[PATH_MAX], path[PATH_MAX + 64], real[PATH_MAX];
    if (argc > 1) {
        error_set(&err, "cuda-home takes no option: it prints the toolkit's folder");
        return complain(EXIT_BAD_INPUT, &err);
    }
    ssize_t length = readlink("/proc/self/exe", folder, sizeof folder - 1);
    folder[length < 0 ? 0 : length] = 0;
    char *slash = strrchr(folder, '/');
    if (slash)
        *slash = 0;
    snprintf(path, sizeof path, "%s/cuda/bin/nvcc", folder);
    if (!access(path, X_OK) && realpath(path, real)) {
        real[strlen(real) - strlen("/bin/nvcc")] = 0;
        puts(real);
        return EXIT_VERIFIED;
    }
    error_set(&err, "there is no toolkit in %s/cuda: `make toolkit` makes it", folder);
    return complain(EXIT_BAD_INPUT, &err);
}
