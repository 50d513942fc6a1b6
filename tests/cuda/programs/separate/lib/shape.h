#pragma once
extern __device__ int counter;
extern __constant__ float scale;
typedef float (*operation)(float);
extern __device__ operation chosen;
__device__ float helper(float x);
__device__ float deep(int depth, float x);
class Shape
{
  public:
    __device__ Shape(float s) : size(s) {}
    __device__ virtual float area();
    __device__ virtual ~Shape() {}

  protected:
    float size;
};
void set_scale(float value);
int read_counter();
template <class T> __device__ T shared_template(T x)
{
    return x + 1;
}
