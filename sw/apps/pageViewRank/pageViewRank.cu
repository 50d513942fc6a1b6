/* Pages in the order of their views, the most viewed first (Mars PageViewRank): the map takes the count as
 * the key and the place of the URL as the value, the sort does the work, nothing is reduced. */
#include "../common/mars.cuh"

struct PageViewRank {
    template <class Emit>
    static __device__ void map(mars_context, const mars_input &in, Emit &emit)
    {
        emit(mars_get<unsigned>(in.key), mars_get<unsigned>(in.value));
    }

    static __device__ int compare(mars_context, const char *a, const char *b)
    {
        unsigned x = mars_get<unsigned>(a), y = mars_get<unsigned>(b);
        return x == y ? 0 : x > y ? -1 : 1;
    }
};

MARS_KERNELS(PageViewRank)
