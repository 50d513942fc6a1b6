/* bfs: distances in a graph from one node, compared with the host's exactly. */
#include <stdio.h>

#include "base/error.h"
#include "sw/apps/bfs/bfs_file.h"
#include "sw/apps/bfs/search.h"

enum { NODES, DEGREE, BLOCK, GRAPH, FRONTIER, MODE };

static void search_frontier(struct bfs_search *s)
{
    const struct bfs_graph *g = s->graph;
    size_t bytes = g->nodes * sizeof(uint32_t);
    struct app_launch launch = bfs_launch(s, "bfs_level");
    CUdeviceptr rows = app_buffer(s->app, g->rows, bytes + sizeof(uint32_t));
    CUdeviceptr columns = app_buffer(s->app, g->columns, g->edges * sizeof(uint32_t));
    CUdeviceptr frontier[2] = {app_buffer(s->app, NULL, bytes), app_buffer(s->app, NULL, bytes)};
    CUdeviceptr counts[2] = {app_buffer(s->app, NULL, sizeof(uint32_t)),
                             app_buffer(s->app, NULL, sizeof(uint32_t))};
    CUdeviceptr distance = bfs_unreached(s);
    uint32_t count = 1, none = 0;
    APP_CALL(cuMemcpyHtoD(frontier[0], &s->source, sizeof s->source));
    APP_CALL(cuMemcpyHtoD(counts[0], &count, sizeof count));
    for (; count; s->levels++) {
        uint32_t here = s->levels % 2, next = 1 - here;
        APP_CALL(cuMemcpyHtoD(counts[next], &none, sizeof none));
        app_launch(&launch, APP_ARGS(&rows, &columns, &frontier[here], &counts[here],
                                     &frontier[next], &counts[next], &distance, &s->levels));
        APP_CALL(cuMemcpyDtoH(&count, counts[next], sizeof count));
    }
    APP_CALL(cuMemcpyDtoH(s->distance, distance, bytes));
}

static void make_graph(struct app *app, struct bfs_graph *graph, uint32_t *source)
{
    const struct app_option *o = app->options;
    struct error err = {.set = false};
    size_t bytes;
    bool ok = o[GRAPH].text
                  ? bfs_parse(app_file(app, o[GRAPH].text, &bytes), graph, source, &err)
                  : bfs_generate(app->seed, o[NODES].number, o[DEGREE].number, graph, &err);
    if (!ok)
        app_fail(app, APP_BAD_INPUT, "%s%s%s", o[GRAPH].text ? o[GRAPH].text : "",
                 o[GRAPH].text ? ": " : "", err.text);
}

int main(int argc, char **argv)
{
    struct app_option options[] = {
        [NODES] = {"nodes",
                   "nodes (full/empty bits paper: 4096; Rodinia and EDGE's artifact: 65536)",
                   .number = 4096, .min = 1, .max = 1u << 26},
        [DEGREE] = {"degree", "edges of a node, mean", .number = 6, .min = 1, .max = 4095},
        [BLOCK] = {"block", "threads of a block (Rodinia: 512)", .number = 512, .min = 1,
                   .max = 1024},
        [GRAPH] = {"graph", "file in Rodinia's format, instead of a generated graph", APP_TEXT},
        [FRONTIER] = {"frontier", "frontier queues and one kernel per level instead of masks",
                      APP_FLAG},
        [MODE] = OFFLOAD_OPTION};
    struct app app = {.name = "bfs",
                      .doc =
                          "Breadth-first search, two launches per level with a mask of the nodes "
                          "in turn (Rodinia bfs).",
                      .options = options,
                      .count = 6};
    app_start(&app, argc, argv);
    struct bfs_graph graph;
    struct bfs_search s = {.app = &app, .graph = &graph, .block = options[BLOCK].number};
    make_graph(&app, &graph, &s.source);
    s.distance = APP_ARRAY(&app, uint32_t, graph.nodes);
    uint32_t *want = APP_ARRAY(&app, uint32_t, graph.nodes);
    if (options[FRONTIER].number)
        search_frontier(&s);
    else
        bfs_search_masks(&s, options[MODE].number);
    bfs_reference(&graph, s.source, want);
    printf("bfs: %u nodes, %u edges, %u levels\n", graph.nodes, graph.edges, s.levels);
    bool right = app_equal(&app, "distance", s.distance, want, graph.nodes);
    bfs_free(&graph);
    return app_end(&app, right);
}
