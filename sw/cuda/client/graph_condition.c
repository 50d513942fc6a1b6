/* Conditional nodes. A condition is a word in device memory that kernels write; its handle is the
 * word's address. The client reads it when the node's turn has come, so a launch of a graph that
 * has such nodes returns when the graph has ended. */
#include <stdlib.h>

#include "sw/cuda/client/graph_node.h"

#define MOST_BODIES 1024u /* of a switch */

/* Shared by a graph and its clones. */
struct evc_condition {
    uint64_t address;
    uint32_t value;
    bool assign; /* the value, at each launch */
    size_t graphs;
};

CUresult evc_condition_create(CUgraph graph, uint32_t value, bool assign, uint64_t *handle)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    struct evc_condition *made = calloc(1, sizeof *made);
    CUresult status = made ? evc_alloc(sizeof made->value, WIRE_DEVICE, 0, &made->address)
                           : CUDA_ERROR_OUT_OF_MEMORY;
    struct evc_memset clear = {.width = 1,
                               .height = 1,
                               .depth = 1,
                               .value = value,
                               .element = sizeof made->value,
                               .blocking = true};
    if (!status) {
        clear.dst = made->address;
        status = evc_memset(&clear);
    }
    if (!status && !evc_condition_share(graph, made))
        status = CUDA_ERROR_OUT_OF_MEMORY;
    if (status) {
        if (made && made->address)
            evc_free(made->address, WIRE_DEVICE);
        free(made);
        return status;
    }
    made->value = value;
    made->assign = assign;
    *handle = made->address;
    return CUDA_SUCCESS;
}

bool evc_condition_share(CUgraph graph, struct evc_condition *condition)
{
    struct evc_condition **more =
        realloc(graph->conditions, (graph->n_conditions + 1) * sizeof(struct evc_condition *));
    if (!more)
        return false;
    graph->conditions = more;
    graph->conditions[graph->n_conditions++] = condition;
    condition->graphs++;
    return true;
}

void evc_conditions_leave(CUgraph graph)
{
    for (size_t i = 0; i < graph->n_conditions; i++) {
        struct evc_condition *c = graph->conditions[i];
        if (--c->graphs)
            continue;
        evc_free(c->address, WIRE_DEVICE);
        free(c);
    }
    free(graph->conditions);
}

CUresult evc_condition_command(const CUDA_CONDITIONAL_NODE_PARAMS *p, struct evc_command *command)
{
    unsigned int most = p->type == CU_GRAPH_COND_TYPE_IF       ? 2
                        : p->type == CU_GRAPH_COND_TYPE_SWITCH ? MOST_BODIES
                                                               : 1;
    if ((unsigned int)p->type > CU_GRAPH_COND_TYPE_SWITCH || !p->handle)
        return CUDA_ERROR_INVALID_VALUE;
    if (!p->size || p->size > most)
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "graph: a conditional node of this type has at most %u graphs, not %u",
                           most, p->size);
    *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_CONDITIONAL,
                                    .address = p->handle,
                                    .condition = p->type,
                                    .n_bodies = p->size};
    return CUDA_SUCCESS;
}

CUresult evc_bodies_copy(struct evc_command *to, const struct evc_command *from)
{
    CUresult status = CUDA_SUCCESS;
    to->bodies = calloc(from->n_bodies, sizeof(CUgraph));
    if (!to->bodies)
        return CUDA_ERROR_OUT_OF_MEMORY;
    for (size_t i = 0; i < from->n_bodies && !status; i++)
        status = from->bodies ? evc_graph_clone(from->bodies[i], &to->bodies[i])
                              : evc_graph_create(&to->bodies[i]);
    if (status)
        evc_bodies_free(to);
    return status;
}

void evc_bodies_free(struct evc_command *command)
{
    for (size_t i = 0; command->bodies && i < command->n_bodies; i++) {
        if (command->bodies[i])
            evc_graph_destroy(command->bodies[i]);
    }
    free(command->bodies);
    command->bodies = NULL;
}

/* --- a launch --------------------------------------------------------------------------------- */

CUresult evc_conditions_assign(CUgraph graph, CUstream stream)
{
    CUresult status = CUDA_SUCCESS;
    for (size_t i = 0; i < graph->n_conditions && !status; i++) {
        const struct evc_condition *c = graph->conditions[i];
        struct evc_memset set = {.dst = c->address,
                                 .width = 1,
                                 .height = 1,
                                 .depth = 1,
                                 .value = c->value,
                                 .element = sizeof c->value,
                                 .stream = stream};
        status = c->assign ? evc_memset(&set) : CUDA_SUCCESS;
    }
    for (size_t i = 0; i < graph->count && !status; i++) {
        const struct evc_command *c = &graph->nodes[i]->command;
        if (c->child)
            status = evc_conditions_assign(c->child, stream);
        for (size_t b = 0; b < c->n_bodies && !status; b++)
            status = evc_conditions_assign(c->bodies[b], stream);
    }
    return status;
}

/* Waits for the stream. */
static CUresult read_condition(const struct evc_command *c, CUstream stream, uint32_t *value)
{
    struct evc_copy copy = {.dst = (uintptr_t)value,
                            .src = c->address,
                            .width = sizeof *value,
                            .height = 1,
                            .depth = 1,
                            .stream = stream,
                            .blocking = true};
    if (evc_capturing(stream))
        return evc_explain(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                           "graph: a stream that captures cannot launch a graph with conditional "
                           "nodes; add it as a child graph");
    return evc_copy(&copy);
}

/* Which body runs; n_bodies: none. */
static size_t body_of(const struct evc_command *c, uint32_t value)
{
    if (c->condition == CU_GRAPH_COND_TYPE_SWITCH)
        return value;
    return value ? 0 : c->condition == CU_GRAPH_COND_TYPE_IF ? 1 : c->n_bodies;
}

CUresult evc_condition_run(const struct evc_command *c, CUstream stream)
{
    CUgraphExec exec = NULL;
    uint32_t value = 0;
    CUresult status = read_condition(c, stream, &value);
    size_t body = body_of(c, value);
    if (status || body >= c->n_bodies)
        return status;
    status = evc_exec_create(c->bodies[body], false, &exec);
    while (!status) {
        status = evc_exec_run(exec, stream);
        if (status || c->condition != CU_GRAPH_COND_TYPE_WHILE)
            break;
        status = read_condition(c, stream, &value);
        if (!value)
            break;
    }
    if (exec)
        evc_exec_destroy(exec);
    return status;
}
