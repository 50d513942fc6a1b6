// Barriers in shared memory (mbarrier): what their word counts, warps that hand each other values,
// and copies that a phase waits for.
#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <vector>

#include "../common/check.h"

#define FACTS   15
#define HALF    64 // threads that write, and as many that read
#define THREADS (2 * HALF)
#define ROUNDS  6

static int failures;

static void expect(bool ok, const char *what, size_t at)
{
    if (!ok && failures++ < 20)
        printf("wrong: %s, at %zu\n", what, at);
}

// One thread; each fact has to be true.
__global__ void facts(unsigned *out)
{
    __shared__ __mbarrier_t all[2];
    __mbarrier_t *b = &all[1];
    __mbarrier_token_t token;
    __mbarrier_init(b, 3);
    *out++ = !__mbarrier_test_wait_parity(b, false); // phase 0 is not over
    *out++ = __mbarrier_test_wait_parity(b, true);   // the one before it is
    token = __mbarrier_arrive(b);
    *out++ = __mbarrier_token_pending_count(token) == 3;
    asm volatile("mbarrier.arrive.noComplete.b64 %0, [%1], 1;" : "=l"(token) : "l"(b) : "memory");
    *out++ = __mbarrier_token_pending_count(token) == 2;
    *out++ = !__mbarrier_test_wait(b, token);
    asm volatile(
        "mbarrier.arrive_drop.shared.b64 _, [%0+8];" ::"r"((unsigned)__cvta_generic_to_shared(all))
        : "memory");
    *out++ = __mbarrier_test_wait(b, token);
    *out++ = __mbarrier_test_wait_parity(b, false);
    *out++ = !__mbarrier_test_wait_parity(b, true);
    token = __mbarrier_arrive(b); // of two now
    *out++ = __mbarrier_token_pending_count(token) == 2;
    *out++ = !__mbarrier_test_wait(b, token);
    token = __mbarrier_arrive(b);
    *out++ = __mbarrier_token_pending_count(token) == 1;
    *out++ = __mbarrier_test_wait(b, token);
    *out++ = __mbarrier_test_wait_parity(b, true);
    *out++ = !__mbarrier_test_wait_parity(b, false);
    __mbarrier_inval(b);
    *out++ = __mbarrier_maximum_count() == 0xFFFFF;
}

// A phase that waits for bytes too, as from sm_90 on.
#define BYTE_FACTS 12
__device__ bool over(unsigned at, unsigned parity)
{
    unsigned yes;
    asm volatile(
        "{ .reg .pred %%p; mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %%p, [%1], "
        "%2, 100; selp.u32 %0, 1, 0, %%p; }"
        : "=r"(yes)
        : "r"(at), "r"(parity)
        : "memory");
    return yes;
}
__global__ void bytes(unsigned *out)
{
    __shared__ __mbarrier_t barrier;
    unsigned at = (unsigned)__cvta_generic_to_shared(&barrier);
    __mbarrier_token_t token;
    __mbarrier_init(&barrier, 2);
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %0, [%1], 48;"
                 : "=l"(token)
                 : "r"(at)
                 : "memory");
    *out++ = __mbarrier_token_pending_count(token) == 2;
    asm volatile("mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%0], 16;" ::"r"(at) : "memory");
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(at)
                 : "memory");
    *out++ = !over(at, 0); // nobody is missing, but 64 bytes
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 60;" ::"r"(at) : "memory");
    *out++ = !over(at, 0);
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 4;" ::"r"(at) : "memory");
    *out++ = over(at, 0);
    *out++ = __mbarrier_test_wait(&barrier, token);
    // Bytes may arrive before they are expected; the number of arrivals is as before.
    asm volatile("mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%0], 32;" ::"r"(at) : "memory");
    token = __mbarrier_arrive(&barrier);
    *out++ = __mbarrier_token_pending_count(token) == 2;
    *out++ = !over(at, 1);
    asm volatile("mbarrier.arrive_drop.expect_tx.shared::cta.b64 _, [%0], 32;" ::"r"(at)
                 : "memory");
    *out++ = over(at, 1);
    *out++ = !over(at, 0);
    token = __mbarrier_arrive(&barrier);
    *out++ = __mbarrier_token_pending_count(token) == 1;
    *out++ = over(at, 0);
    *out++ = !over(at, 1);
}

