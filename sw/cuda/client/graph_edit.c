/* Graphs that are looked into and changed after their nodes were made. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/graph_node.h"

void evc_graph_settle(CUgraph graph)
{
    size_t all = graph->count;
    if (!graph->gone)
        return;
    for (size_t i = 0; i < all; i++) {
        CUgraphNode node = graph->nodes[i];
        size_t n_before = node->n_before;
        node->n_before = 0;
        for (size_t b = 0; b < n_before; b++) {
            if (node->before[b]->graph)
                node->before[node->n_before++] = node->before[b];
            else
                evc_edge_remove(node->before[b], node);
        }
    }
    graph->count = graph->gone = 0;
    for (size_t i = 0; i < all; i++) {
        CUgraphNode node = graph->nodes[i];
        if (!node->graph) {
            free(node);
            continue;
        }
        node->number = graph->count;
        graph->nodes[graph->count++] = node;
    }
}

CUresult evc_node_neighbours(CUgraphNode node, bool behind, CUgraphNode *nodes, size_t *count)
{
    size_t there = 0;
    if (evc_check_node(node))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(node->graph);
    for (size_t i = 0; i < node->graph->count; i++) {
        CUgraphNode other = node->graph->nodes[i];
        if (behind ? !evc_edge_known(node, other) : !evc_edge_known(other, node))
            continue;
        if (nodes && there < *count)
            nodes[there] = other;
        there++;
    }
    *count = there;
    return CUDA_SUCCESS;
}

CUresult evc_graph_unorder(CUgraphNode from, CUgraphNode to)
{
    if (evc_check_node(from) || evc_check_node(to) || !evc_edge_remove(from, to))
        return CUDA_ERROR_INVALID_VALUE;
    size_t at = 0;
    while (to->before[at] != from)
        at++;
    to->n_before--;
    memmove(&to->before[at], &to->before[at + 1], (to->n_before - at) * sizeof *to->before);
    return CUDA_SUCCESS;
}

CUresult evc_node_destroy(CUgraphNode node)
{
    if (evc_check_node(node))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph graph = node->graph;
    evc_node_empty(node);
    node->graph = NULL;
    if (++graph->gone > graph->count / 2)
        evc_graph_settle(graph);
    return CUDA_SUCCESS;
}

CUresult evc_node_in_clone(CUgraphNode original, CUgraph clone, CUgraphNode *node)
{
    if (evc_check_graph(clone) || evc_check_node(original))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(clone);
    size_t first = 0;
    for (size_t end = clone->count; first < end;) {
        size_t middle = first + (end - first) / 2;
        if (clone->nodes[middle]->origin < original->id)
            first = middle + 1;
        else
            end = middle;
    }
    if (first == clone->count || clone->nodes[first]->origin != original->id)
        return CUDA_ERROR_INVALID_VALUE;
    *node = clone->nodes[first];
    return CUDA_SUCCESS;
}

const struct evc_command *evc_node_command(CUgraphNode node, CUgraphNodeType type)
{
    return !evc_check_node(node) && node->command.type == type ? &node->command : NULL;
}

CUresult evc_node_kernel(CUgraphNode node, CUDA_KERNEL_NODE_PARAMS *p)
{
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_KERNEL);
    if (!command)
        return CUDA_ERROR_INVALID_VALUE;
    const struct evc_launch *launch = &command->launch;
    const struct wire_function *info = &launch->function->info;
    if (!node->pointers)
        node->pointers = calloc(info->n_params + 1, sizeof *node->pointers);
    if (!node->pointers)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < info->n_params; i++)
        node->pointers[i] = command->arguments + info->params[i].offset;
    *p = (CUDA_KERNEL_NODE_PARAMS){.func = launch->function,
                                   .gridDimX = launch->grid[0],
                                   .gridDimY = launch->grid[1],
                                   .gridDimZ = launch->grid[2],
                                   .blockDimX = launch->block[0],
                                   .blockDimY = launch->block[1],
                                   .blockDimZ = launch->block[2],
                                   .sharedMemBytes = (unsigned int)launch->shared,
                                   .kernelParams = node->pointers};
    return CUDA_SUCCESS;
}

CUresult evc_node_set_of(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS *p)
{
    const struct evc_command *command = evc_node_command(node, CU_GRAPH_NODE_TYPE_MEMSET);
    if (!command)
        return CUDA_ERROR_INVALID_VALUE;
    const struct evc_memset *set = &command->set;
    *p = (CUDA_MEMSET_NODE_PARAMS){.dst = set->dst,
                                   .pitch = set->pitch,
                                   .value = set->value,
                                   .elementSize = set->element,
                                   .width = set->width,
                                   .height = set->height};
    return CUDA_SUCCESS;
}
