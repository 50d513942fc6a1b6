/* Functions that end without the value that they promise, as programs have them whose callers do not
 * look at it: they return, on the device and on the host. A compiler may otherwise conclude that
 * their loops never end. */
#include <cstdio>

#define WORDS 8

__device__ bool clear(int *p, int n)
{
    for (int i = 0; i < n; i++)
        if (p[i] != 0)
            p[i] = 0;
}

__device__ int *first(int *p, int n)
{
    if (n > 0)
        return p;
}

__global__ void both(int *p, int n)
{
    clear(p, n);
    first(p, n - WORDS);
    p[n] += 1;
}

static bool verify(const int *p, int n, int *wrong)
{
    for (int i = 0; i < n; i++) {
        if (p[i] != 0) {
            *wrong = i;
            return false;
        }
    }
}

int main()
{
    int *p, wrong = -1;
    if (cudaMallocManaged(&p, (WORDS + 1) * sizeof *p))
        return 1;
    for (int i = 0; i <= WORDS; i++)
        p[i] = i + 1;
    both<<<1, 1>>>(p, WORDS);
    cudaError_t error = cudaDeviceSynchronize();
    if (error) {
        printf("%s\n", cudaGetErrorString(error));
        return 1;
    }
    verify(p, WORDS, &wrong);
    bool right = wrong < 0 && p[WORDS] == WORDS + 2;
    printf("%s\n", right ? "PASSED" : "FAILED");
    return !right;
}
