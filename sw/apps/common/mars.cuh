/* MapReduce in the manner of Mars (He et al., PACT 2008): device side, for the .cu file of an application.
 *
 * No thread can allocate memory, so map and reduce run twice: the first time every thread counts the bytes
 * and the records that it will emit, prefix sums turn that into places, and the second time it writes
 * there, without locks. In between, records are grouped by a bitonic sort of their directory. Mars has a
 * barrier in its emit function, which not all threads of a block reach; here there is none.
 *
 * The application defines a struct with
 *     template <class Emit> static __device__ void map(mars_context, const mars_input &, Emit &);
 *     static __device__ int compare(mars_context, const char *a, const char *b);  // of two keys
 *     template <class Emit> static __device__ void reduce(mars_context, const mars_group &, Emit &);
 * and says MARS_KERNELS(that struct), and MARS_REDUCE_KERNELS(that struct) when it has a reduce. A thread
 * takes one record; blocks have MARS_BLOCK threads. The host side is mars.h. */
#ifndef EVGPU_SW_MARS_CUH
#define EVGPU_SW_MARS_CUH

#define MARS_BLOCK 256
#define MARS_SCAN  (2 * MARS_BLOCK) /* elements that a block scans */
#define MARS_NONE  0xFFFFFFFFu

/* Directory entry: where key and value lie, and their bytes. A key at MARS_NONE is no record. */
struct __align__(16) mars_record {
    unsigned key, key_bytes, value, value_bytes;
};

struct mars_context {
    const char *text;   /* the input that keys refer to */
    unsigned long phase; /* for applications that map more than once */
};

struct mars_input {
    const char *key, *value;
    unsigned key_bytes, value_bytes;
};

/* Values of one key lie behind each other and have the same size. */
struct mars_group {
    const char *key, *values;
    unsigned key_bytes, value_bytes, count;
};

struct mars_counter {
    unsigned key_bytes, value_bytes, records;

    template <class K, class V> __device__ void operator()(const K &, const V &)
    {
        key_bytes += sizeof(K);
        value_bytes += sizeof(V);
        records++;
    }
};

/* Bytes one by one, as Mars copies them. */
template <class T> __device__ void mars_put(char *to, const T &from)
{
    const char *bytes = (const char *)&from;
    for (unsigned i = 0; i < sizeof(T); i++)
        to[i] = bytes[i];
}

template <class T> __device__ T mars_get(const char *from)
{
    T to;
    char *bytes = (char *)&to;
    for (unsigned i = 0; i < sizeof(T); i++)
        bytes[i] = from[i];
    return to;
}

struct mars_writer {
    char *keys, *values;
    mars_record *next;
    unsigned key, value;

    template <class K, class V> __device__ void operator()(const K &k, const V &v)
    {
        mars_put(keys + key, k);
        mars_put(values + value, v);
        mars_record record = {key, (unsigned)sizeof(K), value, (unsigned)sizeof(V)};
        *next++ = record;
        key += sizeof(K);
        value += sizeof(V);
    }
};

/* What a hash is good for: keys that differ mostly differ in it. */
__device__ inline unsigned mars_hash(const char *text, unsigned bytes)
{
    unsigned hash = 2166136261u;
    for (unsigned i = 0; i < bytes; i++)
        hash = (hash ^ (unsigned char)text[i]) * 16777619u;
    return hash;
}

/* Text that a key refers to. */
struct mars_string {
    unsigned offset, bytes, hash;
};

__device__ inline int mars_compare_strings(const char *text, const mars_string &a,
                                           const mars_string &b)
{
    if (a.hash != b.hash)
        return a.hash < b.hash ? -1 : 1;
    if (a.bytes != b.bytes)
        return a.bytes < b.bytes ? -1 : 1;
    for (unsigned i = 0; i < a.bytes; i++)
        if (text[a.offset + i] != text[b.offset + i])
            return (unsigned char)text[a.offset + i] < (unsigned char)text[b.offset + i] ? -1 : 1;
    return 0;
}

__device__ inline unsigned mars_thread()
{
    return blockIdx.x * blockDim.x + threadIdx.x;
}

/* Shared memory index without bank conflicts between the strides of a scan. */
__device__ inline unsigned mars_bank(unsigned i)
{
    return i + (i >> 5);
}

/* Exclusive prefix sums of MARS_SCAN elements per block, up and down a tree (Blelloch); totals[] gets the
 * sum of each block. */
