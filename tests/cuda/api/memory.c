/* Allocations of every kind, what pointers are, copies in every direction, sets. */
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cuda/api/api.h"

#define N 1000u

static uint32_t a[N], b[N];

static void device_memory(void)
{
    void *p = NULL, *q = NULL;
    size_t free0, free1, total;
    struct cudaPointerAttributes attr;
    OK(cudaMemGetInfo(&free0, &total));
    OK(cudaMalloc(&p, 1 << 20));
    OK(cudaMemGetInfo(&free1, &total));
    MUST(free0 - free1 >= 1 << 20 && (uintptr_t)p % 256 == 0);
    OK(cudaPointerGetAttributes(&attr, (char *)p + 5));
    MUST(attr.type == cudaMemoryTypeDevice && !attr.hostPointer);
    OK(cudaPointerGetAttributes(&attr, a));
    MUST(attr.type == cudaMemoryTypeUnregistered);
    OK(cudaMalloc(&q, 0));
    MUST(!q);
    GIVES(cudaErrorMemoryAllocation, cudaMalloc(&q, total + 1));
    GIVES(cudaErrorMemoryAllocation, cudaGetLastError());
    OK(cudaGetLastError());
    OK(cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(p));
    GIVES(cudaErrorInvalidValue, cudaFree(a));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(a, p, 4, cudaMemcpyDeviceToHost));
    OK(cudaFree(NULL));
    OK(cudaMemGetInfo(&free1, &total));
    MUST(free0 == free1);
}

