/* Flux over an unstructured grid: structs of floats, constants of float3, templates for memory. */
#include <cmath>
#include <fstream>
#include <iostream>
#include <sstream>

#include "check.h"

#define GAMMA 1.4f
#define NDIM 3
#define NNB 4
#define VAR_DENSITY 0
#define VAR_MOMENTUM 1
#define VAR_DENSITY_ENERGY (VAR_MOMENTUM + NDIM)
#define NVAR (VAR_DENSITY_ENERGY + 1)

template <typename T> T *alloc(int N)
{
    T *t;
    CHECK(cudaMalloc((void **)&t, sizeof(T) * N));
    return t;
}
template <typename T> void dealloc(T *array)
{
    CHECK(cudaFree((void *)array));
}
template <typename T> void upload(T *dst, T *src, int N)
{
    CHECK(cudaMemcpy((void *)dst, (void *)src, N * sizeof(T), cudaMemcpyHostToDevice));
}
template <typename T> void download(T *dst, T *src, int N)
{
    CHECK(cudaMemcpy((void *)dst, (void *)src, N * sizeof(T), cudaMemcpyDeviceToHost));
}

__constant__ float ff_variable[NVAR];
__constant__ float3 ff_momentum_x[1];

__host__ __device__ inline void compute_velocity(float &density, float3 &momentum, float3 &velocity)
{
    velocity.x = momentum.x / density;
    velocity.y = momentum.y / density;
    velocity.z = momentum.z / density;
}
__host__ __device__ inline float compute_speed_sqd(float3 &velocity)
{
    return velocity.x * velocity.x + velocity.y * velocity.y + velocity.z * velocity.z;
}
__host__ __device__ inline float compute_pressure(float &density, float &energy, float &speed_sqd)
{
    return (float(GAMMA) - float(1.0f)) * (energy - float(0.5f) * density * speed_sqd);
}
__host__ __device__ inline float compute_speed_of_sound(float &density, float &pressure)
{
    return sqrtf(float(GAMMA) * pressure / density);
}

__global__ void initialize(int nelr, float *variables)
{
    const int i = (blockDim.x * blockIdx.x + threadIdx.x);
    for (int j = 0; j < NVAR; j++)
        variables[i + j * nelr] = ff_variable[j] * (1.0f + 0.001f * (i % 17));
}

__host__ __device__ inline float flux_of(int nelr, int i, const int *neighbours, const float *normals,
                                         const float *v, float far)
{
    float density = v[i], energy = v[i + VAR_DENSITY_ENERGY * nelr];
    float3 momentum = make_float3(v[i + 1 * nelr], v[i + 2 * nelr], v[i + 3 * nelr]), velocity;
    compute_velocity(density, momentum, velocity);
    float speed_sqd = compute_speed_sqd(velocity), flux = 0.0f;
    float pressure = compute_pressure(density, energy, speed_sqd);
    float sound = compute_speed_of_sound(density, pressure);
    for (int j = 0; j < NNB; j++) {
        int nb = neighbours[i + j * nelr];
        float factor = normals[i + j * nelr] * (std::sqrt(speed_sqd) + sound);
        if (nb >= 0)
            flux += factor * (density - v[nb]);
        else
            flux += factor * far;
    }
    return flux;
}

__global__ void compute_flux(int nelr, int *neighbours, float *normals, float *variables, float *fluxes)
{
    const int i = (blockDim.x * blockIdx.x + threadIdx.x);
    fluxes[i] = flux_of(nelr, i, neighbours, normals, variables, ff_momentum_x[0].y);
}

int main(int argc, char **argv)
{
    cudaDeviceProp prop;
    int dev;
    CHECK(cudaSetDevice(0));
    CHECK(cudaGetDevice(&dev));
    CHECK(cudaGetDeviceProperties(&prop, dev));
    std::stringstream title;
    title << "Name: " << prop.name;
    std::cout << title.str() << std::endl;

    const int nelr = 512;
    float h_ff[NVAR] = {1.4f, 1.2f, 0.1f, 0.0f, 3.5f};
    float3 h_momentum;
    h_momentum.x = 1;
    h_momentum.y = 0.25f;
    h_momentum.z = 2;
    CHECK(cudaMemcpyToSymbol(ff_variable, h_ff, NVAR * sizeof(float)));
    CHECK(cudaMemcpyToSymbol(ff_momentum_x, &h_momentum, sizeof(float3)));
    int *h_nb = new int[nelr * NNB];
    float *h_normals = new float[nelr * NNB], *h_v = new float[nelr * NVAR], *h_flux = new float[nelr];
    unsigned seed = 1;
    for (int i = 0; i < nelr * NNB; i++) {
        h_nb[i] = (int)(next_random(&seed) % (nelr + 1)) - 1;
        h_normals[i] = next_float(&seed) - 0.5f;
    }
    int *nb = alloc<int>(nelr * NNB);
    float *normals = alloc<float>(nelr * NNB), *v = alloc<float>(nelr * NVAR), *flux = alloc<float>(nelr);
    upload<int>(nb, h_nb, nelr * NNB);
    upload<float>(normals, h_normals, nelr * NNB);
    dim3 Dg(nelr / BLOCK_SIZE), Db(BLOCK_SIZE);
    initialize<<<Dg, Db>>>(nelr, v);
    CHECK(cudaGetLastError());
    compute_flux<<<Dg, Db>>>(nelr, nb, normals, v, flux);
    CHECK(cudaGetLastError());
    download(h_v, v, nelr * NVAR);
    download(h_flux, flux, nelr);
    bool ok = true;
    for (int i = 0; i < nelr; i++)
        ok = ok && near(h_flux[i], flux_of(nelr, i, h_nb, h_normals, h_v, 0.25f), 1e-5);
    dealloc(nb);
    dealloc(v);
    return verdict("cfd", ok);
}
