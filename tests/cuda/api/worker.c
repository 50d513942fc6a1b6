/* Only a thread that ends makes calls; the program goes on for half a second after it, and then
 * tells whether a call has failed. Prints nothing. */
#include <cuda_runtime.h>
#include <pthread.h>
#include <unistd.h>

static void *work(void *unused)
{
    (void)unused;
    static char word[64];
    void *memory;
    cudaError_t status = cudaMalloc(&memory, sizeof word);
    while (!status)
        status = cudaMemcpy(memory, word, sizeof word, cudaMemcpyHostToDevice);
    return &word;
}

int main(void)
{
    pthread_t thread;
    void *failed = NULL;
    if (pthread_create(&thread, NULL, work, NULL) || pthread_join(thread, &failed))
        return 1;
    usleep(500000);
    return failed ? 3 : 0;
}
