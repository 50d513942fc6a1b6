/* Graphs that are looked into and changed after their nodes were made. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/graph_node.h"

static bool comes_before(CUgraphNode from, CUgraphNode to)
{
    for (size_t i = 0; i < to->n_before; i++) {
        if (to->before[i] == from)
            return true;
    }
    return false;
}

CUresult evc_node_neighbours(CUgraphNode node, bool behind, CUgraphNode *nodes, size_t *count)
{
    size_t there = 0;
    if (evc_check_node(node))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < node->graph->count; i++) {
        CUgraphNode other = node->graph->nodes[i];
        if (behind ? !comes_before(node, other) : !comes_before(other, node))
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
    if (evc_check_node(to))
        return CUDA_ERROR_INVALID_VALUE;
    size_t kept = 0, all = to->n_before;
    for (size_t i = 0; i < all; i++) {
        if (to->before[i] != from)
            to->before[kept++] = to->before[i];
    }
    to->n_before = kept;
    return kept < all ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult evc_node_destroy(CUgraphNode node)
{
    if (evc_check_node(node))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph graph = node->graph;
    for (size_t i = 0; i < graph->count; i++)
        evc_graph_unorder(node, graph->nodes[i]);
    graph->count--;
    for (size_t i = node->number; i < graph->count; i++) {
        graph->nodes[i] = graph->nodes[i + 1];
        graph->nodes[i]->number = i;
    }
    evc_node_free(node);
    return CUDA_SUCCESS;
}

CUresult evc_node_in_clone(CUgraphNode original, CUgraph clone, CUgraphNode *node)
{
    if (evc_check_graph(clone))
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < clone->count; i++) {
        if (clone->nodes[i]->origin == original) {
            *node = clone->nodes[i];
            return CUDA_SUCCESS;
        }
    }
    return CUDA_ERROR_INVALID_VALUE;
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
