/* Host memory that is registered where the library itself is at work: on the stack, in the heap's
 * pages, by a program's first call, and still when the device is reset or the program ends. */
#include "tests/cuda/api/api.h"

#define PAGE 4096u

/* Pages in front of the frames that register them, behind them and around them. */
static void on_the_stack(void)
{
    char frame[16 * PAGE];
    memset(frame, 7, sizeof frame);
    for (uint32_t at = 0; at < sizeof frame; at += PAGE / 2) {
        frame[at] = (char)at;
        OK(cudaHostRegister(frame + at, 64, 0));
        MUST(frame[at] == (char)at);
        frame[at]++;
        OK(cudaHostUnregister(frame + at));
        MUST(frame[at] == (char)(at + 1));
    }
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(frame));
}

/* The heap around it holds what the library needs for its next call. */
static void through_a_reset(void)
{
    uint8_t *mine = malloc(8 * PAGE);
    uint32_t *device;
    memset(mine, 7, 8 * PAGE);
    OK(cudaHostRegister(mine, 8 * PAGE, 0));
    mine[5] = 9;
    OK(cudaDeviceReset());
    OK(cudaMalloc((void **)&device, 64 * PAGE));
    OK(cudaMemset(device, 0x55, 64 * PAGE));
    OK(cudaDeviceSynchronize());
    MUST(mine[0] == 7);
    MUST(mine[5] == 9);
    MUST(mine[8 * PAGE - 1] == 7);
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(mine));
    OK(cudaHostRegister(mine, 8 * PAGE, 0));
    OK(cudaHostUnregister(mine));
    free(mine);
}

int main(void)
{
    char left[PAGE]; /* registered until the end */
    OK(cudaHostRegister(left, sizeof left, 0));
    OK(cudaHostUnregister(left));
    on_the_stack();
    through_a_reset();
    memset(left, 1, sizeof left);
    OK(cudaHostRegister(left, sizeof left, 0));
    return 0;
}
