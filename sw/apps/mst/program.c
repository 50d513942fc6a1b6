/* mst: a minimum spanning forest; its weight is exactly that of Kruskal's algorithm. */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "sw/apps/common/app.h"
#include "sw/apps/mst/mst.h"

#define JOIN_BLOCK 384u /* LonestarGPU's */

enum { NODES, DEGREE, WEIGHTS, GRAPH, BLOCK, FILE_, OPTIONS };

struct device_result {
    uint64_t weight;
    uint32_t edges, again;
};

struct forest {
    struct app *app;
    uint32_t nodes;
    CUdeviceptr rows, columns, weights;                                      /* the graph */
    CUdeviceptr parent, node_least, component_least, partner, picked, joins; /* a word per node */
    CUdeviceptr taken, result, arrived;
    uint32_t join_blocks;
};

static void upload(struct forest *f, const struct graph *g)
{
    size_t bytes = (size_t)g->nodes * sizeof(uint32_t), arcs = g->arcs ? g->arcs : 1;
    uint32_t *parent = APP_ARRAY(f->app, uint32_t, g->nodes);
    CUdeviceptr *words[] = {&f->node_least, &f->component_least, &f->partner,
                            &f->picked,     &f->joins,           &f->taken};
    for (uint32_t v = 0; v < g->nodes; v++)
        parent[v] = v;
    f->nodes = g->nodes;
    f->rows = app_buffer(f->app, g->rows, bytes + sizeof *g->rows);
    f->columns = app_buffer(f->app, g->columns, arcs * sizeof *g->columns);
    f->weights = app_buffer(f->app, g->weights, arcs * sizeof *g->weights);
    f->parent = app_buffer(f->app, parent, bytes);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        *words[i] = app_buffer(f->app, NULL, bytes);
    f->result = app_buffer(f->app, &(struct device_result){0}, sizeof(struct device_result));
    f->arrived = app_buffer(f->app, NULL, sizeof(uint32_t));
}

static void launch(const struct forest *f, const char *kernel, void **arguments)
{
    uint32_t block = f->app->options[BLOCK].number;
    struct app_launch l = {.kernel = app_kernel(f->app, "mst", kernel),
                           .grid = {(f->nodes + block - 1) / block},
                           .block = {block}};
    app_launch(&l, arguments);
}

static struct device_result join(const struct forest *f)
{
    CUfunction kernel = app_kernel(f->app, "mst", "mst_join");
    void **arguments =
        APP_ARGS((void *)&f->parent, (void *)&f->columns, (void *)&f->weights, (void *)&f->joins,
                 (void *)&f->taken, (void *)&f->result, (void *)&f->arrived, (void *)&f->nodes);
    struct device_result result;
    do {
        APP_CALL(cuMemsetD32(f->arrived, 0, 1));
        APP_CALL(cuMemsetD32(f->result + offsetof(struct device_result, again), 0, 1));
        APP_CALL(cuLaunchCooperativeKernel(kernel, f->join_blocks, 1, 1, JOIN_BLOCK, 1, 1, 0, NULL,
                                           arguments));
        APP_CALL(cuMemcpyDtoH(&result, f->result, sizeof result));
    } while (result.again);
    return result;
}

static struct device_result span(struct forest *f)
{
    struct device_result result = {0};
    uint32_t before, rounds = 0;
    /* They wait for each other. */
    f->join_blocks = app_resident_blocks(app_kernel(f->app, "mst", "mst_join"), JOIN_BLOCK);
    do {
        before = result.edges;
        launch(f, "mst_clear",
               APP_ARGS(&f->node_least, &f->component_least, &f->partner, &f->picked, &f->joins,
                        &f->nodes));
        launch(f, "mst_node_least",
               APP_ARGS(&f->rows, &f->columns, &f->weights, &f->parent, &f->node_least,
                        &f->component_least, &f->partner, &f->nodes));
        launch(f, "mst_pick",
               APP_ARGS(&f->parent, &f->node_least, &f->component_least, &f->picked, &f->nodes));
        launch(f, "mst_verify",
               APP_ARGS(&f->rows, &f->columns, &f->weights, &f->parent, &f->component_least,
                        &f->partner, &f->picked, &f->joins, &f->nodes));
        result = join(f);
        rounds++;
    } while (result.edges != before);
    printf("%u edges of weight %" PRIu64 " after %u rounds\n", result.edges, result.weight, rounds);
    return result;
}

static void make_graph(struct app *app, struct graph *graph)
{
    const struct app_option *o = app->options;
    struct error err = {0};
    bool good;
    if (o[FILE_].text) {
        size_t bytes;
        const char *text = app_file(app, o[FILE_].text, &bytes);
        good = graph_parse(o[FILE_].text, text, true, graph, &err);
    } else {
        struct graph_request request = {.kind = (enum graph_kind)o[GRAPH].number,
                                        .nodes = o[NODES].number,
                                        .degree = o[DEGREE].number,
                                        .max_weight = o[WEIGHTS].number,
                                        .seed = app->seed,
                                        .symmetric = true};
        good = graph_generate(&request, graph, &err);
    }
    if (!good)
        app_fail(app, APP_BAD_INPUT, "%s", err.text);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [NODES] = {"nodes", "nodes (LonestarGPU: 4096 of rmat, 2^20 of random, 1070376 of road)",
                   .number = 4096, .min = 2, .max = 1u << 24},
        [DEGREE] = {"degree", "mean edges of a node, not for road (LonestarGPU: 20 of rmat)",
                    .number = 8, .min = 1, .max = 2048},
        [WEIGHTS] = {"weights", "weights are 1 to this (GTgraph: 100)", .number = 100, .min = 1,
                     .max = 1u << 24},
        [GRAPH] = {"graph", "kind of graph", APP_CHOICE, .number = GRAPH_RMAT,
                   .choices = graph_kinds},
        [BLOCK] = {"block", "threads of a block (LonestarGPU: 1024; 384 where trees are joined)",
                   .number = 1024, .min = 32, .max = 1024},
        [FILE_] = {"file",
                   "graph to read instead, in the format of the DIMACS challenge (.gr); an arc is "
                   "an edge",
                   APP_TEXT}};
    struct app app = {
        .name = "mst",
        .doc =
            "A minimum spanning forest by Boruvka's algorithm: five kernels a round, the last of "
            "which has barriers of the whole grid (LonestarGPU mst; its inputs are rmat12, "
            "2d-2e20 and the roads of Florida).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    struct graph graph;
    struct forest forest = {.app = &app};
    struct error err = {0};
    make_graph(&app, &graph);
    upload(&forest, &graph);
    struct device_result result = span(&forest);
    struct mst got = {.weight = result.weight, .edges = result.edges};
    uint32_t *taken = APP_ARRAY(&app, uint32_t, graph.nodes);
    APP_CALL(cuMemcpyDtoH(taken, forest.taken, graph.nodes * sizeof *taken));
    bool right = mst_check(&graph, &got, taken, &err);
    if (!right)
        printf("mst: %s\n", err.text);
    graph_free(&graph);
    return app_end(&app, right);
}
