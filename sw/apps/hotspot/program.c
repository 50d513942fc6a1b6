/* hotspot: the temperature of a chip after some steps, compared with the host's bit by bit. */
#include <string.h>

#include "sw/apps/common/app.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/common/offload.h"
#include "sw/apps/hotspot/hotspot.h"

enum { SIDE, STEPS, PYRAMID, MODE };

struct run {
    struct app_launch launch;
    struct offload offload; /* in: power, heat; out: heat */
    CUdeviceptr between[2]; /* heat between launches */
    struct hotspot_chip chip;
    uint32_t side, steps, pyramid;
};

/* Launches of `pyramid` steps and one of what is left. The first one reads the heat that was copied
 * in and the last one writes what is copied out: words that a copy fills or waits for are written
 * once, so that none is full with a value of an earlier launch. */
static void simulate(void *user, CUstream stream)
{
    struct run *r = user;
    struct offload *o = &r->offload;
    CUdeviceptr from = o->in[1].device, to;
    r->launch.stream = stream;
    for (uint32_t done = 0, now = 0; done < r->steps; now ^= 1) {
        uint32_t steps = r->steps - done < r->pyramid ? r->steps - done : r->pyramid;
        uint32_t inner = HOTSPOT_BLOCK - 2 * steps, blocks = (r->side + inner - 1) / inner;
        r->launch.grid[0] = r->launch.grid[1] = blocks;
        done += steps;
        to = done == r->steps ? o->out[0].device : r->between[now];
        app_launch(&r->launch,
                   APP_ARGS(&o->in[0].device, &from, &to, &r->side, &steps, &r->chip.step,
                            &r->chip.rx, &r->chip.ry, &r->chip.rz, &r->chip.ambient));
        from = to;
    }
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
                     .max = 7},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "hotspot",
                      .doc = "Temperature of a chip, a stencil in blocks of 16 x 16 threads with "
                             "several steps per launch in shared memory (Rodinia hotspot).",
                      .options = options,
                      .count = 4};
    app_start(&app, argc, argv);
    struct run r = {.offload = offload_create(&app, options[MODE].number),
                    .side = options[SIDE].number,
                    .steps = options[STEPS].number,
                    .pyramid = options[PYRAMID].number};
    r.chip = hotspot_chip(r.side);
    size_t cells = (size_t)r.side * r.side, bytes = cells * sizeof(float);
    r.launch = (struct app_launch){.kernel = app_kernel(&app, "hotspot", "hotspot"),
                                   .block = {HOTSPOT_BLOCK, HOTSPOT_BLOCK}};
    for (int i = 0; i < 2; i++)
        r.between[i] = app_buffer(&app, NULL, bytes);
    float *power = offload_in(&r.offload, bytes), *first = offload_in(&r.offload, bytes);
    float *got = offload_out(&r.offload, bytes);
    float *heat[2] = {APP_ARRAY(&app, float, cells), APP_ARRAY(&app, float, cells)};
    input_range(app.seed, power, cells, 0, 0.01f);
    input_range((uint64_t)app.seed + 1, first, cells, 320, 340);
    memcpy(heat[0], first, bytes);
    offload_run(&r.offload, simulate, &r);
    return app_end(&app, app_equal_floats(&app, "heat", got, reference(&r, power, heat), cells));
}
