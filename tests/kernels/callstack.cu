/* Calls that cannot be expanded: recursion, function pointers, virtual functions, and lanes that call
 * different functions. */
// RUN factorial 2 64 : zero:1024
// RUN fibonacci 1 64 : zero:512
// RUN ackermann 1 32 : zero:256
// RUN tree_sum 1 64 : zero:512
// RUN even_odd 2 48 : zero:1024
// RUN sort_recursive 1 32 : data:4096 zero:256
// RUN by_pointer 2 64 : data:512 zero:1024
// RUN by_table 2 64 : data:512 zero:1024
// RUN pointer_of_struct 1 64 : zero:2048
// RUN virtual_calls 2 64 : data:512 zero:2048
// RUN virtual_recursion 1 64 : zero:1024
// RUN loop_of_calls 1 96 : data:512 zero:1024
// RUN large_copies 1 64 : zero:512 s32:5
// RUN lock_in_recursion 1 64 : zero:512

__device__ __noinline__ unsigned long long fact(unsigned n)
{
    return n < 2 ? 1 : n * fact(n - 1);
}
extern "C" __global__ void factorial(unsigned long long *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = fact(t % 21);
}

__device__ __noinline__ unsigned fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
extern "C" __global__ void fibonacci(unsigned *out)
{
    out[threadIdx.x] = fib(threadIdx.x % 12);
}

__device__ __noinline__ unsigned ack(unsigned m, unsigned n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ack(m - 1, 1);
    return ack(m - 1, ack(m, n - 1));
}
extern "C" __global__ void ackermann(unsigned *out)
{
    out[threadIdx.x] = ack(threadIdx.x % 3, threadIdx.x % 5);
}

/* Local arrays of every instance stay alive below the deeper ones. */
__device__ __noinline__ int sum_tree(int node, int *path, int depth)
{
    int here[4];
    for (int i = 0; i < 4; i++)
        here[i] = node * (i + 1) + (depth ? path[i] : 0);
    if (node >= 16 + (int)(threadIdx.x % 5))
        return here[node & 3];
    int left = sum_tree(2 * node, here, depth + 1), right = sum_tree(2 * node + 1, here, depth + 1);
    return left + 3 * right + here[depth & 3];
}
extern "C" __global__ void tree_sum(int *out)
{
    out[threadIdx.x] = sum_tree(1, 0, 0);
}

__device__ bool is_odd(unsigned n);
__device__ __noinline__ bool is_even(unsigned n)
{
    return n == 0 ? true : is_odd(n - 1);
}
__device__ __noinline__ bool is_odd(unsigned n)
{
    volatile unsigned keep = n;
    bool r = n == 0 ? false : is_even(n - 1);
    return keep == n ? r : !r;
}
extern "C" __global__ void even_odd(unsigned *out)
{
    unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
    out[t] = is_even(t % 17) * 2 + is_odd(t % 13);
}

__device__ __noinline__ void quick(unsigned *a, int low, int high)
{
    if (low >= high)
        return;
    unsigned pivot = a[(low + high) / 2];
    int i = low, j = high;
    while (i <= j) {
        while (a[i] < pivot)
            i++;
        while (a[j] > pivot)
            j--;
        if (i <= j) {
            unsigned x = a[i];
            a[i++] = a[j];
            a[j--] = x;
        }
    }
    quick(a, low, j);
    quick(a, i, high);
}
extern "C" __global__ void sort_recursive(unsigned *a, unsigned *out)
{
    quick(a + threadIdx.x * 32, 0, 31);
    out[threadIdx.x] = a[threadIdx.x * 32 + 7];
}

typedef int (*binary)(int, int);
__device__ __noinline__ int add(int a, int b)
{
    return a + b;
}
__device__ __noinline__ int sub(int a, int b)
{
    return a - b;
}
__device__ __noinline__ int mix(int a, int b)
{
    for (int i = 0; i < (b & 7); i++)
        a = a * 31 + b;
    return a;
}
__device__ __noinline__ int apply(binary f, int a, int b)
{
    return f(a, b) * 2 + f(b, a);
}
extern "C" __global__ void by_pointer(int *data, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, x = data[t];
    binary f = (x & 3) == 0 ? add : (x & 3) == 1 ? sub : mix;
    out[t] = apply(f, x, t);
}

__device__ binary table[4] = {mix, add, sub, add};
__constant__ binary constant_table[2] = {sub, mix};
extern "C" __global__ void by_table(int *data, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, x = data[t];
    out[t] = table[x & 3](x, t) + constant_table[t & 1](t, x);
}

struct large {
    int v[5];
    char c;
    double d;
};
typedef large (*maker)(large, char, short, double);
__device__ __noinline__ large make_a(large l, char c, short s, double d)
{
    for (int i = 0; i < 5; i++)
        l.v[i] += s * i;
    l.c = c;
    l.d += d;
    return l;
}
__device__ __noinline__ large make_b(large l, char c, short s, double d)
{
    l.v[c & 3] = s;
    l.d = d * 2;
    l.c++;
    return l;
}
__device__ maker makers[2] = {make_a, make_b};
extern "C" __global__ void pointer_of_struct(int *out)
{
    int t = threadIdx.x;
    large l = {{t, 2 * t, 3, 4, 5}, (char)t, t * 0.5};
    l = makers[t & 1](l, (char)(t * 3), (short)(-t), t + 0.25);
    l = makers[(t >> 1) & 1](l, 1, 2, 0.125);
    out[t] = l.v[0] + l.v[1] * 3 + l.v[2] * 5 + l.v[3] * 7 + l.v[4] * 11 + l.c + (int)(l.d * 8);
}

