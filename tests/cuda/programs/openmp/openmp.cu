// OpenMP in the host code of a .cu file: regions have threads, loops every schedule, and sums are right. Threads
// share the device.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <omp.h>
#include <set>
#include <unistd.h>
#include <vector>

int parallel_sum(int n);

static int failures;
static void expect(bool ok, const char *what)
{
    if (!ok && ++failures < 20)
        printf("wrong: %s\n", what);
}

__global__ void add(int *p, int n, int x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        p[i] += x;
}

static void threads()
{
    std::set<int> seen;
    int count = 0, masters = 0, singles = 0;
#pragma omp parallel num_threads(4)
    {
#pragma omp critical
        {
            seen.insert(omp_get_thread_num());
            count = omp_get_num_threads();
        }
#pragma omp barrier
#pragma omp master
        masters++;
#pragma omp single
        singles++;
    }
    expect(count == 4 && seen.size() == 4, "four threads");
    expect(masters == 1 && singles == 1, "one of them");
    int alone = 0;
#pragma omp parallel if (count > 4)
#pragma omp atomic
    alone++;
    expect(alone == 1, "a region of one thread");
}

// Each number once, by the loop's own schedule; the last one's value stays.
#define LOOP(Type, first, condition, step, ...)                                                                        \
    do {                                                                                                               \
        std::vector<int> hits(1000);                                                                                   \
        Type last = 0, sum = 0;                                                                                        \
        _Pragma("omp parallel num_threads(3)")                                                                         \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
            for (Type i = first; condition; i += step) {                                                               \
                hits[i]++;                                                                                             \
                sum += i;                                                                                              \
                last = i;                                                                                              \
            }                                                                                                          \
        }                                                                                                              \
        Type want = 0, want_last = 0;                                                                                  \
        for (Type i = first; condition; i += step) {                                                                   \
            want += i;                                                                                                 \
            want_last = i;                                                                                             \
            expect(hits[i] == 1, #__VA_ARGS__);                                                                        \
            hits[i] = 0;                                                                                               \
        }                                                                                                              \
        for (int h : hits)                                                                                             \
            expect(h == 0, "beyond the loop");                                                                         \
        expect(sum == want && last == want_last, "sum and last of a loop: " #__VA_ARGS__);                             \
    } while (0)

static void loops()
{
    LOOP(int, 0, i < 1000, 1, _Pragma("omp for reduction(+ : sum) lastprivate(last)"));
    LOOP(int, 7, i < 500, 13, _Pragma("omp for schedule(static, 5) reduction(+ : sum) lastprivate(last)"));
    LOOP(long, 999, i >= 0, -7, _Pragma("omp for schedule(dynamic, 3) reduction(+ : sum) lastprivate(last)"));
    LOOP(unsigned, 1, i < 998, 2, _Pragma("omp for schedule(guided) reduction(+ : sum) lastprivate(last)"));
    LOOP(size_t, 0, i < 2, 1, _Pragma("omp for reduction(+ : sum) lastprivate(last)")); // fewer than threads
    LOOP(size_t, 3, i < 400, 1, _Pragma("omp for schedule(dynamic) reduction(+ : sum) lastprivate(last)"));
    LOOP(int, 5, i < 5, 1, _Pragma("omp for schedule(runtime) reduction(+ : sum) lastprivate(last)"));
}

static void sections_and_tasks()
{
    int a = 0, b = 0, tasks = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        a = 1;
#pragma omp section
        b = 2;
    }
    expect(a == 1 && b == 2, "sections");
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task shared(tasks) firstprivate(i)
#pragma omp atomic
            tasks += i;
        }
#pragma omp taskwait
    }
    expect(tasks == 45, "tasks");
}

