/* Groups that a value of each thread divides: by two sides, and by labels of any integral type, with and without the
 * template arguments that programs name. Each thread writes its rank, its group's size and the least lane of it. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

__device__ void place(unsigned *to, const cg::coalesced_group &group)
{
    to[0] = 10000 * group.thread_rank() + 100 * group.size() + group.shfl(threadIdx.x, 0);
}

__global__ void divide(unsigned *places)
{
    auto tile = cg::tiled_partition<16>(cg::this_thread_block());
    unsigned lane = threadIdx.x, *to = places + 5 * lane;
    place(to, cg::binary_partition<16>(tile, lane % 3 == 0));
    place(to + 1, cg::labeled_partition(tile, 1ull << (lane % 4 + 31))); /* 32 bits do not hold it */
    place(to + 2, cg::labeled_partition<16>(tile, (short)(lane / 5)));
    if (lane % 2) {
        auto odd = cg::coalesced_threads();
        place(to + 3, cg::binary_partition(odd, lane > 9));
        place(to + 4, cg::labeled_partition(odd, lane % 5));
    }
}

template <class Same> static unsigned expected(unsigned lane, unsigned first, unsigned last, Same same)
{
    unsigned rank = 0, size = 0, least = 99;
    for (unsigned i = first; i < last; i++) {
        if (!same(i))
            continue;
        least = least < i ? least : i;
        rank += i < lane;
        size++;
    }
    return 10000 * rank + 100 * size + least;
}

int main()
{
    unsigned *places;
    bool ok = true;
    CHECK(cudaMallocManaged(&places, 32 * 5 * sizeof *places));
    divide<<<1, 32>>>(places);
    CHECK(cudaDeviceSynchronize());
    for (unsigned l = 0; l < 32; l++) {
        unsigned *at = places + 5 * l, from = l / 16 * 16, to = from + 16;
        ok = ok && at[0] == expected(l, from, to, [l](unsigned i) { return (i % 3 == 0) == (l % 3 == 0); });
        ok = ok && at[1] == expected(l, from, to, [l](unsigned i) { return i % 4 == l % 4; });
        ok = ok && at[2] == expected(l, from, to, [l](unsigned i) { return i / 5 == l / 5; });
        if (l % 2 == 0)
            continue;
        ok = ok && at[3] == expected(l, 0, 32, [l](unsigned i) { return i % 2 && (i > 9) == (l > 9); });
        ok = ok && at[4] == expected(l, 0, 32, [l](unsigned i) { return i % 2 && i % 5 == l % 5; });
    }
    return verdict("partitions", ok);
}
