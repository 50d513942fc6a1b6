/* pathfinder: the cheapest ways through a grid, in pyramids of rows; exactly the host's sums. */
#include <stdlib.h>

#include "sw/apps/common/app.h"
#include "sw/apps/pathfinder/pathfinder.h"

enum { COLUMNS, ROWS, PYRAMID };

static void run(struct app *app, CUdeviceptr wall, CUdeviceptr sums[2], const uint32_t size[3])
{
    CUfunction kernel = app_kernel(app, "pathfinder", "pathfinder");
    uint32_t columns = size[COLUMNS];
    for (uint32_t row = 1; row < size[ROWS];) {
        uint32_t rows = size[ROWS] - row < size[PYRAMID] ? size[ROWS] - row : size[PYRAMID];
        uint32_t kept = PATHFINDER_BLOCK - 2 * rows;
        CUdeviceptr at = wall + (CUdeviceptr)row * columns * sizeof(int32_t);
        struct app_launch launch = {
            .kernel = kernel, .grid = {(columns + kept - 1) / kept}, .block = {PATHFINDER_BLOCK}};
        app_launch(&launch, APP_ARGS(&at, &sums[0], &sums[1], &columns, &rows));
        CUdeviceptr swapped = sums[0];
        sums[0] = sums[1];
        sums[1] = swapped;
        row += rows;
    }
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [COLUMNS] = {"columns", "columns of the grid (Rodinia: 100000)", .number = 32768, .min = 1,
                     .max = 1u << 22},
        [ROWS] = {"rows", "rows of the grid (Rodinia: 100)", .number = 100, .min = 1, .max = 4096},
        [PYRAMID] = {"pyramid", "rows that one launch takes (Rodinia: 20)", .number = 20, .min = 1,
                     .max = PATHFINDER_MAX}};
    struct app app = {
        .name = "pathfinder",
        .doc = "The cheapest way to every column of a grid's last row, by dynamic programming: "
               "blocks of 256 threads advance several rows in shared memory (Rodinia pathfinder, "
               "`pathfinder 100000 100 20`).",
        .options = options,
        .count = 3};
    app_start(&app, argc, argv);
    uint32_t size[3] = {options[COLUMNS].number, options[ROWS].number, options[PYRAMID].number};
    uint32_t columns = size[COLUMNS];
    size_t count = (size_t)size[ROWS] * columns;
    if (count > 1u << 30)
        app_fail(&app, APP_BAD_INPUT, "--columns %u times --rows %u exceeds 2^30", columns,
                 size[ROWS]);
    int32_t *wall = APP_ARRAY(&app, int32_t, count), *want = APP_ARRAY(&app, int32_t, columns);
    int32_t *got = APP_ARRAY(&app, int32_t, columns);
    pathfinder_generate(app.seed, wall, size[ROWS], columns);

    CUdeviceptr device = app_buffer(&app, wall, count * sizeof *wall);
    CUdeviceptr sums[2] = {app_buffer(&app, wall, columns * sizeof *wall),
                           app_buffer(&app, NULL, columns * sizeof *wall)};
    run(&app, device, sums, size);
    APP_CALL(cuMemcpyDtoH(got, sums[0], columns * sizeof *got));
    pathfinder_reference(wall, size[ROWS], columns, want);
    return app_end(&app, app_equal(&app, "sums", (uint32_t *)got, (uint32_t *)want, columns));
}
