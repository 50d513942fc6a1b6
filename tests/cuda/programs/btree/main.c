/* A tree of two levels built on the host, searched by one block per key. */
#include <limits.h>
#include <string.h>

#include "check.h"
#include "common.h"

void kernel_gpu_cuda_wrapper(record *records, long n_records, knode *knodes, long n_knodes,
                             long maxheight, int count, int *keys, record *ans);

#define LEAVES 8
#define PER_LEAF 12
#define COUNT 60

int main(void)
{
    static knode nodes[1 + LEAVES];
    static record records[LEAVES * PER_LEAF], ans[COUNT];
    static int keys[COUNT];
    for (int n = 0; n <= LEAVES; n++) {
        for (int k = 0; k <= DEFAULT_ORDER; k++)
            nodes[n].keys[k] = INT_MAX;
    }
    for (int leaf = 0; leaf < LEAVES; leaf++) {
        nodes[0].keys[leaf] = leaf ? leaf * PER_LEAF * 3 : INT_MIN;
        nodes[0].indices[leaf] = leaf + 1;
        nodes[leaf + 1].is_leaf = 1;
        for (int k = 0; k < PER_LEAF; k++) {
            int r = leaf * PER_LEAF + k;
            records[r].value = 1000 + 7 * r;
            nodes[leaf + 1].keys[k] = r * 3;
            nodes[leaf + 1].indices[k] = r;
        }
    }
#pragma omp parallel for
    for (int i = 0; i < COUNT; i++)
        keys[i] = (i * 37) % (LEAVES * PER_LEAF * 3);
    kernel_gpu_cuda_wrapper(records, LEAVES * PER_LEAF, nodes, 1 + LEAVES, 1, COUNT, keys, ans);
    int ok = 1;
    for (int i = 0; i < COUNT; i++)
        ok = ok && ans[i].value == (keys[i] % 3 ? -1 : 1000 + 7 * (keys[i] / 3));
    return verdict("b+tree", ok);
}
