/* libcufilt: names of kernels as in the source. */
#include <string.h>

#include "sw/cuda/include/nv_decode.h"
#include "tests/cuda/api/check.h"

int main(void)
{
    int status = 1;
    size_t length = 0;
    char *name = __cu_demangle("_Z3addPKfPf", NULL, NULL, &status);
    MUST(name && !status && !strcmp(name, "add(float const*, float*)"));
    free(name);
    char *room = malloc(2);
    MUST(room);
    length = 2;
    name = __cu_demangle("_ZN5space4fillIiEEvPT_", room, &length, &status);
    MUST(name && !status && length > 2 && !strcmp(name, "void space::fill<int>(int*)"));
    free(name);
    MUST(!__cu_demangle("add", NULL, NULL, &status) && status == -2);
    MUST(!__cu_demangle(NULL, NULL, NULL, &status) && status == -3);
    return 0;
}
