/* The kernels that call a program's functions, and their launches. A thread for each element. */
#include "sw/cuda/fft/callback.h"

#include "sw/cuda/include/cufftXt.h"

namespace
{

struct cell {
    long long offset;
    bool valid;
    __device__ explicit cell(const fft_callback_job &job)
    {
        unsigned int id = blockIdx.x * FFT_THREADS + threadIdx.x;
        unsigned int k = id % job.n[2], j = id / job.n[2] % job.n[1];
        unsigned int rest = id / job.n[2] / job.n[1], i = rest % job.n[0], b = rest / job.n[0];
        const fft_layout &l = job.layout;
        offset = b * l.dist + ((i * l.pitch[1] + j) * l.pitch[2] + k) * l.stride;
        valid = b < job.batch;
    }
};

template <class T> __global__ void load(fft_callback_job job)
{
    extern __shared__ double shared[];
    typedef T (*routine)(void *, size_t, void *, void *);
    cell at(job);
    if (at.valid)
        ((T *)job.staged)[at.offset] =
            ((routine)job.routine)(job.data, (size_t)at.offset, job.info, shared);
}

template <class T> __global__ void store(fft_callback_job job)
{
    extern __shared__ double shared[];
    typedef void (*routine)(void *, size_t, T, void *, void *);
    cell at(job);
    if (at.valid)
        ((routine)job.routine)(job.data, (size_t)at.offset, ((T *)job.staged)[at.offset], job.info,
                               shared);
}

cudaError_t launch(const fft_callback_job *job)
{
    typedef void (*kernel)(fft_callback_job);
    static const kernel kernels[] = {
        load<cufftComplex>,  load<cufftDoubleComplex>,  load<cufftReal>,  load<cufftDoubleReal>,
        store<cufftComplex>, store<cufftDoubleComplex>, store<cufftReal>, store<cufftDoubleReal>};
    unsigned int threads = job->n[0] * job->n[1] * job->n[2] * job->batch;
    kernels[job->type]<<<(threads + FFT_THREADS - 1) / FFT_THREADS, FFT_THREADS, job->shared,
                         job->stream>>>(*job);
    return cudaGetLastError();
}

struct announcement {
    announcement()
    {
        void *launcher = (void *)launch;
        cufftXtSetCallback(0, &launcher, (cufftXtCallbackType)FFT_CALLBACK_LAUNCHER, nullptr);
    }
} announced;

} // namespace
