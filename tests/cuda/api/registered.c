/* Host memory that is registered where the library itself is at work: on the stack, in the heap's
 * pages, by a program's first call, and still when the device is reset, the program ends, or the
 * pages are gone. */
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

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

/* The access that the program has to its pages is the same before, meanwhile and afterwards. */
static void read_only(void)
{
    int ends[2], supported = 0;
    OK(cudaDeviceGetAttribute(&supported, cudaDevAttrHostRegisterReadOnlySupported, 0));
    MUST(supported == 1);
    MUST(pipe(ends) == 0);
    uint8_t copy[2] = {0};
    uint8_t *pages =
        mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    uint8_t *last = pages + 2 * PAGE;
    memset(pages, 7, 4 * PAGE);
    MUST(mprotect(last, PAGE, PROT_READ) == 0);
    MUST(mprotect(last + PAGE, PAGE, PROT_NONE) == 0);
    GIVES(cudaErrorInvalidValue, cudaHostRegister(last, PAGE, 0));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(pages, 3 * PAGE, cudaHostRegisterReadOnly));
    GIVES(cudaErrorInvalidValue, cudaHostRegister(last + PAGE, 8, cudaHostRegisterReadOnly));
    OK(cudaHostRegister(last + 4, 8, cudaHostRegisterReadOnly));
    OK(cudaMemcpy(copy, last + 4, sizeof copy, cudaMemcpyHostToHost));
    MUST(copy[0] == 7 && last[PAGE - 1] == 7);
    MUST(read(ends[0], last, write(ends[1], "12", 2)) < 0); /* no signal where the kernel writes */
    int child = fork(), status = 0;
    if (!child)
        _exit(read(ends[0], last, 2) >= 0 || last[4] != 7);
    MUST(waitpid(child, &status, 0) == child && status == 0);
    OK(cudaHostUnregister(last + 4));
    MUST(read(ends[0], last, 2) < 0 && last[4] == 7);
    OK(cuMemHostRegister(pages, PAGE, CU_MEMHOSTREGISTER_READ_ONLY));
    MUST(read(ends[0], pages, 2) == 2);
    OK(cuMemHostUnregister(pages));
    MUST(pages[0] == '1' && pages[2] == 7);
    munmap(pages, 4 * PAGE);
}

static int child_writes(uint8_t *at)
{
    int status = 1;
    pid_t child = fork();
    if (!child) {
        *at = 5;
        _exit(0);
    }
    MUST(waitpid(child, &status, 0) == child);
    return status;
}

/* Pages that the program returns to the system are gone, whatever they are registered for, and
 * others that are there by now are the program's. */
static void given_back(void)
{
    uint8_t *pages[2], mine = 0;
    for (int i = 0; i < 2; i++) {
        pages[i] = mmap(NULL, 4 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        OK(cudaHostRegister(pages[i], 4 * PAGE, 0));
    }
    for (int i = 0; i < 2; i++)
        MUST(munmap(pages[i], 4 * PAGE) == 0);
    MUST(child_writes(&mine) == 0);
    uint8_t *others = mmap(pages[0], 4 * PAGE, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    MUST(others == pages[0]);
    MUST(child_writes(others) == 0);
    MUST(others[0] == 5);
    OK(cudaHostUnregister(pages[0])); /* the second at the end of the program */
    others[0] = 0;
    MUST(child_writes(others) == 0);
    MUST(others[0] == 5);
}

int main(void)
{
    char left[PAGE]; /* registered until the end */
    OK(cudaHostRegister(left, sizeof left, 0));
    OK(cudaHostUnregister(left));
    on_the_stack();
    through_a_reset();
    read_only();
    given_back();
    memset(left, 1, sizeof left);
    OK(cudaHostRegister(left, sizeof left, 0));
    return 0;
}
