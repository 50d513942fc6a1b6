/* Page views of a web log whose lines are URL, IP and cookie with tabs between (Mars PageViewCount). Two
 * rounds of MapReduce, phases 0 and 1: the first leaves one of equal lines, the second counts the lines of
 * each URL. */
#include "../common/mars.cuh"

struct PageViewCount {
    template <class Emit>
    static __device__ void map(mars_context context, const mars_input &in, Emit &emit)
    {
        mars_string line = mars_get<mars_string>(in.key);
        const char *text = context.text + line.offset;
        if (context.phase == 0) {
            line.hash = mars_hash(text, line.bytes);
            emit(line, line.bytes);
            return;
        }
        mars_string url = {line.offset, 0, 0};
        while (text[url.bytes] != '\t')
            url.bytes++;
        url.hash = mars_hash(text, url.bytes);
        unsigned ip = line.offset + url.bytes + 1;
        emit(url, ip);
    }

    template <class Emit>
    static __device__ void reduce(mars_context context, const mars_group &group, Emit &emit)
    {
        mars_string key = mars_get<mars_string>(group.key);
        unsigned value = context.phase == 0 ? key.bytes : group.count;
        emit(key, value);
    }

    static __device__ int compare(mars_context context, const char *a, const char *b)
    {
        return mars_compare_strings(context.text, mars_get<mars_string>(a),
                                    mars_get<mars_string>(b));
    }
};

MARS_KERNELS(PageViewCount)
MARS_REDUCE_KERNELS(PageViewCount)