struct shape {
    int a;
    __device__ shape(int a) : a(a) {}
    __device__ virtual int area(int x) const
    {
        return a + x;
    }
    __device__ virtual int twice(int x) const
    {
        return 2 * area(x);
    }
};
struct square : shape {
    __device__ square(int a) : shape(a) {}
    __device__ int area(int x) const override
    {
        return a * a - x;
    }
};
struct cube : square {
    int b;
    __device__ cube(int a, int b) : square(a), b(b) {}
    __device__ int area(int x) const override
    {
        return 6 * square::area(x) + b;
    }
    __device__ int twice(int x) const override
    {
        return area(x) ^ 0x55;
    }
};
extern "C" __global__ void virtual_calls(int *data, int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, x = data[t];
    shape s(t);
    square q(t + 1);
    cube c(t, x & 15);
    const shape *p = (x & 3) == 0 ? &s : (x & 3) < 3 ? (const shape *)&q : &c;
    out[t] = p->area(x & 255) + 1000 * p->twice(t);
}

struct node {
    const node *next;
    __device__ virtual int value(int depth) const = 0;
};
struct leaf : node {
    __device__ int value(int depth) const override
    {
        return depth * 7 + 1;
    }
};
struct inner : node {
    int k;
    __device__ int value(int depth) const override
    {
        int below = next->value(depth + 1);
        return depth & 1 ? below * k + depth : below - k;
    }
};
extern "C" __global__ void virtual_recursion(int *out)
{
    leaf end;
    inner chain[6];
    int t = threadIdx.x, n = t % 6;
    for (int i = 0; i < 6; i++) {
        chain[i].k = t + i;
        chain[i].next = i < n ? (const node *)&chain[i + 1] : &end;
    }
    out[t] = chain[0].value(0);
}

/* Registers and predicates that stay alive across calls in loops; early return from divergence. */
__device__ __noinline__ int steps(unsigned x)
{
    if (x & 1)
        return x < 3 ? 0 : 1 + steps(3 * x + 1);
    return x == 0 ? -1 : 1 + steps(x / 2);
}
extern "C" __global__ void loop_of_calls(unsigned *data, int *out)
{
    int t = threadIdx.x, sum = 0;
    bool flag = data[t] & 1;
    float f = t * 0.5f;
    long long wide = t;
    for (int i = 1; i < 5 + t % 4; i++) {
        int s = steps((data[t] & 15) + i);
        if (flag)
            sum += s * i;
        else if (s > 3)
            continue;
        wide = wide * 3 + s;
        f += s;
        flag = !flag && s != 2;
    }
    out[t] = sum + (int)f + (int)(wide % 1000003);
}

/* Each level calls the next twice: copies would double at each. */
__device__ __noinline__ int level0(int x)
{
    return x * 3 + 1;
}
#define LEVEL(n, below)                                                                            \
    __device__ __noinline__ int level##n(int x)                                                    \
    {                                                                                              \
        return x & 1 << n ? level##below(x) - n : level##below(x + n) + level##below(x >> 1 & 1);  \
    }
LEVEL(1, 0)
LEVEL(2, 1)
LEVEL(3, 2)
LEVEL(4, 3)
LEVEL(5, 4)
LEVEL(6, 5)
LEVEL(7, 6)
LEVEL(8, 7)
LEVEL(9, 8)
LEVEL(10, 9)
LEVEL(11, 10)
LEVEL(12, 11)
LEVEL(13, 12)
LEVEL(14, 13)
LEVEL(15, 14)
LEVEL(16, 15)
LEVEL(17, 16)
LEVEL(18, 17)
LEVEL(19, 18)
LEVEL(20, 19)
LEVEL(21, 20)
LEVEL(22, 21)
LEVEL(23, 22)
LEVEL(24, 23)
LEVEL(25, 24)
LEVEL(26, 25)
LEVEL(27, 26)
LEVEL(28, 27)
LEVEL(29, 28)
LEVEL(30, 29)
extern "C" __global__ void large_copies(int *out, int n)
{
    out[threadIdx.x] = level30(0x7ffffff0 | (threadIdx.x & n));
}

__device__ __noinline__ unsigned locked(unsigned *a, unsigned n)
{
    if (n == 0) {
        while (atomicCAS(&a[0], 0u, 1u) != 0u)
            host_yield();
        unsigned x = *(volatile unsigned *)&a[1];
        *(volatile unsigned *)&a[1] = x + 1;
        __threadfence();
        atomicExch(&a[0], 0u);
        return 1;
    }
    return locked(a, n - 1) + 1;
}
extern "C" __global__ void lock_in_recursion(unsigned *a)
{
    a[2 + threadIdx.x] = locked(a, threadIdx.x % 4);
}
