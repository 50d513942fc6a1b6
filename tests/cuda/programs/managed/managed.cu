/* Managed memory with host pointers inside, classes with virtual functions, unions, bit fields, lambdas. */
#include <cmath>
#include <complex>
#include <new>

#include "check.h"

class Managed
{
  public:
    void *operator new(size_t len)
    {
        void *ptr;
        CHECK(cudaMallocManaged(&ptr, len));
        CHECK(cudaDeviceSynchronize());
        return ptr;
    }
    void operator delete(void *ptr)
    {
        cudaDeviceSynchronize();
        cudaFree(ptr);
    }
};

struct Element : public Managed {
    int key;
    union {
        float value;
        unsigned bits;
    };
    struct {
        unsigned low : 5, high : 11;
        int sign : 3;
    } field;
    Element *next;
};

__device__ int counter;

__global__ void walk(Element *head)
{
    for (Element *e = head; e; e = e->next) {
        e->bits ^= 0x80000000u;
        e->field.low += 1;
        e->field.high = e->field.low * 3 + e->key;
        e->field.sign = -2;
        counter++;
    }
}

class Shape
{
  public:
    __device__ virtual float area() const = 0;
    __device__ virtual ~Shape() {}
};
class Square : public Shape
{
    float side;

  public:
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
class Disc : public Shape
{
    float radius;

  public:
    __device__ explicit Disc(float r) : radius(r) {}
    __device__ float area() const override { return 3.0f * radius * radius; }
};

__global__ void areas(float *out)
{
    Shape *shape;
    if (threadIdx.x % 2)
        shape = new Square((float)threadIdx.x);
    else
        shape = new Disc((float)threadIdx.x);
    out[threadIdx.x] = shape->area();
    delete shape;
}

template <class F> __global__ void apply(F f, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

__device__ float twice(float x)
{
    return 2 * x;
}
__device__ float thrice(float x)
{
    return 3 * x;
}
__device__ float (*const table[2])(float) = {twice, thrice};

__global__ void by_pointer(float *x)
{
    x[threadIdx.x] = table[threadIdx.x & 1](x[threadIdx.x]);
}

__device__ int factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}
__global__ void recursive(int *out)
{
    out[threadIdx.x] = factorial(threadIdx.x);
}

int main()
{
    Element *head = nullptr;
    bool ok = true;
    for (int i = 0; i < 4; i++) {
        Element *e = new Element;
        e->key = i;
        e->value = 1.5f * i;
        e->field.low = 30 + i % 2;
        e->next = head;
        head = e;
    }
    int count = 10;
    CHECK(cudaMemcpyToSymbol(counter, &count, sizeof count));
    walk<<<1, 1>>>(head);
    CHECK(cudaDeviceSynchronize());
    for (Element *e = head; e; e = e->next) {
        unsigned low = (30 + e->key % 2 + 1) % 32;
        ok = ok && e->value == -1.5f * e->key && e->field.low == low && e->field.sign == -2 &&
             e->field.high == ((low * 3 + e->key) & 2047);
    }
    CHECK(cudaMemcpyFromSymbol(&count, counter, sizeof count));
    ok = ok && count == 14;
    printf("managed %d\n", ok);

    float *x;
    CHECK(cudaMallocManaged(&x, 64 * sizeof(float)));
    cudaMemLocation place = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeInvalid, 0};
    CHECK(cudaMemPrefetchAsync(x, 64 * sizeof(float), place, 0));
    CHECK(cudaMemAdvise(x, 64 * sizeof(float), cudaMemAdviseSetPreferredLocation, place));
    place.type = cudaMemLocationTypeHost;
    CHECK(cudaMemPrefetchAsync(x, 64 * sizeof(float), place, 0, 0));
    ok = ok && cudaMemPrefetchAsync(x, 64 * sizeof(float), nowhere, 0) == cudaErrorInvalidValue;
    areas<<<1, 32>>>(x);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 32; i++)
        ok = ok && x[i] == (i % 2 ? 1 : 3) * (float)(i * i);
    printf("virtual %d\n", ok);

    float scale = 0.5f;
    apply<<<1, 64>>>([=] __device__(int i) { x[i] = scale * std::sqrt((float)i) + std::abs(-i) + std::max(i, 3); }, 64);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        ok = ok && near(x[i], 0.5 * std::sqrt((double)i) + i + (i > 3 ? i : 3), 1e-6);
    by_pointer<<<1, 64>>>(x);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < 64; i++)
        ok = ok && near(x[i], (2 + i % 2) * (0.5 * std::sqrt((double)i) + i + (i > 3 ? i : 3)), 1e-6);
    printf("lambda %d\n", ok);

    int *y;
    CHECK(cudaMallocManaged(&y, 8 * sizeof(int)));
    recursive<<<1, 8>>>(y);
    CHECK(cudaDeviceSynchronize());
    for (int i = 0, f = 1; i < 8; f *= ++i)
        ok = ok && y[i] == f;
    long double precise = 1.0L / 3.0L;
    std::complex<double> z(0, 1);
    ok = ok && precise * 3.0L == 1.0L && z * z == std::complex<double>(-1, 0);
    return verdict("managed", ok);
}
