/* Sizes and addresses that no memory has: every call of the library returns an error, and the
 * program goes on. */
#include <sys/mman.h>

#include "tests/cuda/api/api.h"

#define HUGE ((size_t)1 << 61)
#define MOST SIZE_MAX

int main(void)
{
    char *host = malloc(4096), *device,
         *hole = mmap(NULL, 3 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    void *p = NULL;
    size_t pitch = 0;
    cudaArray_t array;
    struct cudaChannelFormatDesc bytes =
        cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
    struct cudaPitchedPtr box;
    api_register();
    OK(cudaMalloc((void **)&device, 1 << 20));
    MUST(hole != MAP_FAILED && !munmap(hole + (1 << 16), 1 << 16));

    /* Copies. */
    GIVES(1, cudaMemcpy(host, host + 8, HUGE, cudaMemcpyHostToHost));
    GIVES(1, cudaMemcpy(host, host + 8, MOST, cudaMemcpyDefault));
    GIVES(1, cudaMemcpy(hole, hole, MOST, cudaMemcpyHostToHost)); /* rounded up to pages it is 0 */
    GIVES(1, cudaMemcpy(device, host, HUGE, cudaMemcpyHostToDevice));
    GIVES(1, cudaMemcpy2D(host, 4096, device, 4096, 4096, HUGE, cudaMemcpyDeviceToHost));
    GIVES(1, cudaMemcpy2D(device, MOST, host, MOST, MOST, MOST, cudaMemcpyHostToDevice));
    GIVES(1, cudaMemcpy2D(device, HUGE, device, HUGE, 16, 16, cudaMemcpyDeviceToDevice));
    GIVES(1, cudaMemset(device, 1, HUGE));
    GIVES(1, cudaMemset2D(device, HUGE, 1, 1, HUGE));
    GIVES(1, cudaMemcpy(device, hole, 3 << 16, cudaMemcpyHostToDevice));
    GIVES(1, cudaMemcpy(hole, device, 3 << 16, cudaMemcpyDeviceToHost));
    GIVES(1, cudaMemcpyAsync(device, hole, 3 << 16, cudaMemcpyHostToDevice, NULL));
    GIVES(1, cudaMemcpy((void *)0x10, device, 16, cudaMemcpyDeviceToHost));
    GIVES(1, cudaMemcpyAsync(device, (void *)0x10, 16, cudaMemcpyHostToDevice, NULL));
    OK(cudaMemcpy2D(device, 1 << 16, hole, 2 << 16, 1 << 16, 2, cudaMemcpyHostToDevice));

    /* Memory. */
    GIVES(2, cudaMalloc(&p, HUGE));
    GIVES(2, cudaMalloc(&p, MOST));
    GIVES(2, cudaMallocHost(&p, MOST));
    GIVES(2, cudaMallocManaged(&p, MOST, cudaMemAttachGlobal));
    GIVES(2, cudaMallocPitch(&p, &pitch, HUGE, 16));
    GIVES(2, cudaMalloc3D(&box, (struct cudaExtent){HUGE, 2, 8}));
    GIVES(2, cudaMallocArray(&array, &bytes, HUGE, 16, 0));
    GIVES(2, cudaMallocArray(&array, &bytes, 1 << 20, (size_t)1 << 44, 0));
    GIVES(2, cudaMalloc3DArray(&array, &bytes, (struct cudaExtent){512, HUGE, 8}, 0));
    GIVES(1, cudaHostRegister(host, MOST, 0));
    GIVES(1, cudaHostRegister(hole, 3 << 16, 0));
    GIVES(1, cudaHostRegister((void *)0x10, 4096, 0));
    MUST(!mprotect(hole, 1 << 15, PROT_NONE)); /* the first half of what is there */
    GIVES(1, cudaHostRegister(hole, 1 << 15, 0));
    GIVES(1, cudaHostRegister(hole, 1 << 16, 0));
    OK(cudaHostRegister(hole + (1 << 15), 1 << 15, 0));
    GIVES(1, cudaHostRegister(device, 4096, 0));
    OK(cudaMemcpy(host, device, 4096, cudaMemcpyDeviceToHost));
    OK(cudaFree(device));
    return 0;
}
