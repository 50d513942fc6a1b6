/* kmeans: points put into clusters on the GPU, one launch a round, until none changes; every
 * round's membership is compared with the host's. */
#include <math.h>
#include <stdio.h>

#include "base/error.h"
#include "sw/apps/common/app.h"
#include "sw/apps/kmeans/kmeans.h"

#define TEXTURE_VALUES (1u << 27) /* of a linear texture */

enum { POINTS, FEATURES, CLUSTERS, ROUNDS, SOURCE };

struct device {
    struct app_launch assign;
    CUdeviceptr membership, centres;
    CUtexObject turned;
};

/* Turns the points on the GPU; the rounds read them through a texture of linear memory. */
static struct device set_up(struct app *app, const struct kmeans *k)
{
    uint32_t blocks = (k->points + KMEANS_BLOCK - 1) / KMEANS_BLOCK, points = k->points,
             count = k->count, side = (uint32_t)ceil(sqrt(blocks));
    size_t bytes = (size_t)points * count * sizeof(float);
    CUdeviceptr features = app_buffer(app, k->features, bytes);
    CUdeviceptr turned = app_buffer(app, NULL, bytes);
    struct app_launch turn = {.kernel = app_kernel(app, "kmeans", "kmeans_turn"),
                              .grid = {blocks},
                              .block = {KMEANS_BLOCK}};
    app_launch(&turn, APP_ARGS(&features, &turned, &points, &count));

    struct device d = {.assign = {.kernel = app_kernel(app, "kmeans", "kmeans_assign"),
                                  .grid = {side, side},
                                  .block = {KMEANS_BLOCK}},
                       .membership = app_buffer(app, NULL, (size_t)points * sizeof(uint32_t))};
    CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_LINEAR,
                                   .res.linear = {.devPtr = turned,
                                                  .format = CU_AD_FORMAT_FLOAT,
                                                  .numChannels = 1,
                                                  .sizeInBytes = bytes}};
    CUDA_TEXTURE_DESC texture = {.filterMode = CU_TR_FILTER_MODE_POINT};
    APP_CALL(cuTexObjectCreate(&d.turned, &resource, &texture, NULL));
    APP_CALL(cuModuleGetGlobal(&d.centres, NULL, app->module, "kmeans_centres"));
    return d;
}

static void assign(struct device *d, const struct kmeans *k, uint32_t *membership)
{
    uint32_t points = k->points, count = k->count, clusters = k->clusters;
    APP_CALL(cuMemcpyHtoD(d->centres, k->centres, (size_t)k->clusters * k->count * sizeof(float)));
    app_launch(&d->assign, APP_ARGS(&d->turned, &points, &count, &clusters, &d->membership));
    APP_CALL(cuMemcpyDtoH(membership, d->membership, (size_t)k->points * sizeof(uint32_t)));
}

/* What the kernels and the texture have no room for. */
static void check_sizes(const struct app *app, const struct kmeans *k)
{
    if (k->clusters > k->points)
        app_fail(app, APP_BAD_INPUT,
                 "--clusters is %u; it must be at most the number of points, %u", k->clusters,
                 k->points);
    if ((uint64_t)k->clusters * k->count > KMEANS_CENTRE_VALUES)
        app_fail(app, APP_BAD_INPUT,
                 "--clusters is %u; with %u features it must be at most %u: the centres lie in %u "
                 "bytes of constant memory",
                 k->clusters, k->count, KMEANS_CENTRE_VALUES / k->count, 4 * KMEANS_CENTRE_VALUES);
    if ((uint64_t)k->points * k->count > TEXTURE_VALUES)
        app_fail(app, APP_BAD_INPUT, "%u points of %u features; a texture has at most %u values",
                 k->points, k->count, TEXTURE_VALUES);
}

static struct kmeans input(struct app *app, const struct app_option *options)
{
    struct kmeans k = {.points = options[POINTS].number,
                       .count = options[FEATURES].number,
                       .clusters = options[CLUSTERS].number};
    const char *path = options[SOURCE].text;
    struct error err = {0};
    size_t bytes;
    if (path && !kmeans_parse(app_file(app, path, &bytes), &k, &err))
        app_fail(app, APP_BAD_INPUT, "%s: %s", path, err.text);
    check_sizes(app, &k);
    if (!path)
        kmeans_generate(app->seed, &k);
    kmeans_start(&k);
    return k;
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [POINTS] = {"points", "points (EDGE's artifact: 28000, Rodinia: 494020)", .number = 8192,
                    .min = 1, .max = TEXTURE_VALUES},
        [FEATURES] = {"features", "features of a point (both: 34)", .number = 34, .min = 1,
                      .max = KMEANS_CENTRE_VALUES},
        [CLUSTERS] = {"clusters", "clusters (both: 5)", .number = 5, .min = 1,
                      .max = KMEANS_CENTRE_VALUES},
        [ROUNDS] = {"rounds", "rounds at most (both: 500)", .number = 500, .min = 1,
                    .max = 1000000},
        [SOURCE] = {"file",
                    "read the points from this file instead: lines of a number, which is not used, "
                    "and the features",
                    APP_TEXT}};
    struct app app = {.name = "kmeans",
                      .doc = "Clustering by k-means (Rodinia kmeans): blocks of 256 threads, one a "
                             "point, features through a texture, centres in constant memory and "
                             "moved by the host in each round.",
                      .options = options,
                      .count = 5};
    app_start(&app, argc, argv);
    struct kmeans k = input(&app, options);
    uint32_t *membership = APP_ARRAY(&app, uint32_t, k.points);
    uint32_t *want = APP_ARRAY(&app, uint32_t, k.points);
    struct device device = set_up(&app, &k);
    uint32_t rounds = 0, changed = 1;
    bool right = true;
    while (right && changed && rounds < options[ROUNDS].number) {
        assign(&device, &k, membership);
        kmeans_assign(&k, want);
        right = app_equal(&app, "membership", membership, want, k.points);
        changed = kmeans_move(&k, want);
        rounds++;
    }
    app_figure("rounds", rounds, "");
    APP_CALL(cuTexObjectDestroy(device.turned));
    kmeans_free(&k);
    return app_end(&app, right);
}
