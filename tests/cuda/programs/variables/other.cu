/* Adds to the other file's variables, on the device and then on the host; has one of its own by a name that is there, too. */
#include "shared.h"

static __managed__ int own = 1000;

__global__ void advance_all()
{
    steps++;
    row.at[2] += 0.5;
    own++;
}

void advance()
{
    advance_all<<<1, 1>>>();
    cudaDeviceSynchronize();
    steps += own;
}
