/* exits WHAT HOW: a process that ends in the way HOW while WHAT of it is under way on the GPU.
 * Nothing of it may hold the run, and the status is its own. */
#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/cuda/include/cuda_runtime_full_empty.h"
#include "tests/cuda/api/api.h"

#define ENDLESS UINT32_MAX
#define LARGE   (32u << 20)

static uint32_t *memory;
static cudaStream_t first, second;

/* --- what is under way ------------------------------------------------------------------------ */

static void kernel(void);

static void idle(void)
{
    OK(launch_fill(memory, 1, 64, first));
    OK(cudaDeviceSynchronize());
}

/* Two fifths of the device's 512 MiB. */
static void room(void)
{
    void *large;
    OK(cudaMalloc(&large, 205u << 20));
    kernel();
}

static void kernel(void)
{
    OK(launch_wait(memory, ENDLESS, first));
    OK(launch_fill(memory + 64, 1, 1, second)); /* when this one has ended, the other one runs */
    OK(cudaStreamSynchronize(second));
}

static void queued(void)
{
    kernel();
    for (int i = 0; i < 300; i++)
        OK(launch_fill(memory, 1, 4096, i % 2 ? first : NULL));
}

static void copies(void)
{
    void *pinned, *device;
    OK(cudaMallocHost(&pinned, LARGE));
    OK(cudaMalloc(&device, LARGE));
    for (int i = 0; i < 16; i++) {
        OK(cudaMemcpyAsync(device, pinned, LARGE, cudaMemcpyHostToDevice, first));
        OK(cudaMemcpyAsync(pinned, device, LARGE, cudaMemcpyDeviceToHost, second));
        OK(cudaMemcpyAsync(device, (char *)device + LARGE / 2, LARGE / 2, cudaMemcpyDeviceToDevice,
                           second));
        OK(cudaMemsetAsync(device, i, LARGE, first));
        OK(cudaMemcpyAsync(device, pinned, 5000, cudaMemcpyHostToDevice, second));
    }
}

static void nothing(void *user)
{
    (void)user;
}

static void function(void)
{
    for (int i = 0; i < 3; i++)
        OK(cudaLaunchHostFunc(first, nothing, NULL));
}

static volatile int runs;

static void sleeps(void *user)
{
    (void)user;
    runs = 1;
    for (;;)
        pause();
}

/* The host function is in the middle of it. */
static void inside(void)
{
    OK(cudaLaunchHostFunc(first, sleeps, NULL));
    OK(launch_fill(memory, 1, 64, first));
    while (!runs)
        OK(cudaStreamQuery(second));
}

static void events(void)
{
    cudaEvent_t event;
    kernel();
    OK(cudaEventCreate(&event));
    OK(cudaEventRecord(event, first));
    OK(cudaStreamWaitEvent(second, event, 0));
    OK(cudaLaunchHostFunc(second, nothing, NULL));
    OK(launch_fill(memory, 1, 64, second));
}

/* A kernel and a copy that wait for words which nobody fills. */
static void words(void)
{
    void *bits, *pinned;
    OK(cudaMallocFullEmpty(&bits, 65536));
    OK(cudaMallocHost(&pinned, 65536));
    OK(cudaMarkEmptyAsync(bits, 65536, first));
    OK(cudaStreamSynchronize(first));
    OK(launch_wait(bits, 4, first));
    OK(cudaMemcpyAsyncFullEmpty(pinned, bits, 65536, cudaMemcpyDeviceToHost, second,
                                cudaMemcpyTriggerFilled, cudaMemcpyActionEmpty));
    OK(cudaMarkEmptyAsync(bits, 65536, first));
}

/* --- how it ends ------------------------------------------------------------------------------ */

static void with_exit(void)
{
    exit(0);
}

static void with_status(void)
{
    exit(7);
}

static void with_underscore(void)
{
    _exit(0);
}

static void with_abort(void)
{
    abort();
}

static void with_kill(void)
{
    kill(getpid(), SIGKILL);
}

static void with_crash(void)
{
    *(volatile int *)8 = 1;
}

static void *waits(void *user)
{
    cudaDeviceSynchronize();
    return user;
}

/* Another thread is in a call. */
static void with_waiter(void)
{
    pthread_t thread;
    MUST(!pthread_create(&thread, NULL, waits, NULL));
    for (int i = 0; i < 3; i++)
        cudaStreamQuery(first);
}

