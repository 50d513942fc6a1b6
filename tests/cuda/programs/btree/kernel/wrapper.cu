#ifdef __cplusplus
extern "C" {
#endif
#include "../common.h"
#include "check.h"
long long get_time(void);
#ifdef __cplusplus
}
#endif
#include "find_k.cu"

extern "C" void kernel_gpu_cuda_wrapper(record *records, long n_records, knode *knodes, long n_knodes,
                                        long maxheight, int count, int *keys, record *ans)
{
    long long time0 = get_time();
    record *recordsD, *ansD;
    knode *knodesD;
    long *currKnodeD, *offsetD;
    int *keysD;
    cudaThreadSynchronize();
    CHECK(cudaMalloc((void **)&recordsD, n_records * sizeof(record)));
    CHECK(cudaMalloc((void **)&knodesD, n_knodes * sizeof(knode)));
    CHECK(cudaMalloc((void **)&currKnodeD, count * sizeof(long)));
    CHECK(cudaMalloc((void **)&offsetD, count * sizeof(long)));
    CHECK(cudaMalloc((void **)&keysD, count * sizeof(int)));
    CHECK(cudaMalloc((void **)&ansD, count * sizeof(record)));
    cudaMemcpy(recordsD, records, n_records * sizeof(record), cudaMemcpyHostToDevice);
    cudaMemcpy(knodesD, knodes, n_knodes * sizeof(knode), cudaMemcpyHostToDevice);
    cudaMemset(currKnodeD, 0, count * sizeof(long));
    cudaMemset(offsetD, 0, count * sizeof(long));
    cudaMemcpy(keysD, keys, count * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(ansD, 0xff, count * sizeof(record));
    findK<<<count, DEFAULT_ORDER>>>(maxheight, knodesD, n_knodes, recordsD, currKnodeD, offsetD, keysD, ansD);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(ans, ansD, count * sizeof(record), cudaMemcpyDeviceToHost));
    cudaFree(recordsD);
    cudaFree(knodesD);
    printf("Total time: %.12f s\n", (float)(get_time() - time0) / 1000000);
}
