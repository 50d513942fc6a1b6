/* European call and put prices by the Black-Scholes formula (CUDA SDK BlackScholes). The normal
 * distribution is the polynomial of Abramowitz and Stegun 26.2.17. Any grid of one dimension. */
static __device__ float normal(float d)
{
    float k = __fdividef(1.0f, fmaf(0.2316419f, fabsf(d), 1.0f));
    float p = fmaf(k, 1.330274429f, -1.821255978f);
    p = fmaf(k, p, 1.781477937f);
    p = fmaf(k, p, -0.356563782f);
    p = fmaf(k, p, 0.31938153f);
    float tail = 0.3989422804f * __expf(-0.5f * d * d) * k * p;
    return d > 0 ? 1.0f - tail : tail;
}

extern "C" __global__ void black_scholes(const float *__restrict__ price,
                                         const float *__restrict__ strike,
                                         const float *__restrict__ years, float rate,
                                         float volatility, unsigned count, float *call, float *put)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += gridDim.x * blockDim.x) {
        float s = price[i], x = strike[i], t = years[i];
        float deviation = volatility * sqrtf(t);
        float d1 =
            __fdividef(fmaf(fmaf(0.5f * volatility, volatility, rate), t, __logf(__fdividef(s, x))),
                       deviation);
        float n1 = normal(d1), n2 = normal(d1 - deviation);
        float discounted = x * __expf(-rate * t);
        call[i] = s * n1 - discounted * n2;
        put[i] = discounted * (1.0f - n2) - s * (1.0f - n1);
    }
}
