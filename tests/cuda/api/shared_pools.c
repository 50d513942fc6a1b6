/* A memory pool that one process has and another one imports, by the calls of both APIs. With
 * "apart": each process has a simulator of its own, and nothing can be imported. */
#include <fcntl.h>
#include <stdbool.h>
#include <sys/socket.h>

#include "tests/cuda/api/two.h"

#define WORDS 1000u

struct shared {
    struct cudaMemPoolPtrExportData words, freed, of_other;
    cudaIpcEventHandle_t event;
    uint32_t *at, *at_other; /* where the parent has them */
};

static const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
                                              .handleTypes = cudaMemHandleTypePosixFileDescriptor,
                                              .location = {cudaMemLocationTypeDevice, 0}};

static uint32_t word(const void *at)
{
    uint32_t value = 0;
    OK(cudaMemcpy(&value, at, sizeof value, cudaMemcpyDeviceToHost));
    return value;
}

static uint64_t used(cudaMemPool_t pool)
{
    uint64_t bytes = 0;
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &bytes));
    return bytes;
}

static void *file(int descriptor)
{
    return (void *)(intptr_t)descriptor;
}

/* Descriptors, which go from one process to the other through a socket. */
enum { POOL, OTHER, NO_POOL, FILES };
static int files[FILES], sockets[2];

static void move_files(bool give)
{
    char byte = 0;
    struct iovec text = {&byte, 1};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof files)];
    } control;
    memset(&control, 0, sizeof control);
    struct msghdr message = {.msg_iov = &text,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof control};
    control.header.cmsg_level = SOL_SOCKET;
    control.header.cmsg_type = SCM_RIGHTS;
    control.header.cmsg_len = CMSG_LEN(sizeof files);
    memcpy(CMSG_DATA(&control.header), files, sizeof files);
    MUST((give ? sendmsg(sockets[0], &message, 0) : recvmsg(sockets[1], &message, 0)) == 1);
    memcpy(files, CMSG_DATA(&control.header), sizeof files);
}

static void tell(const struct shared *s)
{
    say(to_child[1], s, sizeof *s);
    move_files(true);
}

static void listen_to(struct shared *s)
{
    hear(to_child[0], s, sizeof *s);
    move_files(false);
}

/* --- the parent ------------------------------------------------------------------------------- */

