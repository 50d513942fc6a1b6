/* failures WHAT: programs that go wrong, one way each. Where the program itself can tell, its exit
 * status 0 says that it saw what it should; the others end as the name says. */
#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cuda/api/api.h"

static uint32_t *memory;

/* A kernel's failure is returned by every call from then on. */
static void sticky(cudaError_t error)
{
    void *p;
    GIVES(error, cudaDeviceSynchronize());
    GIVES(error, cudaMalloc(&p, 4));
    GIVES(error, launch_fill(memory, 1, 1, NULL));
    GIVES(error, cudaGetLastError());
    GIVES(error, cudaGetLastError());
}

static void address(void)
{
    uint64_t nowhere = 0x1234;
    uint32_t value = 1;
    void *args[] = {&nowhere, &value};
    OK(cudaLaunchKernel(&host_store, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    sticky(cudaErrorIllegalAddress);
}

static void misaligned(void)
{
    uint64_t odd = (uintptr_t)memory + 2;
    uint32_t value = 1;
    void *args[] = {&odd, &value};
    OK(cudaLaunchKernel(&host_store, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    sticky(cudaErrorMisalignedAddress);
}

static void trap(void)
{
    void *args[] = {NULL};
    OK(cudaLaunchKernel(&host_give_up, api_dim(1, 1, 1), api_dim(1, 1, 1), args, 0, NULL));
    sticky(cudaErrorLaunchFailure);
}

/* --- the process --------------------------------------------------------------------------------
 */

static void crash(void)
{
    volatile uint32_t *device = memory;
    OK(launch_wait(memory, 100000, NULL));
    *device = 1; /* device memory is not the host's */
}

static void killed(void)
{
    OK(launch_wait(memory, 1000000, NULL));
    kill(getpid(), SIGKILL);
}

/* Says so when its kernel runs: another one, launched after it, has ended. */
static void endless(void)
{
    cudaStream_t stream;
    OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    OK(launch_wait(memory, UINT32_MAX, NULL));
    OK(launch_fill(memory + 64, 1, 1, stream));
    OK(cudaStreamSynchronize(stream));
    printf("the kernel runs\n");
    fflush(stdout);
    OK(cudaDeviceSynchronize());
}

static void leak(void)
{
    OK(launch_fill(memory, 1, 1, NULL)); /* and nobody waits for it */
}

/* The simulator goes away: its process is the parent of this one, or found by the shell. */
static void lost(void)
{
    void *p;
    pid_t simulator = getppid();
    kill(simulator, SIGKILL);
    while (getppid() ==
           simulator) /* its sockets are closed before its children get another parent */
        usleep(1000);
    GIVES(cudaErrorDevicesUnavailable, cudaMalloc(&p, 4));
    GIVES(cudaErrorDevicesUnavailable, cudaDeviceSynchronize());
    GIVES(cudaErrorDevicesUnavailable, cudaMemcpy(memory, &p, 4, cudaMemcpyHostToDevice));
}

static void forked(void)
{
    void *p;
    pid_t child = fork();
    if (child == 0)
        _exit(cudaMalloc(&p, 4) == cudaErrorInitializationError ? 0 : 1);
    int status = 1;
    MUST(waitpid(child, &status, 0) == child && status == 0);
    OK(cudaMalloc(&p, 4));
}

/* --- threads ------------------------------------------------------------------------------------
 */

#define THREADS 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *user)
{
    uint32_t number = (uint32_t)(uintptr_t)user, got = 0;
    cudaStream_t stream;
    OK(cudaStreamCreate(&stream));
    for (uint32_t i = 0; i < 6; i++) {
        uint32_t value = number * 1000 + i;
        OK(launch_fill(memory + 64 * number, value, 1, stream));
        OK(cudaMemcpyAsync(&got, memory + 64 * number, 4, cudaMemcpyDeviceToHost, stream));
        OK(cudaStreamSynchronize(stream));
        MUST(got == value);
        pthread_mutex_lock(
            &lock); /* the call of the one that has it must not wait for the others */
        OK(cudaStreamSynchronize(stream));
        pthread_mutex_unlock(&lock);
    }
    OK(cudaStreamDestroy(stream));
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    for (uintptr_t i = 0; i < THREADS; i++)
        MUST(!pthread_create(&thread[i], NULL, work, (void *)i));
    for (int i = 0; i < THREADS; i++)
        MUST(!pthread_join(thread[i], NULL));
}

static pthread_barrier_t both;

static void *take_other(void *user)
{
    OK(cudaDeviceSynchronize());
    pthread_mutex_lock(&other);
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&lock);
    return user;
}

static void deadlock(void)
{
    pthread_t thread;
    pthread_mutex_lock(&lock);
    MUST(!pthread_barrier_init(&both, NULL, 2));
    MUST(!pthread_create(&thread, NULL, take_other, NULL));
    pthread_barrier_wait(&both);
    pthread_mutex_lock(&other);
}

static volatile int flag;

static void *set_flag(void *user)
{
    OK(cudaDeviceSynchronize());
    flag = 1;
    return user;
}

/* Waits by computing: the other thread's call must come to an end nevertheless. */
static void spin(void)
{
    pthread_t thread;
    MUST(!pthread_create(&thread, NULL, set_flag, NULL));
    while (!flag)
        continue;
    MUST(!pthread_join(thread, NULL));
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } ways[] = {{"address", address}, {"misaligned", misaligned},
                {"trap", trap},       {"crash", crash},
                {"killed", killed},   {"leak", leak},
                {"lost", lost},       {"forked", forked},
                {"threads", threads}, {"deadlock", deadlock},
                {"spin", spin},       {"endless", endless}};
    api_register();
    OK(cudaMalloc((void **)&memory, 65536));
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        if (argc > 1 && !strcmp(argv[1], ways[i].name)) {
            ways[i].run();
            return 0;
        }
    }
    if (argc > 1 && !strcmp(argv[1], "status"))
        return 7;
    printf("what?\n");
    return 2;
}
