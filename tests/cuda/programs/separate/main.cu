/* Device code over several files: functions, variables, constants, a class, a function pointer, and three
 * static things of the same name. */
#include "check.h"
#include "lib/shape.h"

static __device__ int offset;
static __constant__ float weight[2] = {1, 2};

class Ring : public Shape
{
  public:
    __device__ Ring(float s) : Shape(s) {}
    __device__ float area() override { return 3 * size; }
};

__global__ void run(float *out)
{
    int i = threadIdx.x;
    Shape plain((float)i);
    Ring ring((float)i);
    Shape *s = i % 2 ? &ring : &plain;
    out[i] = helper((float)i) + s->area() + chosen(1.0f) + offset + deep(3, 0.5f) + shared_template(2) + weight[i % 2];
}

int main()
{
    const int n = 32;
    float got[n], *d;
    int seven = 7;
    float four = 4;
    set_scale(0.5f);
    CHECK(cudaMemcpyToSymbol(offset, &seven, sizeof seven));
    CHECK(cudaMemcpyToSymbol(weight, &four, sizeof four, sizeof four));
    CHECK(cudaMalloc(&d, sizeof got));
    run<<<1, n>>>(d);
    CHECK(cudaMemcpy(got, d, sizeof got, cudaMemcpyDeviceToHost));
    bool ok = read_counter() == 100 + n;
    for (int i = 0; i < n; i++) {
        float want = (i + 0.25f) * 0.5f + 2 + (i % 2 ? 3 * i : i * i) + (2 + 6 + 1) + 7 + 3.5f + 3 + (i % 2 ? 4 : 1);
        ok = ok && got[i] == want;
    }
    return verdict("separate", ok);
}
