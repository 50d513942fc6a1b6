/* References of the applications in Rodinia's and cuda-convnet's manner, against the plainest way
 * to say the same. That a program notices a wrong kernel is tests/e2e/cuda/apps.sh's. */
#include <math.h>

#include "base/alloc.h"
#include "base/error.h"
#include "sw/apps/backprop/backprop.h"
#include "sw/apps/common/conv_layer.h"
#include "sw/apps/common/input_data.h"
#include "sw/apps/kmeans/kmeans.h"
#include "sw/apps/lud/lud.h"
#include "sw/apps/srad/srad.h"
#include "sw/apps/streamcluster/streamcluster.h"
#include "tests/unit.h"

#define FLOAT_STEP 0x1p-23 /* relative distance of neighbouring floats */

/* Passes bring the output to the target, and partial sums are those of the hidden units. */
static void backprop_learns(void **state)
{
    (void)state;
    struct backprop net;
    backprop_generate(7, 64, &net);
    float partial[4 * BACKPROP_HIDDEN], first = 0.0f;
    for (int pass = 0; pass < 60; pass++) {
        backprop_forward(&net, partial);
        for (uint32_t j = 0; j < BACKPROP_HIDDEN; j++) {
            double tree = 0.0, plain = 0.0;
            for (uint32_t block = 0; block < 4; block++)
                tree += (double)partial[block * BACKPROP_HIDDEN + j];
            for (uint32_t i = 1; i <= 64; i++)
                plain += (double)net.input[i] * (double)net.weights[i * BACKPROP_ROW + j + 1];
            assert_true(fabs(tree - plain) < 64 * 64 * FLOAT_STEP);
        }
        backprop_errors(&net, partial);
        backprop_adjust(&net);
        if (pass == 0)
            first = net.output;
    }
    assert_true(fabsf(net.output - net.target) < fabsf(first - net.target) / 2);
    backprop_free(&net);
}

static void kmeans_ends_at_means(void **state)
{
    (void)state;
    struct kmeans k = {.points = 300, .count = 3, .clusters = 4};
    kmeans_generate(5, &k);
    kmeans_start(&k);
    uint32_t membership[300];
    do
        kmeans_assign(&k, membership);
    while (kmeans_move(&k, membership));
    for (uint32_t c = 0; c < k.clusters; c++)
        for (uint32_t f = 0; f < k.count; f++) {
            double sum = 0.0;
            uint32_t members = 0;
            for (uint32_t i = 0; i < k.points; i++)
                if (k.membership[i] == c) {
                    sum += (double)k.features[i * k.count + f];
                    members++;
                }
            assert_true(members > 0);
            assert_true(fabs(sum / members - (double)k.centres[c * k.count + f]) < 1e-5);
        }
    for (uint32_t i = 0; i < k.points; i++)
        for (uint32_t c = 0; c < k.clusters; c++) {
            double mine = 0.0, other = 0.0;
            for (uint32_t f = 0; f < k.count; f++) {
                double x = (double)k.features[i * k.count + f];
                mine += pow(x - (double)k.centres[k.membership[i] * k.count + f], 2);
                other += pow(x - (double)k.centres[c * k.count + f], 2);
            }
            assert_true(mine <= other + 1e-5);
        }
    kmeans_free(&k);
}

static void kmeans_files(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } bad[] = {{"", "no points"},
               {"\n \n", "no points"},
               {"1\n", "line 1: the row has a number but no features"},
               {"1 2\n\n2 3 4\n", "line 3: the row has 2 features, but the first line has 1"},
               {"1 2\nx 3\n", "line 2: not a row of numbers"},
               {"1 2 3x\n", "line 1: not a row of numbers"},
               {"1 nan\n", "line 1: not a row of numbers"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct kmeans k = {0};
        struct error err = {0};
        assert_false(kmeans_parse(bad[i].text, &k, &err));
        assert_string_equal(err.text, bad[i].message);
        kmeans_free(&k);
    }
    struct kmeans k = {0};
    assert_true(kmeans_parse("0 1.5,-2\r\n1 3e1\t4", &k, NULL));
    assert_int_equal(k.points, 2);
    assert_int_equal(k.count, 2);
    static const float want[] = {1.5f, -2.0f, 30.0f, 4.0f};
    assert_memory_equal(k.features, want, sizeof want);
    kmeans_free(&k);
}

