/* Variables that one lane of a warp sets and the others get by a shuffle: undefined in C++, and common in CUDA. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

template <bool Group> __global__ void claim(unsigned *count, unsigned *out)
{
    unsigned lane = threadIdx.x & (warpSize - 1), place;
    cg::coalesced_group active = cg::coalesced_threads();
    unsigned wanted = threadIdx.x % 3 == 0, n = __popc(active.ballot(wanted));
    if (lane == 0) {
        if (n > 0)
            place = atomicAdd(count, n);
    }
    place = Group ? active.shfl((int)place, 0) : __shfl_sync(~0u, place, 0);
    out[threadIdx.x] = place * 100 + lane;
}

int main()
{
    unsigned *count, *out;
    bool ok = true;
    CHECK(cudaMallocManaged(&count, 4));
    CHECK(cudaMallocManaged(&out, 64 * 4));
    for (int kind = 0; kind < 2; kind++) {
        *count = 0;
        if (kind)
            claim<true><<<1, 64>>>(count, out);
        else
            claim<false><<<1, 64>>>(count, out);
        CHECK(cudaDeviceSynchronize());
        unsigned second = out[32] / 100, first = out[0] / 100; /* whichever warp came first */
        ok = ok && *count == 22 && ((first == 0 && second == 11) || (first == 11 && second == 0));
        for (unsigned i = 0; i < 64; i++)
            ok = ok && out[i] == (i < 32 ? first : second) * 100 + i % 32;
    }
    return verdict("unset", ok);
}