extern "C" __global__ void mars_scan(const unsigned *__restrict__ in, unsigned *out,
                                     unsigned *totals, unsigned count)
{
    __shared__ unsigned tree[MARS_SCAN + MARS_SCAN / 32];
    unsigned x = threadIdx.x, first = blockIdx.x * MARS_SCAN + x, second = first + MARS_BLOCK;
    tree[mars_bank(x)] = first < count ? in[first] : 0;
    tree[mars_bank(x + MARS_BLOCK)] = second < count ? in[second] : 0;
    unsigned stride = 1;
    for (unsigned nodes = MARS_BLOCK; nodes; nodes /= 2, stride *= 2) {
        __syncthreads();
        if (x < nodes) {
            unsigned left = stride * (2 * x + 1) - 1;
            tree[mars_bank(left + stride)] += tree[mars_bank(left)];
        }
    }
    __syncthreads();
    if (x == 0) {
        totals[blockIdx.x] = tree[mars_bank(MARS_SCAN - 1)];
        tree[mars_bank(MARS_SCAN - 1)] = 0;
    }
    for (unsigned nodes = 1; nodes <= MARS_BLOCK; nodes *= 2) {
        stride /= 2;
        __syncthreads();
        if (x < nodes) {
            unsigned left = mars_bank(stride * (2 * x + 1) - 1);
            unsigned right = mars_bank(stride * (2 * x + 2) - 1);
            unsigned sum = tree[left];
            tree[left] = tree[right];
            tree[right] += sum;
        }
    }
    __syncthreads();
    if (first < count)
        out[first] = tree[mars_bank(x)];
    if (second < count)
        out[second] = tree[mars_bank(x + MARS_BLOCK)];
}

/* Adds to each block's sums those of the blocks before. */
extern "C" __global__ void mars_scan_add(unsigned *sums, const unsigned *__restrict__ totals,
                                         unsigned count)
{
    unsigned first = blockIdx.x * MARS_SCAN + threadIdx.x, second = first + MARS_BLOCK;
    unsigned before = totals[blockIdx.x];
    if (first < count)
        sums[first] += before;
    if (second < count)
        sums[second] += before;
}

/* The directory in the order of the sort, and behind it what makes its length a power of two. */
extern "C" __global__ void mars_pad(const mars_record *__restrict__ directory, mars_record *sorted,
                                    unsigned count, unsigned padded)
{
    unsigned i = mars_thread();
    if (i < count)
        sorted[i] = directory[i];
    else if (i < padded)
        sorted[i] = mars_record{MARS_NONE, 0, 0, 0};
}

/* Keys and values copied into the order of the directory, one record behind the other. All keys have the
 * same size, and so have the values. */
extern "C" __global__ void mars_copy(const char *__restrict__ keys, const char *__restrict__ values,
                                     mars_record *sorted, char *new_keys, char *new_values,
                                     unsigned count)
{
    unsigned i = mars_thread();
    if (i >= count)
        return;
    mars_record from = sorted[i];
    mars_record to = {i * from.key_bytes, from.key_bytes, i * from.value_bytes, from.value_bytes};
    for (unsigned b = 0; b < from.key_bytes; b++)
        new_keys[to.key + b] = keys[from.key + b];
    for (unsigned b = 0; b < from.value_bytes; b++)
        new_values[to.value + b] = values[from.value + b];
    sorted[i] = to;
}

/* starts[number of the group]: its first record; starts[all groups]: count. */
extern "C" __global__ void mars_starts(const unsigned *__restrict__ flags,
                                       const unsigned *__restrict__ numbers, unsigned *starts,
                                       unsigned count)
{
    unsigned i = mars_thread();
    if (i >= count)
        return;
    if (flags[i])
        starts[numbers[i]] = i;
    if (i == count - 1)
        starts[numbers[i] + flags[i]] = count;
}

/* Whether the keys at a and b have to change places. */
template <class App>
__device__ bool mars_out_of_order(mars_context context, const char *keys,
                                  unsigned a, unsigned b, bool ascending)
{
    if (a == MARS_NONE || b == MARS_NONE)
        return a != b && (a == MARS_NONE) == ascending;
    int order = App::compare(context, keys + a, keys + b);
    return ascending ? order > 0 : order < 0;
}

/* Word by word: of whole records, clang 14 makes a copy in local memory. */
__device__ inline void mars_exchange(mars_record *a, mars_record *b)
{
    unsigned a_key = a->key, a_key_bytes = a->key_bytes;
    unsigned a_value = a->value, a_value_bytes = a->value_bytes;
    unsigned b_key = b->key, b_key_bytes = b->key_bytes;
    unsigned b_value = b->value, b_value_bytes = b->value_bytes;
    a->key = b_key;
    a->key_bytes = b_key_bytes;
    a->value = b_value;
    a->value_bytes = b_value_bytes;
    b->key = a_key;
    b->key_bytes = a_key_bytes;
    b->value = a_value;
    b->value_bytes = a_value_bytes;
}

/* One step of the bitonic sort in global memory. */
template <class App>
__device__ void mars_sort_step_of(mars_context context, const char *keys,
                                  mars_record *sorted, unsigned run, unsigned distance)
{
    unsigned i = mars_thread(), other = i ^ distance;
    if (other < i)
        return;
    if (mars_out_of_order<App>(context, keys, sorted[i].key, sorted[other].key, (i & run) == 0))
        mars_exchange(sorted + i, sorted + other);
}

