/* A kernel of very many blocks; the test that starts it ends it. */
#include "tests/cuda/api/api.h"

int main(void)
{
    void *p;
    uint32_t turns = 200;
    void *args[] = {&p, &turns};
    api_register();
    OK(cudaMalloc(&p, 4));
    OK(cudaLaunchKernel(&host_wait, api_dim(2000000, 1, 1), api_dim(32, 1, 1), args, 0, NULL));
    OK(cudaDeviceSynchronize());
    return 0;
}
