/* With EVGPU_CLOCK=simulated the C library's clocks are the simulator's; and a bulk copy takes the
 * time of the link: 64 MB each way, by the machine's 15.754 GB/s with 24 bytes of header per 256.
 */
#include <sys/time.h>
#include <time.h>

#include "tests/cuda/api/api.h"

#define BYTES (64u << 20)

static uint64_t monotonic(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

int main(void)
{
    unsigned long long before, after, now;
    struct timeval day;
    char *host = malloc(BYTES), *back = malloc(BYTES), *pinned;
    void *device;
    double expected = (double)BYTES * 280 / 256 / 15.754;
    for (size_t i = 0; i < BYTES; i++)
        host[i] = (char)(i * 31 >> 4);
    OK(cudaMalloc(&device, BYTES));
    for (int out = 0; out < 2; out++) {
        OK(evgpuGetTime(&before));
        OK(out ? cudaMemcpy(back, device, BYTES, cudaMemcpyDeviceToHost)
               : cudaMemcpy(device, host, BYTES, cudaMemcpyHostToDevice));
        OK(evgpuGetTime(&after));
        MUST((double)(after - before) > expected && (double)(after - before) < 1.01 * expected);
    }
    MUST(!memcmp(host, back, BYTES));
    OK(cudaMallocHost((void **)&pinned, BYTES));
    OK(cudaMemcpyAsync(pinned, device, BYTES, cudaMemcpyDeviceToHost, NULL));
    OK(cudaDeviceSynchronize());
    MUST(!memcmp(host, pinned, BYTES));

    OK(evgpuGetTime(&now));
    gettimeofday(&day, NULL);
    MUST(monotonic() == now);
    MUST((uint64_t)day.tv_sec * 1000000 + (uint64_t)day.tv_usec == now / 1000);
    MUST((uint64_t)clock() == now / 1000 && (uint64_t)time(NULL) == now / 1000000000);
    OK(evgpuHostTime(3000000000));
    MUST(monotonic() == now + 3000000000 && (uint64_t)time(NULL) >= 3);
    return 0;
}