/* All steps of the runs first_run to last_run whose distance is less than a block, in shared memory. */
template <class App>
__device__ void mars_sort_chunk_of(mars_context context, const char *keys,
                                   mars_record *sorted, unsigned first_run, unsigned last_run)
{
    __shared__ mars_record chunk[MARS_BLOCK];
    unsigned x = threadIdx.x, i = mars_thread();
    chunk[x] = sorted[i];
    __syncthreads();
    for (unsigned run = first_run; run <= last_run; run *= 2)
        for (unsigned distance = min(run, MARS_BLOCK) / 2; distance; distance /= 2) {
            unsigned other = x ^ distance;
            if (other > x && mars_out_of_order<App>(context, keys, chunk[x].key, chunk[other].key,
                                                    (i & run) == 0))
                mars_exchange(chunk + x, chunk + other);
            __syncthreads();
        }
    sorted[i] = chunk[x];
}

__device__ inline mars_input mars_input_of(const char *keys, const char *values,
                                           const mars_record &record)
{
    mars_input input = {keys + record.key, values + record.value, record.key_bytes,
                        record.value_bytes};
    return input;
}

__device__ inline mars_group mars_group_of(const char *keys, const char *values,
                                           const mars_record *directory, const unsigned *starts,
                                           unsigned i)
{
    mars_record first = directory[starts[i]];
    mars_group group = {keys + first.key, values + first.value, first.key_bytes, first.value_bytes,
                        starts[i + 1] - starts[i]};
    return group;
}

#define MARS_KERNELS(App)                                                                          \
    extern "C" __global__ void mars_map_count(mars_context context, const char *keys,              \
                                              const char *values, const mars_record *directory,    \
                                              unsigned *key_bytes, unsigned *value_bytes,          \
                                              unsigned *records, unsigned count)                   \
    {                                                                                              \
        unsigned i = mars_thread();                                                                \
        if (i >= count)                                                                            \
            return;                                                                                \
        mars_counter counter = {0, 0, 0};                                                          \
        App::map(context, mars_input_of(keys, values, directory[i]), counter);                     \
        key_bytes[i] = counter.key_bytes;                                                          \
        value_bytes[i] = counter.value_bytes;                                                      \
        records[i] = counter.records;                                                              \
    }                                                                                              \
    extern "C" __global__ void mars_map(                                                           \
        mars_context context, const char *keys, const char *values, const mars_record *directory,  \
        const unsigned *key_at, const unsigned *value_at, const unsigned *record_at,               \
        char *out_keys, char *out_values, mars_record *out, unsigned count)                        \
    {                                                                                              \
        unsigned i = mars_thread();                                                                \
        if (i >= count)                                                                            \
            return;                                                                                \
        mars_writer writer = {out_keys, out_values, out + record_at[i], key_at[i], value_at[i]};   \
        App::map(context, mars_input_of(keys, values, directory[i]), writer);                      \
    }                                                                                              \
    extern "C" __global__ void mars_sort_step(mars_context context, const char *keys,              \
                                              mars_record *sorted, unsigned run,                   \
                                              unsigned distance)                                   \
    {                                                                                              \
        mars_sort_step_of<App>(context, keys, sorted, run, distance);                              \
    }                                                                                              \
    extern "C" __global__ void mars_sort_chunk(mars_context context, const char *keys,             \
                                               mars_record *sorted, unsigned first_run,            \
                                               unsigned last_run)                                  \
    {                                                                                              \
        mars_sort_chunk_of<App>(context, keys, sorted, first_run, last_run);                       \
    }                                                                                              \
    extern "C" __global__ void mars_flags(mars_context context, const char *keys,                  \
                                          const mars_record *directory, unsigned *flags,           \
                                          unsigned count)                                          \
    {                                                                                              \
        unsigned i = mars_thread();                                                                \
        if (i < count)                                                                             \
            flags[i] = i == 0 || App::compare(context, keys + directory[i - 1].key,                \
                                              keys + directory[i].key) != 0;                       \
    }

#define MARS_REDUCE_KERNELS(App)                                                                   \
    extern "C" __global__ void mars_reduce_count(                                                  \
        mars_context context, const char *keys, const char *values, const mars_record *directory,  \
        const unsigned *starts, unsigned *key_bytes, unsigned *value_bytes, unsigned *records,     \
        unsigned count)                                                                            \
    {                                                                                              \
        unsigned i = mars_thread();                                                                \
        if (i >= count)                                                                            \
            return;                                                                                \
        mars_counter counter = {0, 0, 0};                                                          \
        App::reduce(context, mars_group_of(keys, values, directory, starts, i), counter);          \
        key_bytes[i] = counter.key_bytes;                                                          \
        value_bytes[i] = counter.value_bytes;                                                      \
        records[i] = counter.records;                                                              \
    }                                                                                              \
    extern "C" __global__ void mars_reduce(                                                        \
        mars_context context, const char *keys, const char *values, const mars_record *directory,  \
        const unsigned *starts, const unsigned *key_at, const unsigned *value_at,                  \
        const unsigned *record_at, char *out_keys, char *out_values, mars_record *out,             \
        unsigned count)                                                                            \
    {                                                                                              \
        unsigned i = mars_thread();                                                                \
        if (i >= count)                                                                            \
            return;                                                                                \
        mars_writer writer = {out_keys, out_values, out + record_at[i], key_at[i], value_at[i]};   \
        App::reduce(context, mars_group_of(keys, values, directory, starts, i), writer);           \
    }

#endif
