/* A graph as text for Graphviz: a box for each node, a cluster for the nodes of a child graph. */
#include <stdio.h>

#include "sw/cuda/client/graph_node.h"

struct drawing {
    FILE *out;
    bool handles;
    size_t graphs; /* so far: the next one's number, with which its nodes' names begin */
};

static const char *const kinds[] = {[CU_GRAPH_NODE_TYPE_KERNEL] = "kernel",
                                    [CU_GRAPH_NODE_TYPE_MEMCPY] = "copy",
                                    [CU_GRAPH_NODE_TYPE_MEMSET] = "set",
                                    [CU_GRAPH_NODE_TYPE_HOST] = "host function",
                                    [CU_GRAPH_NODE_TYPE_GRAPH] = "graph",
                                    [CU_GRAPH_NODE_TYPE_EMPTY] = "empty",
                                    [CU_GRAPH_NODE_TYPE_WAIT_EVENT] = "wait for event",
                                    [CU_GRAPH_NODE_TYPE_EVENT_RECORD] = "record event",
                                    [CU_GRAPH_NODE_TYPE_MEM_ALLOC] = "allocate",
                                    [CU_GRAPH_NODE_TYPE_MEM_FREE] = "free",
                                    [CU_GRAPH_NODE_TYPE_BATCH_MEM_OP] = "values",
                                    [CU_GRAPH_NODE_TYPE_CONDITIONAL] = "condition"};

/* Within a quoted label. */
static void write_text(FILE *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void write_kernel(FILE *out, const struct evc_launch *launch)
{
    fputs("\\n", out);
    write_text(out, launch->function->name);
    fprintf(out, "\\ngrid %u x %u x %u, block %u x %u x %u", launch->grid[0], launch->grid[1],
            launch->grid[2], launch->block[0], launch->block[1], launch->block[2]);
    if (launch->shared)
        fprintf(out, "\\nshared memory %llu bytes", (unsigned long long)launch->shared);
}

static void write_details(FILE *out, const struct evc_command *c)
{
    switch (c->type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        write_kernel(out, &c->launch);
        break;
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        fprintf(out, "\\nfrom %#llx to %#llx\\n%llu x %llu x %llu bytes",
                (unsigned long long)c->copy.src, (unsigned long long)c->copy.dst,
                (unsigned long long)c->copy.width, (unsigned long long)c->copy.height,
                (unsigned long long)c->copy.depth);
        break;
    case CU_GRAPH_NODE_TYPE_MEMSET:
        fprintf(out, "\\n%#llx to %#x\\n%llu x %llu elements of %u bytes",
                (unsigned long long)c->set.dst, c->set.value, (unsigned long long)c->set.width,
                (unsigned long long)c->set.height, c->set.element);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        fprintf(out, "\\n%llu bytes at %#llx", (unsigned long long)c->bytes,
                (unsigned long long)c->address);
        break;
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
        fprintf(out, "\\n%#llx", (unsigned long long)c->address);
        break;
    default:
        break;
    }
}

static void write_graph(struct drawing *d, CUgraph graph);

/* A graph within the node; of several, `body` tells which. */
static void write_inner(struct drawing *d, CUgraph inner, size_t graph, size_t node, size_t body)
{
    fprintf(d->out, "  subgraph cluster_g%zu_%zu_%zu {\n  label=\"graph of node %zu\";\n", graph,
            node, body, node);
    write_graph(d, inner);
    fputs("  }\n", d->out);
}

static void write_graph(struct drawing *d, CUgraph graph)
{
    const size_t own = d->graphs++;
    evc_graph_settle(graph);
    for (size_t i = 0; i < graph->count; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        fprintf(d->out, "  g%zu_%zu [label=\"%zu %s", own, i, i, kinds[node->command.type]);
        write_details(d->out, &node->command);
        if (d->handles)
            fprintf(d->out, "\\nhandle %p", (const void *)node);
        fputs("\"];\n", d->out);
        for (size_t b = 0; b < node->n_before; b++)
            fprintf(d->out, "  g%zu_%zu -> g%zu_%zu;\n", own, node->before[b]->number, own, i);
        if (node->command.child)
            write_inner(d, node->command.child, own, i, 0);
        for (size_t b = 0; b < node->command.n_bodies; b++)
            write_inner(d, node->command.bodies[b], own, i, b);
    }
}

CUresult evc_graph_dot(CUgraph graph, const char *path, bool handles)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    struct drawing d = {.out = fopen(path, "w"), .handles = handles};
    if (!d.out)
        return evc_explain(CUDA_ERROR_OPERATING_SYSTEM, "graph: cannot write %s", path);
    fputs("digraph graph_0 {\n  node [shape=box];\n", d.out);
    write_graph(&d, graph);
    fputs("}\n", d.out);
    bool written = !ferror(d.out);
    return fclose(d.out) == 0 && written
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_OPERATING_SYSTEM, "graph: cannot write %s", path);
}