static void lud_factors_multiply_back(void **state)
{
    (void)state;
    for (uint32_t n = 16; n <= 80; n += 16) {
        size_t count = (size_t)n * n;
        float *original = ALLOC_ARRAY(float, count), *matrix = ALLOC_ARRAY(float, count);
        lud_generate(n, n, original);
        memcpy(matrix, original, count * sizeof(float));
        lud_reference(matrix, n);
        /* Each of n operations of an element rounds, to at most 2n of magnitude. */
        assert_true(lud_error(matrix, original, n) < 2.0 * n * n * FLOAT_STEP);
        matrix[count - 1] += 1.0f;
        assert_true(lud_error(matrix, original, n) > 0.5);
        free(original);
        free(matrix);
    }
}

static void srad_smooths(void **state)
{
    (void)state;
    struct srad_image image = {48, 32, ALLOC_ARRAY(float, 48 * 32)};
    struct srad_region all = {.last_row = 47, .last_column = 31};
    srad_generate(3, &image);
    double sum = 0.0, after = 0.0;
    for (uint32_t i = 0; i < 48 * 32; i++)
        sum += (double)image.pixels[i];
    float before = srad_speckle(&image, &all);
    for (int i = 0; i < 10; i++) {
        float speckle = srad_speckle(&image, &all);
        srad_reference(&image, speckle, 0.5f);
        assert_true(srad_speckle(&image, &all) < speckle);
    }
    assert_true(srad_speckle(&image, &all) < before / 2);
    for (uint32_t i = 0; i < 48 * 32; i++)
        after += (double)image.pixels[i];
    /* What flows out of a pixel flows into its neighbour; nothing flows over the edges. */
    assert_true(fabs(after - sum) < 0.01 * sum);
    float *copy = ALLOC_ARRAY(float, 48 * 32);
    memcpy(copy, image.pixels, 48 * 32 * sizeof(float));
    srad_reference(&image, 0.1f, 0.0f);
    assert_memory_equal(copy, image.pixels, 48 * 32 * sizeof(float));
    free(copy);
    free(image.pixels);
}

static void answer(void *self, const struct streamcluster_question *question)
{
    ++*(uint32_t *)self;
    streamcluster_cost(question);
}

static double apart(const struct streamcluster_chunk *c, uint32_t a, uint32_t b)
{
    double sum = 0.0;
    for (uint32_t d = 0; d < c->dimensions; d++)
        sum += pow((double)c->coordinates[c->points[a].first + d] -
                       (double)c->coordinates[c->points[b].first + d],
                   2);
    return sum;
}

/* Three heaps of points are found as three centres; every point belongs to an open centre at the
 * cost that it says; the weights of the centres are those of all points. */
static void streamcluster_finds_heaps(void **state)
{
    (void)state;
    float at[90 * 2], centres[90 * 2], weights[90], weight = 0.0f;
    input_range(1, at, 90 * 2, 0.0f, 1.0f);
    for (uint32_t i = 0; i < 90; i++)
        at[2 * i] += (float)(i % 3) * 100.0f;
    struct streamcluster_chunk c = streamcluster_chunk_new(at, NULL, 90, 2);
    uint32_t questions = 0, open = 0;
    struct streamcluster s = {
        .dimensions = 2, .least = 3, .most = 3, .answer = answer, .self = &questions};
    rng_seed(&s.rng, 4);
    double cost = streamcluster_search(&s, &c), sum = 0.0;
    assert_true(questions > 0);
    for (uint32_t i = 0; i < 90; i++) {
        const struct streamcluster_point *p = &c.points[i];
        open += c.is_centre[i];
        assert_true(c.is_centre[p->centre]);
        assert_true(fabs(apart(&c, i, (uint32_t)p->centre) - (double)p->cost) < 1e-3);
        sum += (double)p->cost;
    }
    assert_int_equal(open, 3);
    assert_int_equal(c.centres, 3);
    assert_true(fabs(cost - sum) < 1e-9 && cost < 90.0);
    assert_int_equal(streamcluster_centres(&c, centres, weights), 3);
    for (uint32_t i = 0; i < 3; i++) {
        weight += weights[i];
        assert_true(fabs((double)(centres[2 * i] - 0.5f) -
                         100.0 * round((double)centres[2 * i] / 100.0)) < 0.5);
    }
    assert_true(weight == 90.0f);
    streamcluster_chunk_free(&c);
}