static void linear(void)
{
    void *p, *q;
    for (uint32_t i = 0; i < N; i++)
        a[i] = i * 7;
    OK(cudaMalloc(&p, sizeof a));
    OK(cudaMalloc(&q, sizeof a));
    OK(cudaMemcpy(p, a, sizeof a, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(q, p, sizeof a, cudaMemcpyDeviceToDevice));
    OK(cudaMemcpy(b, q, sizeof a, cudaMemcpyDefault));
    MUST(!memcmp(a, b, sizeof a));
    memset(b, 0, sizeof b);
    OK(cudaMemcpyPeer(p, 0, q, 0, sizeof a));
    OK(cudaMemcpyAsync(b, p, sizeof a, cudaMemcpyDeviceToHost, NULL));
    OK(cudaDeviceSynchronize());
    MUST(!memcmp(a, b, sizeof a));
    OK(cudaMemcpy(b, a, sizeof a, cudaMemcpyHostToHost));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(p, a, sizeof a + 256 * 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue, cudaMemcpy(a, b, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidMemcpyDirection, cudaMemcpy(p, a, 4, (enum cudaMemcpyKind)7));
    /* An asynchronous copy from pageable memory has its data when the call returns. */
    OK(cudaMemcpyAsync(p, a, sizeof a, cudaMemcpyHostToDevice, NULL));
    memset(a, 0, sizeof a);
    OK(cudaMemcpy(a, p, sizeof a, cudaMemcpyDeviceToHost));
    MUST(!memcmp(a, b, sizeof a));
    OK(cudaMemset(p, 0x5A, sizeof a));
    OK(cudaMemsetAsync((char *)p + 8, 0, 4, NULL));
    OK(cudaMemcpy(a, p, sizeof a, cudaMemcpyDeviceToHost));
    MUST(a[0] == 0x5A5A5A5A && a[2] == 0 && a[N - 1] == 0x5A5A5A5A);
    GIVES(cudaErrorInvalidValue, cudaMemset(p, 0, sizeof a + 4096));
    OK(cudaFree(p));
    OK(cudaFree(q));
}

static void rows(void)
{
    void *p;
    size_t pitch;
    uint8_t box[4][5], back[4][5] = {{0}};
    for (int i = 0; i < 20; i++)
        box[i / 5][i % 5] = (uint8_t)(i + 1);
    OK(cudaMallocPitch(&p, &pitch, 5, 4));
    MUST(pitch >= 5 && pitch % 32 == 0);
    OK(cudaMemset2D(p, pitch, 9, 5, 4));
    OK(cudaMemcpy2D(p, pitch, box, 5, 3, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(back, 5, p, pitch, 5, 4, cudaMemcpyDeviceToHost));
    MUST(back[3][2] == 18 && back[3][3] == 9 && back[0][0] == 1);
    GIVES(cudaErrorInvalidPitchValue, cudaMemcpy2D(p, 2, box, 5, 3, 4, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(p, 2, &box[1], 0, 3, 1, cudaMemcpyHostToDevice)); /* one row needs no pitch */
    OK(cudaMemcpy2D(back, 5, p, pitch, 3, 1, cudaMemcpyDeviceToHost));
    MUST(!memcmp(back[0], box[1], 3));
    /* Bytes that do not fit in 64 bits, and more than can be taken along. */
    size_t half = (size_t)1 << 32;
    GIVES(cudaErrorInvalidValue,
          cudaMemcpy2D(p, half, box, half, half, half, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyAsync(p, box, SIZE_MAX - 3, cudaMemcpyHostToDevice, NULL));
    OK(cudaFree(p));

    struct cudaPitchedPtr whole;
    struct cudaExtent extent = {5, 2, 2};
    OK(cudaMalloc3D(&whole, extent));
    OK(cudaMemset3D(whole, 3, extent));
    struct cudaMemcpy3DParms copy = {.srcPtr = {box, 5, 5, 2},
                                     .dstPtr = whole,
                                     .extent = {4, 2, 2},
                                     .kind = cudaMemcpyHostToDevice};
    OK(cudaMemcpy3D(&copy));
    copy = (struct cudaMemcpy3DParms){.srcPtr = whole,
                                      .dstPtr = {back, 5, 5, 2},
                                      .extent = extent,
                                      .kind = cudaMemcpyDeviceToHost};
    OK(cudaMemcpy3D(&copy));
    MUST(back[0][0] == 1 && back[3][3] == 19 && back[3][4] == 3 && back[1][4] == 3);
    OK(cudaFree(whole.ptr));
}

static int told(enum cudaMemRangeAttribute attribute, const void *p, size_t bytes)
{
    int value = 77;
    OK(cudaMemRangeGetAttribute(&value, sizeof value, attribute, p, bytes));
    return value;
}

/* Of managed memory that was fetched to the device as a whole. */
static void advised(char *m, size_t bytes)
{
    const size_t half = bytes / 2, quarter = bytes / 4;
    int by[3], preferred = 77;
    void *data[] = {by, &preferred};
    size_t sizes[] = {sizeof by, sizeof preferred};
    enum cudaMemRangeAttribute both[] = {cudaMemRangeAttributeAccessedBy,
                                         cudaMemRangeAttributePreferredLocation};
    MUST(told(cudaMemRangeAttributeLastPrefetchLocation, m, bytes) == 0);
    MUST(told(cudaMemRangeAttributeReadMostly, m, bytes) == 0);
    MUST(told(cudaMemRangeAttributePreferredLocation, m, bytes) == cudaInvalidDeviceId);
    /* The first half is mostly read, the middle one preferred on the host. */
    OK(cudaMemAdvise(m, half, cudaMemAdviseSetReadMostly, 0));
    const struct cudaMemLocation host = {cudaMemLocationTypeHost, 0},
                                 device = {cudaMemLocationTypeDevice, 0},
                                 nowhere = {cudaMemLocationTypeInvalid, 0};
    OK(cudaMemAdvise_v2(m + quarter, half, cudaMemAdviseSetPreferredLocation, host));
    MUST(told(cudaMemRangeAttributeReadMostly, m, half) == 1);
    MUST(told(cudaMemRangeAttributeReadMostly, m, half + 1) == 0);
    MUST(told(cudaMemRangeAttributePreferredLocation, m + quarter, half) == cudaCpuDeviceId);
    MUST(told(cudaMemRangeAttributePreferredLocation, m, half) == cudaInvalidDeviceId);
    OK(cudaMemPrefetchAsync_v2(m, half, device, 0, NULL));
    MUST(told(cudaMemRangeAttributeLastPrefetchLocation, m, half) == 0);
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync_v2(m, half, nowhere, 0, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPrefetchAsync_v2(m, half, device, 1, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemAdvise_v2(m, half, cudaMemAdviseSetReadMostly, nowhere));
    OK(cudaMemPrefetchAsync(m, quarter, cudaCpuDeviceId, NULL));
    MUST(told(cudaMemRangeAttributeLastPrefetchLocation, m, quarter) == cudaCpuDeviceId);
    MUST(told(cudaMemRangeAttributeLastPrefetchLocation, m, bytes) == cudaInvalidDeviceId);
    OK(cudaMemAdvise(m, bytes, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    OK(cudaMemAdvise(m, half, cudaMemAdviseSetAccessedBy, 0));
    OK(cudaMemRangeGetAttributes(data, sizes, both, 2, m + quarter, quarter));
    MUST(by[0] == 0 && by[1] == cudaCpuDeviceId && by[2] == cudaInvalidDeviceId);
    MUST(preferred == cudaCpuDeviceId);
    OK(cudaMemAdvise(m + quarter, 1, cudaMemAdviseUnsetAccessedBy, 0));
    OK(cudaMemRangeGetAttributes(data, sizes, both, 2, m, half));
    MUST(by[0] == cudaCpuDeviceId && by[1] == cudaInvalidDeviceId);
    GIVES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(by, 3, both[0], m, bytes));
    GIVES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(by, sizeof by, both[1], m, bytes));
    GIVES(cudaErrorInvalidValue, cudaMemRangeGetAttribute(by, sizeof by, both[0], by, 4));
    OK(cuMemRangeGetAttribute(&preferred, sizeof preferred, CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY,
                              (CUdeviceptr)(uintptr_t)m, quarter));
    MUST(preferred == 1);
}

static void pinned(void)
{
    uint32_t *h, *d, *m;
    struct cudaPointerAttributes attr;
    unsigned int flags;
    OK(cudaHostAlloc((void **)&h, sizeof a, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer((void **)&d, h, 0));
    OK(launch_fill(d, 100, N, NULL));
    OK(cudaDeviceSynchronize());
    MUST(h[0] == 100 && h[N - 1] == 100 + N - 1);
    OK(cudaHostGetFlags(&flags, h));
    MUST(flags & cudaHostAllocMapped);
    OK(cudaPointerGetAttributes(&attr, h));
    MUST(attr.type == cudaMemoryTypeHost && attr.hostPointer == h);
    GIVES(cudaErrorInvalidValue, cudaFree(h));
    OK(cudaFreeHost(h));
    GIVES(cudaErrorInvalidValue, cudaFreeHost(h));

    char *page = malloc(3 * 4096 + 100);
    uint32_t *mine = (uint32_t *)(void *)(page + 40);
    mine[0] = 42;
    OK(cudaHostRegister(mine, 3 * 4096, cudaHostRegisterMapped));
    GIVES(cudaErrorHostMemoryAlreadyRegistered, cudaHostRegister(mine, 4096, 0));
    MUST(mine[0] == 42);
    OK(cudaHostGetDevicePointer((void **)&d, mine + 1, 0));
    OK(launch_fill(d, 7, N, NULL));
    OK(cudaDeviceSynchronize());
    MUST(mine[0] == 42 && mine[1] == 7 && mine[N] == 7 + N - 1);
    OK(cudaHostUnregister(mine));
    GIVES(cudaErrorHostMemoryNotRegistered, cudaHostUnregister(mine));
    MUST(mine[1] == 7);
    free(page);

    OK(cudaMallocManaged((void **)&m, sizeof a, cudaMemAttachGlobal));
    memset(m, 0, sizeof a);
    OK(launch_fill(m, 1, N, NULL));
    OK(cudaDeviceSynchronize());
    MUST(m[0] == 1 && m[N - 1] == N);
    OK(cudaPointerGetAttributes(&attr, m));
    MUST(attr.type == cudaMemoryTypeManaged && attr.hostPointer == m && attr.devicePointer == m);
    OK(cudaMemPrefetchAsync(m, sizeof a, 0, NULL));
    advised((char *)m, sizeof a);
    OK(cudaFree(m));
    OK(cudaMallocManaged((void **)&m, sizeof a, cudaMemAttachGlobal)); /* knows nothing of it */
    MUST(told(cudaMemRangeAttributeReadMostly, m, 4) == 0);
    OK(cudaFree(m));
}

/* A child of a fork finds the pages of registered memory as they were, and what it writes there is
 * its own: also what it writes into the heap beside the registered bytes. */
static void forked(void)
{
    enum { BYTES = 5000, ALL = 3 * BYTES };
    uint8_t got[BYTES], *block = malloc(ALL), *registered = block + BYTES;
    int go[2], status = -1;
    void *d;
    memset(block, 1, ALL);
    OK(cudaHostRegister(registered, BYTES, 0));
    OK(cudaMalloc(&d, BYTES));
    MUST(!pipe(go));
    pid_t child = fork();
    if (!child) {
        char c;
        bool same = read(go[0], &c, 1) == 1; /* the parent has written */
        for (uint32_t i = 0; i < ALL; i++)
            same &= block[i] == 1;
        memset(block, 2, ALL);
        _exit(same ? 0 : 1);
    }
    memset(block, 3, ALL);
    MUST(child > 0 && write(go[1], "", 1) == 1);
    MUST(waitpid(child, &status, 0) == child && !status);
    for (uint32_t i = 0; i < ALL; i++)
        MUST(block[i] == 3);
    OK(cudaMemcpy(d, registered, BYTES, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(got, d, BYTES, cudaMemcpyDeviceToHost));
    MUST(got[0] == 3 && got[BYTES - 1] == 3);
    OK(cudaHostUnregister(registered));
    OK(cudaFree(d));
    free(block);
    close(go[0]);
    close(go[1]);
}

static void symbols(void)
{
    uint32_t table[4] = {1, 2, 3, 4}, counter = 0, got = 0;
    void *out, *address;
    size_t bytes;
    OK(cudaMalloc(&out, 4));
    OK(cudaMemcpyToSymbol(host_table, table, sizeof table, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(&counter, host_counter, 4, 0, cudaMemcpyDeviceToHost));
    MUST(counter == 5);
    void *args[] = {&out};
    OK(cudaLaunchKernel(&host_sum, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    OK(cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost));
    MUST(got == 15);
    OK(cudaGetSymbolSize(&bytes, host_table));
    OK(cudaGetSymbolAddress(&address, host_table));
    MUST(bytes == 16);
    OK(cudaMemcpy(&got, (char *)address + 12, 4, cudaMemcpyDeviceToHost));
    MUST(got == 4);
    GIVES(cudaErrorInvalidValue,
          cudaMemcpyToSymbol(host_table, table, 16, 4, cudaMemcpyHostToDevice));
    GIVES(cudaErrorInvalidSymbol, cudaGetSymbolAddress(&address, a));
    OK(cudaFree(out));
}

int main(void)
{
    api_register();
    device_memory();
    linear();
    rows();
    pinned();
    forked();
    symbols();
    return 0;
}