// The ordered parts of the turns come one after the other.
#define ORDERED(first, condition, step, ...)                                                                           \
    do {                                                                                                               \
        std::vector<int> order;                                                                                        \
        int last = -1;                                                                                                 \
        _Pragma("omp parallel num_threads(3)")                                                                         \
        {                                                                                                              \
            __VA_ARGS__                                                                                                \
            for (int i = first; condition; i += step) {                                                                \
                last = i;                                                                                              \
                _Pragma("omp ordered")                                                                                 \
                order.push_back(i);                                                                                    \
            }                                                                                                          \
        }                                                                                                              \
        size_t at = 0;                                                                                                 \
        int want = -1;                                                                                                 \
        for (int i = first; condition; i += step) {                                                                    \
            expect(at < order.size() && order[at++] == i, "order: " #__VA_ARGS__);                                     \
            want = i;                                                                                                  \
        }                                                                                                              \
        expect(at == order.size() && last == want, "end of an ordered loop: " #__VA_ARGS__);                           \
    } while (0)

static void ordered()
{
    for (int round = 0; round < 20; round++) {
        ORDERED(0, i < 100, 1, _Pragma("omp for ordered lastprivate(last)"));
        ORDERED(90, i > 0, -4, _Pragma("omp for ordered schedule(static, 2) lastprivate(last)"));
        ORDERED(0, i < 100, 3, _Pragma("omp for ordered schedule(dynamic, 4) lastprivate(last)"));
        ORDERED(5, i < 77, 1, _Pragma("omp for ordered schedule(guided) lastprivate(last)"));
        ORDERED(0, i < 2, 1, _Pragma("omp for ordered schedule(runtime) lastprivate(last)"));
    }
}

// What one thread has read, all have.
static void copied()
{
    int sum = 0, inner = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4) reduction(+ : sum, inner)
    {
        int value = 100 + omp_get_thread_num();
        double second = 0;
#pragma omp single copyprivate(value, second)
        {
            value = 7;
            second = 0.5;
        }
        sum += value + (int)(4 * second);
#pragma omp parallel num_threads(2) reduction(+ : inner)
        {
            int own = 1;
#pragma omp single copyprivate(own)
            own = 3;
            inner += own;
        }
    }
    expect(sum == 4 * 9, "copyprivate");
    expect(inner == 4 * 2 * 3, "copyprivate within");
}

static void taskloops_and_teams()
{
    std::vector<int> hits(100);
    int last = -1, outside = 5;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskloop grainsize(7) firstprivate(outside) lastprivate(last)
    for (int i = 10; i < 100; i += 3) {
        hits[i] += outside;
        last = i;
    }
    for (int i = 0; i < 100; i++)
        expect(hits[i] == (i >= 10 && i % 3 == 1 ? 5 : 0), "taskloop");
    expect(last == 97, "last turn of a taskloop");
    int teams = 0, sum = 0;
#pragma omp teams num_teams(3) reduction(+ : teams)
    teams++;
    expect(teams == 1, "one team");
#pragma omp teams distribute parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; i++)
        sum += i;
    expect(sum == 4950, "teams");
    sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 50; i++) {
        sum++;
#pragma omp cancel for
#pragma omp taskyield
    }
    expect(sum == 50, "nothing is cancelled");
}

// Turns that wait for turns of other threads, which are late.
template <class Turn> static void late(int i, int j, Turn turn)
{
    if (j == 0 && i % 2 == 0)
        usleep(300);
    turn();
}

static long wavefront[20][13];

static long before(int i, int j)
{
    return i < 0 || j < 0 ? 1 : wavefront[i][j];
}

#define WAVEFRONT(...)                                                                                                 \
    do {                                                                                                               \
        long want[20][13];                                                                                             \
        for (int i = 0; i < 20; i++)                                                                                   \
            for (int j = 0; j < 13; j++) {                                                                             \
                wavefront[i][j] = -1000;                                                                               \
                want[i][j] = ((i ? want[i - 1][j] : 1) + (j ? want[i][j - 1] : 1)) % 9973;                             \
            }                                                                                                          \
        _Pragma("omp parallel num_threads(4)")                                                                         \
        _Pragma(#__VA_ARGS__)                                                                                          \
        for (int i = 0; i < 20; i++)                                                                                   \
            for (int j = 0; j < 13; j++) {                                                                             \
                _Pragma("omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)")                                 \
                late(i, j, [&] { wavefront[i][j] = (before(i - 1, j) + before(i, j - 1)) % 9973; });                   \
                _Pragma("omp ordered depend(source)")                                                                  \
            }                                                                                                          \
        expect(!memcmp(want, wavefront, sizeof want), "a wavefront: " #__VA_ARGS__);                                   \
    } while (0)

static void doacross()
{
    WAVEFRONT(omp for ordered(2) schedule(static, 1));
    WAVEFRONT(omp for ordered(2) schedule(dynamic, 2));
    WAVEFRONT(omp for ordered(2));
    // Downwards, two loops of which the first one's last threads are still at work, and a nested region.
    std::vector<int> a(50), b(50);
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(3)
    {
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 48; i >= 0; i -= 3) {
#pragma omp ordered depend(sink : i + 3)
            late(i, 0, [&] { a[i] = i + 3 < 49 ? a[i + 3] + 1 : 1; });
#pragma omp ordered depend(source)
        }
#pragma omp for ordered(1) schedule(static, 1) nowait
        for (int i = 0; i < 50; i++) {
#pragma omp parallel for ordered(1) num_threads(2) schedule(static, 1)
            for (int j = 0; j < 4; j++) {
#pragma omp ordered depend(sink : j - 1)
                late(j, 0, [&] { b[i] += (j == 0 || b[i] % 4 == j) && j < 4; });
#pragma omp ordered depend(source)
            }
#pragma omp ordered depend(sink : i - 2)
            late(i, 0, [&] { b[i] += i >= 2 ? b[i - 2] : 0; });
#pragma omp ordered depend(source)
        }
    }
    expect(a[0] == 17 && a[45] == 2, "a loop downwards");
    expect(b[49] == 4 * 25 && b[48] == 4 * 25, "a loop behind another one");
}

struct longest {
    int length = -5; // of nothing
};
#pragma omp declare reduction(most : longest : omp_out.length =                                    \
                                  std::max(omp_out.length, omp_in.length)) initializer(omp_priv = longest())