static void *ends(void *user)
{
    (void)user;
    cudaStreamQuery(first);
    exit(0);
}

/* Another thread ends the process. */
static void with_thread(void)
{
    pthread_t thread;
    MUST(!pthread_create(&thread, NULL, ends, NULL));
    pthread_join(thread, NULL);
}

static void with_exec(void)
{
    execlp("true", "true", (char *)NULL);
}

/* Another program in its place, which uses the library itself. */
static void with_same(void)
{
    execl("/proc/self/exe", "exits", "idle", "return", (char *)NULL);
}

/* A child that outlives it, until the test ends it. */
static void with_child(void)
{
    if (fork() == 0) {
        pause();
        _exit(0);
    }
}

/* The same behind the C library's back: it holds all channels of its parent. */
static void with_raw(void)
{
    if (syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL) == 0) {
        pause();
        _exit(0);
    }
    _exit(0); /* without the library's farewell on the channels */
}

/* Noise on every channel that it has. */
static void with_noise(void)
{
    static const char noise[] =
        "this is not a request of any kind, and long enough to be one, twice "
        "over, so that it is read as a whole; this is not a request of any "
        "kind, and long enough to be one, twice over, so that it is read";
    for (int fd = 3; fd < 64; fd++) {
        int type = 0;
        socklen_t length = sizeof type;
        if (!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) && type == SOCK_STREAM)
            MUST(send(fd, noise, sizeof noise, MSG_NOSIGNAL) == sizeof noise);
    }
}

/* The beginning of a request, and then its end. */
static void with_part(void)
{
    for (int fd = 3; fd < 64; fd++) {
        int type = 0;
        socklen_t length = sizeof type;
        if (!getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &length) && type == SOCK_STREAM)
            MUST(send(fd, "pgve", 4, MSG_NOSIGNAL) == 4);
    }
    _exit(0);
}

/* Until a signal comes. */
static void with_sleep(void)
{
    printf("SLEEPS\n");
    fflush(stdout);
    for (;;)
        pause();
}

static bool late;

static int threads(void)
{
    int count = -2; /* . and .. */
    DIR *tasks = opendir("/proc/self/task");
    while (readdir(tasks))
        count++;
    closedir(tasks);
    return count;
}

/* The C library's, for the client library, too. With `late` the first thread's takes until the
 * other one has ended, or a while: that thread is to wait for the one that closes its channel. */
int shutdown(int fd, int how)
{
    int status = (int)syscall(SYS_shutdown, fd, how);
    bool waits = late && gettid() == getpid();
    for (int i = 0; waits && threads() > 1 && i < 10; i++)
        usleep(10000);
    late = late && !waits;
    return status;
}

static void with_late(void)
{
    OK(cudaStreamSynchronize(first)); /* it has run what it was started for */
    late = true;
}

static void with_return(void)
{
}

/* The process that was started is killed; this one would go on for ever. */
static void with_parent(void)
{
    kill(getppid(), SIGKILL);
    while (cudaStreamQuery(first) == cudaErrorNotReady)
        usleep(1000);
    _exit(1);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } whats[] = {{"idle", idle},     {"kernel", kernel},     {"queued", queued},
                 {"copies", copies}, {"function", function}, {"inside", inside},
                 {"events", events}, {"words", words},       {"room", room}},
      hows[] = {{"return", with_return},    {"exit", with_exit},     {"status", with_status},
                {"_exit", with_underscore}, {"abort", with_abort},   {"kill", with_kill},
                {"crash", with_crash},      {"waiter", with_waiter}, {"thread", with_thread},
                {"exec", with_exec},        {"same", with_same},     {"child", with_child},
                {"raw", with_raw},          {"noise", with_noise},   {"part", with_part},
                {"sleep", with_sleep},      {"late", with_late},     {"parent", with_parent}};
    api_register();
    OK(cudaMalloc((void **)&memory, 65536));
    OK(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking));
    for (size_t i = 0; argc == 3 && i < sizeof whats / sizeof whats[0]; i++) {
        for (size_t j = 0; j < sizeof hows / sizeof hows[0]; j++) {
            if (strcmp(argv[1], whats[i].name) || strcmp(argv[2], hows[j].name))
                continue;
            whats[i].run();
            hows[j].run();
            return 0;
        }
    }
    printf("what?\n");
    return 2;
}
