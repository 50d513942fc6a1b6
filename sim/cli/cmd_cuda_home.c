#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/cli.h"

const struct argp cuda_home_argp = {
    .doc = "Prints the folder that takes the place of NVIDIA's toolkit; makefiles of CUDA programs "
           "take it as CUDA_HOME."};

int cmd_cuda_home(int argc, char **argv)
{
    struct error err = {0};
    char folder[PATH_MAX], path[PATH_MAX + 64], real[PATH_MAX];
    argp_parse(&cuda_home_argp, argc, argv, 0, NULL, NULL);
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
