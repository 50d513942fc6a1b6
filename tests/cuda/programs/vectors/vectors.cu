/* The toolkit's helper_math.h on the device, on nvcc's host and on another host compiler. */
#include <helper_math.h>

#include "check.h"
#include "vectors.h"

bool on_host();

__global__ void on_device(bool *ok)
{
    *ok = vectors_hold();
}

int main()
{
    bool *ok, device;
    CHECK(cudaMalloc(&ok, sizeof *ok));
    on_device<<<1, 1>>>(ok);
    CHECK(cudaMemcpy(&device, ok, sizeof *ok, cudaMemcpyDeviceToHost));
    return verdict("vectors", device && vectors_hold() && on_host());
}
