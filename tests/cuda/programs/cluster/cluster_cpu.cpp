/* Threads of the host prepare the points; one of them drives the GPU. Compiled by the host compiler,
 * with the runtime's header and none of CUDA's language. */
#include <cuda_runtime.h>
#include <pthread.h>

#include "check.h"
#include "cluster.h"

#define THREADS 4

static pthread_barrier_t barrier;
static Points points;
static float total;

static void *worker(void *arg)
{
    long id = (long)arg, k1 = points.num * id / THREADS, k2 = points.num * (id + 1) / THREADS;
    for (long i = k1; i < k2; i++) {
        unsigned seed = (unsigned)i * 977 + 5;
        points.p[i].weight = 1 + next_float(&seed);
        for (int d = 0; d < points.dim; d++)
            points.p[i].coord[d] = next_float(&seed);
        points.p[i].cost = 0.8f * points.p[i].weight;
        points.p[i].assign = 0;
    }
    pthread_barrier_wait(&barrier);
    if (id == 0) {
        bool *is_center = (bool *)calloc(points.num, sizeof(bool));
        float *lower = NULL;
        cudaError_t status = cudaMallocHost((void **)&lower, points.num * sizeof(float));
        if (status == cudaSuccess)
            total = pgain(3, &points, lower, is_center);
        cudaFreeHost(lower);
        free(is_center);
    }
    pthread_barrier_wait(&barrier);
    return NULL;
}

int main(int argc, char **argv)
{
    points.num = 700;
    points.dim = 16;
    points.p = (Point *)malloc(points.num * sizeof(Point));
    float *block = (float *)malloc(points.num * points.dim * sizeof(float));
    for (long i = 0; i < points.num; i++)
        points.p[i].coord = block + i * points.dim;
    pthread_barrier_init(&barrier, NULL, THREADS);
    pthread_t threads[THREADS];
    for (long i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, worker, (void *)i);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    double want = 0;
    for (long i = 0; i < points.num; i++) {
        double x = 0;
        for (int d = 0; d < points.dim; d++) {
            double diff = points.p[i].coord[d] - points.p[3].coord[d];
            x += diff * diff;
        }
        x = x * points.p[i].weight - points.p[i].cost;
        want += x < 0 ? x : 0;
    }
    free_device();
    return verdict("cluster", near(total, want, 1e-4));
}