// Of the tasks of whoever has called it.
static void add_by_task(long &sum, int i)
{
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
}

static void set_by_task(longest &of, int i)
{
#pragma omp task in_reduction(most : of) firstprivate(i)
    of.length = i;
}

static void reductions_of_tasks()
{
    long sum = 100;
    double product = 2;
    longest found, other;
    found.length = 50;
    other.length = 60;
#pragma omp parallel num_threads(3)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum) task_reduction(* : product) task_reduction(most : found, other)
    for (int i = 0; i < 10; i++) {
        set_by_task(other, i);
#pragma omp task in_reduction(+ : sum) in_reduction(* : product) in_reduction(most : found) firstprivate(i)
        {
            sum += i;
            product *= i % 2 ? 2 : 1;
            found.length = i; // the task's own one, which is then compared with what is outside
            add_by_task(sum, 1000);
        }
    }
    expect(sum == 100 + 45 + 10000, "a sum of tasks");
    expect(product == 64, "a product of tasks");
    expect(found.length == 50, "a reduction of tasks of one's own");
    expect(other.length == 60, "a reduction of tasks in a function");
    long parts = 1, turns = 3, loops = 0;
#pragma omp parallel num_threads(3) reduction(task, + : parts)
    for (int i = 0; i < 5; i++) {
#pragma omp task in_reduction(+ : parts) firstprivate(i)
        parts += i;
    }
    expect(parts == 1 + 3 * 10, "a region's reduction with tasks");
#pragma omp parallel num_threads(3)
    {
#pragma omp for reduction(task, + : loops)
        for (int i = 0; i < 30; i++) {
#pragma omp task in_reduction(+ : loops) firstprivate(i)
            loops += i;
        }
#pragma omp single
#pragma omp taskloop reduction(+ : turns)
        for (int i = 0; i < 100; i++)
            turns += i;
    }
    expect(loops == 435, "a loop's reduction with tasks");
    expect(turns == 3 + 4950, "a taskloop's reduction");
    long threads = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : threads)
    {
#pragma omp task in_reduction(+ : threads)
        threads += 1;
#pragma omp parallel num_threads(4)
        for (int i = 0; i < 1000; i++) {
#pragma omp task in_reduction(+ : threads)
            threads += 2;
        }
    }
    expect(threads == 1 + 8000, "tasks of several threads");
    threads = 0;
#pragma omp taskgroup task_reduction(+ : threads)
    {
#pragma omp task in_reduction(+ : threads)
        {
#pragma omp parallel num_threads(4)
            for (int i = 0; i < 20000; i++) {
#pragma omp task in_reduction(+ : threads)
                threads += 2;
            }
        }
    }
    expect(threads == 160000, "tasks of several threads in a task");
}

// A thread each, with a stream of its own.
static void on_the_device()
{
    const int n = 3000;
    int *p, wrong = 0;
    cudaMallocManaged(&p, n * sizeof *p);
    for (int i = 0; i < n; i++)
        p[i] = 0;
#pragma omp parallel num_threads(3)
    {
        cudaStream_t stream;
        int part = n / 3, *mine = p + omp_get_thread_num() * part;
        cudaStreamCreate(&stream);
        add<<<(part + 127) / 128, 128, 0, stream>>>(mine, part, omp_get_thread_num() + 1);
        cudaStreamSynchronize(stream);
        cudaStreamDestroy(stream);
    }
#pragma omp parallel for reduction(+ : wrong)
    for (int i = 0; i < n; i++)
        wrong += p[i] != i / 1000 + 1;
    expect(wrong == 0, "what the threads' kernels have added");
    cudaFree(p);
}

int main()
{
    threads();
    loops();
    sections_and_tasks();
    ordered();
    copied();
    taskloops_and_teams();
    doacross();
    reductions_of_tasks();
    expect(parallel_sum(1000) == 500500, "a region of another object");
    on_the_device();
    printf("%s\n", failures ? "FAILED" : "PASSED");
    return failures != 0;
}
