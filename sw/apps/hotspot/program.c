/* hotspot: the temperature of a chip after some steps, compared with the host's bit by bit. */
#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/hotspot/hotspot.h"

enum { SIDE, STEPS, PYRAMID };

struct run {
    struct app_launch launch;
    struct hotspot_chip chip;
    uint32_t side, steps, pyramid;
};

/* Launches of `pyramid` steps and one of what is left; the number of the buffer with the result. */
static uint32_t simulate(struct run *r, CUdeviceptr power, CUdeviceptr *heat)
{
    uint32_t now = 0;
    for (uint32_t done = 0; done < r->steps; now ^= 1) {
        uint32_t steps = r->steps - done < r->pyramid ? r->steps - done : r->pyramid;
        uint32_t inner = HOTSPOT_BLOCK - 2 * steps, blocks = (r->side + inner - 1) / inner;
        r->launch.grid[0] = r->launch.grid[1] = blocks;
        app_launch(&r->launch,
                   APP_ARGS(&power, &heat[now], &heat[now ^ 1], &r->side, &steps, &r->chip.step,
                            &r->chip.rx, &r->chip.ry, &r->chip.rz, &r->chip.ambient));
        done += steps;
    }
    return now;
}

static const float *reference(const struct run *r, const float *power, float *const heat[2])
{
    for (uint32_t k = 0; k < r->steps; k++)
        hotspot_step(&r->chip, r->side, power, heat[k % 2], heat[(k + 1) % 2]);
    return heat[r->steps % 2];
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [SIDE] = {"side", "cells of a side (full/empty bits paper: 64; Rodinia: 512)", .number = 64,
                  .min = 1, .max = 16384},
        [STEPS] = {"steps", "steps of time", .number = 4, .min = 1, .max = 1000000},
        [PYRAMID] = {"pyramid", "steps in one launch (Rodinia: 2)", .number = 2, .min = 1,
                     .max = 7}};
    struct app app = {.name = "hotspot",
                      .doc = "Temperature of a chip, a stencil in blocks of 16 x 16 threads with "
                             "several steps per launch in shared memory (Rodinia hotspot).",
                      .options = options,
                      .count = 3};
    app_start(&app, argc, argv);
    struct run r = {.side = options[SIDE].number,
                    .steps = options[STEPS].number,
                    .pyramid = options[PYRAMID].number};
    r.chip = hotspot_chip(r.side);
    size_t cells = (size_t)r.side * r.side, bytes = cells * sizeof(float);
    float *power = APP_ARRAY(&app, float, cells), *got = APP_ARRAY(&app, float, cells);
    float *heat[2] = {APP_ARRAY(&app, float, cells), APP_ARRAY(&app, float, cells)};
    input_range(app.seed, power, cells, 0, 0.01f);
    input_range((uint64_t)app.seed + 1, heat[0], cells, 320, 340);

    r.launch = (struct app_launch){.kernel = app_kernel(&app, "hotspot", "hotspot"),
                                   .block = {HOTSPOT_BLOCK, HOTSPOT_BLOCK}};
    CUdeviceptr d_power = app_buffer(&app, power, bytes);
    CUdeviceptr d_heat[2] = {app_buffer(&app, heat[0], bytes), app_buffer(&app, NULL, bytes)};
    uint32_t last = simulate(&r, d_power, d_heat);
    APP_CALL(cuMemcpyDtoH(got, d_heat[last], bytes));
    return app_end(&app, app_equal_floats(&app, "heat", got, reference(&r, power, heat), cells));
}
