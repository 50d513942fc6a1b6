/* sssp: shortest paths from one node; exactly Dijkstra's distances. */
#include <stdio.h>

#include "base/error.h"
#include "sw/apps/common/app.h"
#include "sw/apps/sssp/sssp.h"

enum { NODES, DEGREE, WEIGHTS, GRAPH, FROM, VARIANT, BLOCK, FILE_, OPTIONS };
enum { TOPOLOGY, WORKLIST };

struct search {
    struct app *app;
    const struct graph *graph;
    CUdeviceptr rows, columns, weights, distance;
    uint32_t source, block, launches;
};

static struct app_launch launch_of(const struct search *s, const char *kernel, uint32_t threads)
{
    return (struct app_launch){.kernel = app_kernel(s->app, "sssp", kernel),
                               .grid = {(threads + s->block - 1) / s->block},
                               .block = {s->block}};
}

static void by_topology(struct search *s)
{
    CUdeviceptr flag = app_buffer(s->app, NULL, sizeof(uint32_t));
    uint32_t nodes = s->graph->nodes, changed = 1;
    struct app_launch launch = launch_of(s, "sssp_all", nodes);
    for (; changed; s->launches++) {
        APP_CALL(cuMemsetD32(flag, 0, 1));
        app_launch(&launch,
                   APP_ARGS(&s->rows, &s->columns, &s->weights, &s->distance, &flag, &nodes));
        APP_CALL(cuMemcpyDtoH(&changed, flag, sizeof changed));
    }
}

static void by_worklist(struct search *s)
{
    size_t bytes = (size_t)s->graph->nodes * sizeof(uint32_t);
    CUdeviceptr in = app_buffer(s->app, NULL, bytes), out = app_buffer(s->app, NULL, bytes);
    CUdeviceptr queued = app_buffer(s->app, NULL, bytes);
    CUdeviceptr count_at = app_buffer(s->app, NULL, sizeof(uint32_t));
    uint32_t count = 1;
    APP_CALL(cuMemsetD32(queued, 0, s->graph->nodes));
    APP_CALL(cuMemcpyHtoD(in, &s->source, sizeof s->source));
    for (; count; s->launches++) {
        struct app_launch launch = launch_of(s, "sssp_list", count);
        APP_CALL(cuMemsetD32(count_at, 0, 1));
        app_launch(&launch, APP_ARGS(&s->rows, &s->columns, &s->weights, &s->distance, &in, &count,
                                     &out, &count_at, &queued));
        APP_CALL(cuMemcpyDtoH(&count, count_at, sizeof count));
        CUdeviceptr swapped = in;
        in = out;
        out = swapped;
    }
}

static void make_graph(struct app *app, struct graph *graph)
{
    const struct app_option *o = app->options;
    struct error err = {0};
    bool good;
    if (o[FILE_].text) {
        size_t bytes;
        const char *text = app_file(app, o[FILE_].text, &bytes);
        good = graph_parse(o[FILE_].text, text, false, graph, &err);
    } else {
        struct graph_request request = {.kind = (enum graph_kind)o[GRAPH].number,
                                        .nodes = o[NODES].number,
                                        .degree = o[DEGREE].number,
                                        .max_weight = o[WEIGHTS].number,
                                        .seed = app->seed};
        good = graph_generate(&request, graph, &err);
    }
    if (!good)
        app_fail(app, APP_BAD_INPUT, "%s", err.text);
    if (o[FROM].number >= graph->nodes)
        app_fail(app, APP_BAD_INPUT, "--from is %u; it must be a node of the graph, 0 to %u",
                 o[FROM].number, graph->nodes - 1);
}

static void search(struct search *s, uint32_t *distance)
{
    const struct graph *g = s->graph;
    size_t bytes = (size_t)g->nodes * sizeof *distance;
    s->rows = app_buffer(s->app, g->rows, bytes + sizeof *g->rows);
    s->columns = app_buffer(s->app, g->columns, (g->arcs ? g->arcs : 1) * sizeof *g->columns);
    s->weights = app_buffer(s->app, g->weights, (g->arcs ? g->arcs : 1) * sizeof *g->weights);
    s->distance = app_buffer(s->app, NULL, bytes);
    APP_CALL(cuMemsetD32(s->distance, SSSP_FAR, g->nodes));
    APP_CALL(cuMemsetD32(s->distance + (CUdeviceptr)s->source * sizeof *distance, 0, 1));
    if (s->app->options[VARIANT].number == TOPOLOGY)
        by_topology(s);
    else
        by_worklist(s);
    APP_CALL(cuMemcpyDtoH(distance, s->distance, bytes));
}

int main(int argc, char **argv)
{
    static const char *const variants[] = {"topology", "worklist", NULL};
    struct app_option options[] = {
        [NODES] = {"nodes", "nodes (LonestarGPU: 2^20 of rmat and random, 1070376 of road)",
                   .number = 8192, .min = 2, .max = 1u << 24},
        [DEGREE] = {"degree",
                    "mean arcs of a node, not for road (LonestarGPU: 8 of rmat, 4 of random)",
                    .number = 8, .min = 1, .max = 4096},
        [WEIGHTS] = {"weights", "weights are 1 to this (GTgraph: 100)", .number = 100, .min = 1,
                     .max = 1u << 20},
        [GRAPH] = {"graph", "kind of graph", APP_CHOICE, .number = GRAPH_RMAT,
                   .choices = graph_kinds},
        [FROM] = {"from", "node where all ways begin, from 0", .max = UINT32_MAX},
        [VARIANT] = {"variant", "all nodes in every launch, or those of a list", APP_CHOICE,
                     .number = TOPOLOGY, .choices = variants},
        [BLOCK] = {"block", "threads of a block (LonestarGPU: 1024)", .number = 1024, .min = 32,
                   .max = 1024},
        [FILE_] = {"file", "graph to read instead, in the format of the DIMACS challenge (.gr)",
                   APP_TEXT}};
    struct app app = {
        .name = "sssp",
        .doc = "Shortest paths from one node by Bellman-Ford with atomicMin, a launch per round "
               "(LonestarGPU sssp; its inputs are rmat20, r4-2e20 and the roads of Florida).",
        .options = options,
        .count = OPTIONS};
    app_start(&app, argc, argv);
    struct graph graph;
    make_graph(&app, &graph);
    uint32_t *got = APP_ARRAY(&app, uint32_t, graph.nodes);
    uint32_t *want = APP_ARRAY(&app, uint32_t, graph.nodes);
    struct search s = {.app = &app,
                       .graph = &graph,
                       .source = options[FROM].number,
                       .block = options[BLOCK].number};
    search(&s, got);
    sssp_reference(&graph, s.source, want);
    printf("%u nodes, %u arcs, %u launches\n", graph.nodes, graph.arcs, s.launches);
    bool right = app_equal(&app, "distance", got, want, graph.nodes);
    graph_free(&graph);
    return app_end(&app, right);
}