/* What has no solution in the range ends all the same. */
static void streamcluster_gives_up(void **state)
{
    (void)state;
    float at[40] = {0};
    for (uint32_t i = 0; i < 20; i++)
        at[2 * i] = i < 10 ? 0.0f : 1.0f; /* two places */
    struct streamcluster_chunk c = streamcluster_chunk_new(at, NULL, 20, 2);
    uint32_t questions = 0;
    struct streamcluster s = {
        .dimensions = 2, .least = 4, .most = 5, .answer = answer, .self = &questions};
    rng_seed(&s.rng, 4);
    streamcluster_search(&s, &c);
    assert_true(c.centres >= 1 && c.centres <= 20);
    streamcluster_chunk_free(&c);
}

static double target(const struct conv_layer *l, const float *images, const float *filters,
                     uint32_t at[4])
{
    uint32_t filter = at[0], y = at[1], x = at[2], image = at[3];
    uint32_t group = filter / (l->filters / l->groups);
    double sum = 0.0;
    for (uint32_t c = 0; c < l->group_colours; c++)
        for (uint32_t v = 0; v < l->filter_side; v++)
            for (uint32_t u = 0; u < l->filter_side; u++) {
                int64_t row = (int64_t)(y * l->stride + v) - l->padding,
                        column = (int64_t)(x * l->stride + u) - l->padding;
                if (row < 0 || column < 0 || row >= l->image_side || column >= l->image_side)
                    continue;
                size_t colour = group * l->group_colours + c;
                size_t pixel =
                    (colour * l->image_side + (size_t)row) * l->image_side + (size_t)column;
                size_t weight = (size_t)(c * l->filter_side + v) * l->filter_side + u;
                sum += (double)images[pixel * l->images + image] *
                       (double)filters[weight * l->filters + filter];
            }
    return sum;
}

static void conv_is_a_convolution(void **state)
{
    (void)state;
    static const struct conv_layer layers[] = {
        {.images = 5,
         .colours = 3,
         .image_side = 6,
         .filters = 16,
         .filter_side = 3,
         .padding = 1,
         .stride = 1,
         .groups = 1,
         .group_colours = 3,
         .modules_side = 6},
        {.images = 3,
         .colours = 8,
         .image_side = 7,
         .filters = 32,
         .filter_side = 2,
         .padding = 0,
         .stride = 2,
         .groups = 2,
         .group_colours = 4,
         .modules_side = 4},
    };
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        const struct conv_layer *l = &layers[i];
        float *images = ALLOC_ARRAY(float, conv_image_values(l)),
              *filters = ALLOC_ARRAY(float, conv_filter_values(l)),
              *targets = ALLOC_ARRAY(float, conv_target_values(l)), *next = targets;
        input_floats(i, images, conv_image_values(l));
        input_floats(i + 9, filters, conv_filter_values(l));
        conv_reference(l, l->groups == 1 ? 3 : 2, images, filters, targets);
        uint32_t at[4];
        for (at[0] = 0; at[0] < l->filters; at[0]++)
            for (at[1] = 0; at[1] < l->modules_side; at[1]++)
                for (at[2] = 0; at[2] < l->modules_side; at[2]++)
                    for (at[3] = 0; at[3] < l->images; at[3]++)
                        assert_true(fabs(target(l, images, filters, at) - (double)*next++) < 1e-5);
        free(images);
        free(filters);
        free(targets);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(backprop_learns),        cmocka_unit_test(kmeans_ends_at_means),
        cmocka_unit_test(kmeans_files),           cmocka_unit_test(lud_factors_multiply_back),
        cmocka_unit_test(srad_smooths),           cmocka_unit_test(streamcluster_finds_heaps),
        cmocka_unit_test(streamcluster_gives_up), cmocka_unit_test(conv_is_a_convolution),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
