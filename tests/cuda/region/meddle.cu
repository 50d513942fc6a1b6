// What acts on the waits of all guests is refused while another one has memory with full/empty bits, and what this
// one has set before ends when the other allocates. Usage: meddle release|timeout|early. Status 0: so it was.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <cuda_runtime_full_empty.h>

static bool other_has_memory()
{
    size_t available = 0, total = 0;
    return cudaMemGetInfoFullEmpty(&available, &total) == cudaSuccess && available < total;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    int calls = 0;
    if (!std::strcmp(what, "early") && cudaSetFullEmptyTimeout(1000) != cudaSuccess)
        return 2;
    while (!other_has_memory() && ++calls < 100000) {
    }
    if (calls == 100000)
        return 3;
    cudaError_t got = cudaErrorNotPermitted;
    for (int i = 0; i < 300 && got == cudaErrorNotPermitted && std::strcmp(what, "early"); i++)
        got = std::strcmp(what, "release") ? cudaSetFullEmptyTimeout(1000) : cudaReleaseFullEmpty();
    std::printf("%s: %s\n", what, cudaGetErrorString(got));
    return got == cudaErrorNotPermitted ? 0 : 1;
}