// The first half writes what the other half reads in reverse, round after round, with two words.
__global__ void turns(unsigned *out)
{
    __shared__ __mbarrier_t full, empty;
    __shared__ unsigned value[HALF];
    unsigned t = threadIdx.x % HALF;
    if (threadIdx.x == 0) {
        __mbarrier_init(&full, HALF);
        __mbarrier_init(&empty, HALF);
    }
    __syncthreads();
    for (unsigned round = 0; round < ROUNDS; round++) {
        if (threadIdx.x < HALF) {
            while (!__mbarrier_test_wait_parity(&empty, !(round & 1)))
                ;
            value[t] = round * 1000 + t;
            (void)__mbarrier_arrive(&full);
        } else {
            while (!__mbarrier_test_wait_parity(&full, round & 1))
                ;
            out[round * HALF + t] = value[HALF - 1 - t];
            (void)__mbarrier_arrive(&empty);
        }
    }
}

// Every thread copies, and reads what another warp's thread has copied.
__global__ void copies(const unsigned *in, unsigned *out)
{
    __shared__ __mbarrier_t barrier[2];
    __shared__ __align__(16) unsigned value[2][THREADS];
    unsigned t = threadIdx.x, other = THREADS - 1 - t;
    if (t == 0) {
        __mbarrier_init(&barrier[0], THREADS);
        __mbarrier_init(&barrier[1], THREADS);
    }
    __syncthreads();
    __pipeline_memcpy_async(&value[0][t], in + t, 4);
    __pipeline_arrive_on(&barrier[0]);
    __mbarrier_token_t token = __mbarrier_arrive(&barrier[0]);
    __pipeline_memcpy_async(&value[1][t], in + THREADS + t, 4);
    asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(
                     (unsigned)__cvta_generic_to_shared(&barrier[1]))
                 : "memory");
    while (!__mbarrier_test_wait(&barrier[0], token))
        ;
    out[t] = value[0][other];
    while (!__mbarrier_test_wait_parity(&barrier[1], false))
        ;
    out[THREADS + t] = value[1][other];
}

static std::vector<unsigned> take(const unsigned *device, size_t n)
{
    std::vector<unsigned> got(n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got.data(), device, n * 4, cudaMemcpyDeviceToHost));
    return got;
}

int main()
{
    unsigned *in, *out;
    std::vector<unsigned> given(2 * THREADS), got;
    for (size_t i = 0; i < given.size(); i++)
        given[i] = (unsigned)(i * 2654435761u);
    CHECK(cudaMalloc(&in, given.size() * 4));
    CHECK(cudaMalloc(&out, ROUNDS * THREADS * 4));
    CHECK(cudaMemcpy(in, given.data(), given.size() * 4, cudaMemcpyHostToDevice));
    facts<<<1, 1>>>(out);
    got = take(out, FACTS);
    for (size_t i = 0; i < FACTS; i++)
        expect(got[i] == 1, "fact", i);
    bytes<<<1, 1>>>(out);
    got = take(out, BYTE_FACTS);
    for (size_t i = 0; i < BYTE_FACTS; i++)
        expect(got[i] == 1, "fact of bytes", i);
    turns<<<1, THREADS>>>(out);
    got = take(out, ROUNDS * HALF);
    for (size_t i = 0; i < got.size(); i++)
        expect(got[i] == i / HALF * 1000 + HALF - 1 - i % HALF, "turn", i);
    copies<<<1, THREADS>>>(in, out);
    got = take(out, 2 * THREADS);
    for (size_t i = 0; i < got.size(); i++)
        expect(got[i] == given[i / THREADS * THREADS + THREADS - 1 - i % THREADS], "copy", i);
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return verdict("mbarrier", failures == 0);
}