static cudaMemPool_t exported(int *descriptor)
{
    cudaMemPool_t pool = NULL;
    OK(cudaMemPoolCreate(&pool, &props));
    GIVES(cudaErrorNotSupported,
          cudaMemPoolExportToShareableHandle(descriptor, pool, cudaMemHandleTypeWin32, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(
                                     descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 1));
    OK(cudaMemPoolExportToShareableHandle(descriptor, pool, cudaMemHandleTypePosixFileDescriptor,
                                          0));
    return pool;
}

static void closed(void)
{
    cudaMemPool_t own = NULL;
    struct cudaMemPoolPtrExportData data;
    uint32_t *p = NULL;
    int descriptor;
    OK(cudaDeviceGetDefaultMemPool(&own, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(
                                     &descriptor, own, cudaMemHandleTypePosixFileDescriptor, 0));
    OK(cudaMallocAsync((void **)&p, 64, NULL));
    GIVES(cudaErrorInvalidValue, cudaMemPoolExportPointer(&data, p));
    OK(cudaFree(p));
}

static void types_of(const void *p, unsigned long long want)
{
    unsigned long long types = 77;
    OK(cuPointerGetAttribute(&types, CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES, (uintptr_t)p));
    MUST(types == want);
}

static void give(struct shared *s, cudaMemPool_t pools[2], cudaEvent_t *event)
{
    uint32_t *freed = NULL;
    int types = 0;
    memset(s, 0, sizeof *s);
    OK(cuInit(0));
    OK(cudaDeviceGetAttribute(&types, cudaDevAttrMemoryPoolSupportedHandleTypes, 0));
    MUST(types == cudaMemHandleTypePosixFileDescriptor);
    closed();
    files[NO_POOL] = open("/proc/self/exe", O_RDONLY);
    pools[0] = exported(&files[POOL]);
    pools[1] = exported(&files[OTHER]);
    OK(cudaMallocFromPoolAsync((void **)&s->at, WORDS * sizeof(uint32_t), pools[0], NULL));
    OK(cudaMallocFromPoolAsync((void **)&freed, 512, pools[0], NULL));
    OK(cudaMallocFromPoolAsync((void **)&s->at_other, 256, pools[1], NULL));
    OK(cudaMemPoolExportPointer(&s->words, s->at));
    OK(cudaMemPoolExportPointer(&s->freed, freed));
    OK(cudaMemPoolExportPointer(&s->of_other, s->at_other));
    GIVES(cudaErrorInvalidValue, cudaMemPoolExportPointer(&s->freed, freed + 1));
    OK(cudaFreeAsync(freed, NULL));
    types_of(s->at + 5, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR);
    OK(cudaEventCreateWithFlags(event, cudaEventDisableTiming | cudaEventInterprocess));
    OK(cudaIpcGetEventHandle(&s->event, *event));
}

/* What a process exports it may import itself: the last one in is the first one out. */
static void of_its_own(const struct shared *s, cudaMemPool_t pool)
{
    cudaMemPool_t imported = NULL;
    void *p = NULL;
    struct cudaMemPoolPtrExportData data = s->words;
    OK(cudaMemPoolImportFromShareableHandle(&imported, file(files[POOL]),
                                            cudaMemHandleTypePosixFileDescriptor, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolImportPointer(&p, pool, &data));
    OK(cudaMemPoolImportPointer(&p, imported, &data));
    MUST(p == s->at);
    OK(cudaFree(p));
    OK(cudaMemset(s->at, 0, 4));
    OK(cudaMemPoolDestroy(imported));
}

static void parent(void)
{
    struct shared s;
    cudaMemPool_t pools[2];
    cudaEvent_t event;
    char byte;
    give(&s, pools, &event);
    of_its_own(&s, pools[0]);
    OK(launch_fill(s.at, 40, WORDS, NULL));
    OK(cudaEventRecord(event, NULL));
    tell(&s);
    hear(to_parent[0], &byte, 1);
    MUST(word(s.at) == 41 && word(s.at + 5) == 45 && word(s.at_other) == 7);
    MUST(used(pools[0]) == WORDS * sizeof(uint32_t));
    OK(cudaFreeAsync(s.at, NULL));
    OK(cudaFreeAsync(s.at_other, NULL));
    MUST(!used(pools[0]));
    OK(cudaMemPoolDestroy(pools[0]));
    OK(cudaMemPoolDestroy(pools[1]));
}

/* --- the child -------------------------------------------------------------------------------- */

static void refused(const struct shared *s, cudaMemPool_t pool)
{
    cudaMemPool_t none = NULL;
    struct cudaMemPoolPtrExportData data = s->freed;
    void *p = NULL;
    int descriptor;
    GIVES(cudaErrorInvalidValue,
          cudaMemPoolImportFromShareableHandle(&none, file(files[NO_POOL]),
                                               cudaMemHandleTypePosixFileDescriptor, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolImportFromShareableHandle(
                                     &none, file(-1), cudaMemHandleTypePosixFileDescriptor, 0));
    GIVES(cudaErrorInvalidValue, cudaMemPoolImportPointer(&p, pool, &data));
    data = s->of_other;
    GIVES(cudaErrorInvalidValue, cudaMemPoolImportPointer(&p, pool, &data));
    memset(&data, 1, sizeof data);
    GIVES(cudaErrorInvalidValue, cudaMemPoolImportPointer(&p, pool, &data));
    GIVES(cudaErrorInvalidValue, cudaMallocFromPoolAsync(&p, 64, pool, NULL));
    GIVES(cudaErrorInvalidValue, cudaDeviceSetMemPool(0, pool));
    GIVES(cudaErrorInvalidValue, cudaMemPoolExportToShareableHandle(
                                     &descriptor, pool, cudaMemHandleTypePosixFileDescriptor, 0));
}

/* By the driver's calls, and with memory that outlives the imported pool. */
static void by_driver(const struct shared *s)
{
    CUmemoryPool pool = NULL, of = NULL;
    CUmemPoolPtrExportData data;
    CUdeviceptr p = 0;
    OK(cuInit(0));
    memcpy(&data, &s->of_other, sizeof data);
    OK(cuMemPoolImportFromShareableHandle(&pool, file(files[OTHER]),
                                          CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0));
    close(files[OTHER]);
    OK(cuMemPoolImportPointer(&p, pool, &data));
    OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    MUST(of == pool);
    GIVES(CUDA_ERROR_INVALID_VALUE, cuMemPoolExportPointer(&data, p));
    types_of((void *)(uintptr_t)p, CU_MEM_HANDLE_TYPE_NONE);
    OK(cuMemPoolDestroy(pool));
    OK(cuPointerGetAttribute(&of, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, p));
    MUST(!of);
    OK(cuMemsetD32(p, 7, 1));
    OK(cuMemFree(p));
}

static void child(void)
{
    struct shared s;
    cudaMemPool_t pool = NULL;
    cudaStream_t stream;
    cudaEvent_t event;
    void *p = NULL, *again = NULL;
    listen_to(&s);
    OK(cudaMemPoolImportFromShareableHandle(&pool, file(files[POOL]),
                                            cudaMemHandleTypePosixFileDescriptor, 0));
    refused(&s, pool);
    OK(cudaMemPoolImportPointer(&p, pool, &s.words));
    OK(cudaMemPoolImportPointer(&again, pool, &s.words));
    MUST(p == s.at && again == p && used(pool) == 2 * WORDS * sizeof(uint32_t));
    OK(cudaIpcOpenEventHandle(&event, s.event));
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(cudaStreamWaitEvent(stream, event, 0));
    OK(launch_wait(p, 10, stream));
    OK(cudaFreeAsync(p, stream));
    MUST(word(again) == 41 && word((uint32_t *)again + 5) == 45);
    OK(cudaFree(again));
    MUST(!used(pool));
    GIVES(cudaErrorInvalidValue, cudaFree(again)); /* the rest is the parent's */
    by_driver(&s);
    OK(cudaMemPoolDestroy(pool));
    say(to_parent[1], "", 1);
}

/* --- apart ------------------------------------------------------------------------------------ */

static void parent_apart(void)
{
    struct shared s;
    cudaMemPool_t pools[2];
    cudaEvent_t event;
    char byte;
    give(&s, pools, &event);
    tell(&s);
    hear(to_parent[0], &byte, 1);
}

static void child_apart(void)
{
    struct shared s;
    cudaMemPool_t pool = NULL;
    listen_to(&s);
    GIVES(cudaErrorInvalidValue,
          cudaMemPoolImportFromShareableHandle(&pool, file(files[POOL]),
                                               cudaMemHandleTypePosixFileDescriptor, 0));
    say(to_parent[1], "", 1);
}

int main(int argc, char **argv)
{
    (void)argv;
    api_register();
    MUST(!socketpair(AF_UNIX, SOCK_STREAM, 0, sockets));
    if (argc > 1)
        two_processes(parent_apart, child_apart);
    else
        two_processes(parent, child);
    return 0;
}
