/* blackScholes: option prices on the GPU, compared with the same formula in double precision. */
#include <math.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/common/offload.h"

#define BLOCK 128u

/* What float arithmetic may lose: the price and the strike are at most 100, so an error of 2^-23 in
 * a probability is 1.2e-5; lg2.approx has 2^-22 of absolute error, which the smallest deviation of
 * d1 (0.3 * sqrt(0.25)) makes 1.6e-6, times the density 0.4 times the price 30: 2e-5. A handful of
 * such errors stay below this. */
#define BOUND 1e-4

enum { OPTIONS, BLOCKS, MODE };

struct run {
    struct app_launch launch;
    struct offload offload;
    float rate, volatility;
    uint32_t n;
};

static void launch(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    r->launch.stream = stream;
    app_launch(&r->launch, APP_ARGS(&o->in[0].device, &o->in[1].device, &o->in[2].device, &r->rate,
                                    &r->volatility, &r->n, &o->out[0].device, &o->out[1].device));
}

static double normal(double d)
{
    double k = 1 / (1 + 0.2316419 * fabs(d));
    double p =
        0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429)));
    double tail = 0.39894228040143267794 * exp(-0.5 * d * d) * k * p;
    return d > 0 ? 1 - tail : tail;
}

static void reference(const float *const in[3], double rate, double volatility, size_t count,
                      float *call, float *put)
{
    for (size_t i = 0; i < count; i++) {
        double s = (double)in[0][i], x = (double)in[1][i], t = (double)in[2][i];
        double deviation = volatility * sqrt(t);
        double d1 = (log(s / x) + (rate + 0.5 * volatility * volatility) * t) / deviation;
        double n1 = normal(d1), n2 = normal(d1 - deviation), discounted = x * exp(-rate * t);
        call[i] = (float)(s * n1 - discounted * n2);
        put[i] = (float)(discounted * (1 - n2) - s * (1 - n1));
    }
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [OPTIONS] = {"options", "options to price (full/empty bits paper: 65536)", .number = 65536,
                     .min = 1, .max = 1u << 28},
        [BLOCKS] = {"blocks", "blocks of 128 threads, 0 for a thread per option (CUDA SDK: 480)",
                    .number = 0, .min = 0, .max = 65535},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "blackScholes",
                      .doc = "Prices European options by the Black-Scholes formula, a thread per "
                             "option (CUDA SDK BlackScholes).",
                      .options = options,
                      .count = 3};
    app_start(&app, argc, argv);
    static const float low[3] = {5, 1, 0.25f}, high[3] = {30, 100, 10};
    struct run r = {.offload = offload_create(&app, options[MODE].number),
                    .rate = 0.02f,
                    .volatility = 0.30f,
                    .n = options[OPTIONS].number};
    uint32_t blocks = options[BLOCKS].number;
    r.launch = (struct app_launch){.kernel = app_kernel(&app, "blackScholes", "black_scholes"),
                                   .grid = {blocks ? blocks : (r.n + BLOCK - 1) / BLOCK},
                                   .block = {BLOCK}};
    size_t bytes = r.n * sizeof(float);
    float *in[3], *got[2], *want[2];
    for (uint32_t i = 0; i < 3; i++) {
        in[i] = offload_in(&r.offload, bytes);
        input_range((uint64_t)app.seed + i, in[i], r.n, low[i], high[i]);
    }
    for (uint32_t i = 0; i < 2; i++) {
        got[i] = offload_out(&r.offload, bytes);
        want[i] = APP_ARRAY(&app, float, r.n);
    }
    reference((const float *const *)in, (double)r.rate, (double)r.volatility, r.n, want[0],
              want[1]);
    offload_run(&r.offload, launch, &r);
    return app_end(&app, app_near(&app, "call", got[0], want[0], r.n, 0, BOUND) &&
                             app_near(&app, "put", got[1], want[1], r.n, 0, BOUND));
}
