/* Threads that poll, by short sleeps of every kind, do not keep another one from its calls. Since
 * they never sleep for long, the simulator has to see that they sleep again and again. */
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "tests/cuda/api/api.h"

static atomic_int done;

static void *sleeps(void *unused)
{
    while (!done)
        usleep(1000);
    return unused;
}

static void *polls(void *unused)
{
    while (!done)
        poll(NULL, 0, 1);
    return unused;
}

static void *waits(void *unused)
{
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    pthread_mutex_lock(&lock);
    while (!done) {
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 1000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&never, &lock, &until);
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    void *(*const ways[])(void *) = {sleeps, polls, waits};
    enum { WAYS = sizeof ways / sizeof ways[0] };
    pthread_t thread[WAYS];
    char back[3] = "", *memory;
    for (int i = 0; i < WAYS; i++)
        MUST(!pthread_create(&thread[i], NULL, ways[i], NULL));
    OK(cudaMalloc((void **)&memory, 2));
    for (int i = 0; i < 200; i++)
        OK(cudaMemset(memory + i % 2, '0' + i % 7, 1));
    OK(cudaMemcpy(back, memory, 2, cudaMemcpyDeviceToHost));
    MUST(back[0] == '0' + 198 % 7 && back[1] == '0' + 199 % 7);
    done = 1;
    for (int i = 0; i < WAYS; i++)
        MUST(!pthread_join(thread[i], NULL));
    return 0;
}
