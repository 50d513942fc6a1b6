#include "sw/cuda/client/graph_node.h"

#include <stdlib.h>
#include <string.h>

/* In an order that fits. */
struct CUgraphExec_st {
    CUgraph copy;
    size_t *order;
    bool frees;
};

/* --- commands ----------------------------------------------------------------------------------
 */

static CUresult copy_command(struct evc_command *to, const struct evc_command *from)
{
    *to = *from;
    to->arguments = NULL;
    to->child = NULL;
    to->bodies = NULL;
    if (from->arguments) {
        to->arguments = malloc(from->argument_bytes + 1);
        if (!to->arguments)
            return CUDA_ERROR_OUT_OF_MEMORY;
        memcpy(to->arguments, from->arguments, from->argument_bytes);
    }
    if (from->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        evc_graph_memory_node(from->address, true);
    if (from->type == CU_GRAPH_NODE_TYPE_CONDITIONAL)
        return evc_bodies_copy(to, from);
    return from->type == CU_GRAPH_NODE_TYPE_GRAPH ? evc_graph_clone(from->child, &to->child)
                                                  : CUDA_SUCCESS;
}

static void free_command(struct evc_command *command)
{
    free(command->arguments);
    if (command->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
        evc_graph_memory_node(command->address, false);
    if (command->child)
        evc_graph_destroy(command->child);
    evc_bodies_free(command);
}

/* --- graphs ------------------------------------------------------------------------------------
 */

CUresult evc_kernel_command(const CUDA_KERNEL_NODE_PARAMS *p, struct evc_command *command)
{
    if (!p || !p->func || p->extra)
        return CUDA_ERROR_INVALID_VALUE;
    *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_KERNEL,
                                    .launch = {.function = p->func,
                                               .grid = {p->gridDimX, p->gridDimY, p->gridDimZ},
                                               .block = {p->blockDimX, p->blockDimY, p->blockDimZ},
                                               .shared = p->sharedMemBytes},
                                    .argument_bytes = p->func->info.param_bytes};
    return evc_launch_pack(p->func, p->kernelParams, &command->arguments);
}

CUresult evc_set_command(const CUDA_MEMSET_NODE_PARAMS *p, struct evc_command *command)
{
    if (!p || (p->elementSize != 1 && p->elementSize != 2 && p->elementSize != 4))
        return CUDA_ERROR_INVALID_VALUE;
    *command = (struct evc_command){.type = CU_GRAPH_NODE_TYPE_MEMSET,
                                    .set = {.dst = p->dst,
                                            .pitch = p->height > 1 ? p->pitch : 0,
                                            .width = p->width,
                                            .height = p->height,
                                            .depth = 1,
                                            .value = p->value,
                                            .element = p->elementSize}};
    return CUDA_SUCCESS;
}

CUresult evc_host_command(CUhostFn function, void *user, struct evc_command *command)
{
    *command =
        (struct evc_command){.type = CU_GRAPH_NODE_TYPE_HOST, .function = function, .user = user};
    return function ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

CUresult evc_graph_create(CUgraph *graph)
{
    *graph = calloc(1, sizeof **graph);
    if (*graph && evc_handle_add(*graph, EVC_GRAPH))
        return CUDA_SUCCESS;
    free(*graph);
    *graph = NULL;
    return CUDA_ERROR_OUT_OF_MEMORY;
}

void evc_node_empty(CUgraphNode node)
{
    evc_handle_remove(node);
    for (size_t b = 0; b < node->n_before; b++)
        evc_edge_remove(node->before[b], node);
    node->n_before = 0;
    free_command(&node->command);
    free(node->pointers);
    free(node->before);
}

CUresult evc_graph_destroy(CUgraph graph)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(graph);
    evc_handle_remove(graph);
    for (size_t i = 0; i < graph->count; i++) {
        evc_node_empty(graph->nodes[i]);
        free(graph->nodes[i]);
    }
    free(graph->nodes);
    evc_conditions_leave(graph);
    free(graph);
    return CUDA_SUCCESS;
}

CUresult evc_graph_order(CUgraphNode from, CUgraphNode to)
{
    if (evc_check_node(from) || evc_check_node(to) || from->graph != to->graph || from == to)
        return CUDA_ERROR_INVALID_VALUE;
    if (evc_edge_known(from, to))
        return evc_explain(CUDA_ERROR_INVALID_VALUE, "graph: there is such a dependency already");
    CUgraphNode *more = realloc(to->before, (to->n_before + 1) * sizeof *more);
    if (more)
        to->before = more;
    if (!more || !evc_edge_add(from, to))
        return CUDA_ERROR_OUT_OF_MEMORY;
    to->before[to->n_before++] = from;
    return CUDA_SUCCESS;
}

static _Atomic uint64_t nodes_made;

CUresult evc_graph_add(CUgraph graph, const struct evc_command *command, const CUgraphNode *before,
                       size_t n_before, CUgraphNode *node)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphNode made = calloc(1, sizeof *made);
    CUgraphNode *more = realloc(graph->nodes, (graph->count + 1) * sizeof *more);
    if (more)
        graph->nodes = more;
    bool room = made && more && evc_handle_add(made, EVC_NODE);
    CUresult status = room ? copy_command(&made->command, command) : CUDA_ERROR_OUT_OF_MEMORY;
    if (status) {
        evc_handle_remove(made);
        free(made);
        return status;
    }
    made->graph = graph;
    made->id = ++nodes_made;
    made->origin = EVC_NO_ORIGIN;
    made->number = graph->count;
    graph->nodes[graph->count++] = made;
    for (size_t i = 0; i < n_before && !status; i++)
        status = evc_graph_order(before[i], made);
    if (status)
        evc_node_destroy(made);
    else if (node)
        *node = made;
    return status;
}

CUresult evc_graph_set(CUgraphNode node, const struct evc_command *command)
{
    struct evc_command copy;
    if (evc_check_node(node) || command->type != node->command.type)
        return CUDA_ERROR_INVALID_VALUE;
    CUresult status = copy_command(&copy, command);
    if (status)
        return status;
    free_command(&node->command);
    free(node->pointers);
    node->pointers = NULL;
    node->command = copy;
    return CUDA_SUCCESS;
}

CUresult evc_graph_clone(CUgraph graph, CUgraph *clone)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(graph);
    CUresult status = evc_graph_create(clone);
    for (size_t i = 0; i < graph->count && !status; i++) {
        CUgraphNode node = NULL;
        status = evc_graph_add(*clone, &graph->nodes[i]->command, NULL, 0, &node);
        if (node)
            node->origin = graph->nodes[i]->id;
    }
    for (size_t i = 0; i < graph->count && !status; i++) {
        const struct CUgraphNode_st *node = graph->nodes[i];
        for (size_t b = 0; b < node->n_before && !status; b++)
            status = evc_graph_order((*clone)->nodes[node->before[b]->number], (*clone)->nodes[i]);
    }
    for (size_t i = 0; i < graph->n_conditions && !status; i++) {
        if (!evc_condition_share(*clone, graph->conditions[i]))
            status = CUDA_ERROR_OUT_OF_MEMORY;
    }
    if (status && *clone) {
        evc_graph_destroy(*clone);
        *clone = NULL;
    }
    return status;
}

CUresult evc_graph_nodes(CUgraph graph, bool roots, CUgraphNode *nodes, size_t *count)
{
    size_t there = 0;
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(graph);
    for (size_t i = 0; i < graph->count; i++) {
        if (roots && graph->nodes[i]->n_before)
            continue;
        if (nodes && there < *count)
            nodes[there] = graph->nodes[i];
        there++;
    }
    *count = there;
    return CUDA_SUCCESS;
}

CUresult evc_graph_edges(CUgraph graph, CUgraphNode *from, CUgraphNode *to, size_t *count)
{
    size_t there = 0;
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    evc_graph_settle(graph);
    for (size_t i = 0; i < graph->count; i++) {
        for (size_t b = 0; b < graph->nodes[i]->n_before; b++, there++) {
            if (from && to && there < *count) {
                from[there] = graph->nodes[i]->before[b];
                to[there] = graph->nodes[i];
            }
        }
    }
    *count = there;
    return CUDA_SUCCESS;
}

/* What is still to be looked at, each node once; a chain may be as long as memory allows. */
struct search {
    CUgraphNode *left;
    size_t count;
    bool *seen;
};

static void look_at(struct search *s, CUgraphNode node)
{
    if (s->seen[node->number])
        return;
    s->seen[node->number] = true;
    s->left[s->count++] = node;
}

bool evc_graph_precedes(CUgraphNode node, const CUgraphNode *ends, size_t count)
{
    if (evc_check_node(node))
        return false;
    evc_graph_settle(node->graph);
    size_t nodes = node->graph->count;
    struct search s = {.left = calloc(nodes, sizeof *s.left),
                       .seen = calloc(nodes, sizeof *s.seen)};
    bool found = false;
    for (size_t i = 0; i < count && s.left && s.seen; i++) {
        if (!evc_check_node(ends[i]))
            look_at(&s, ends[i]);
    }
    while (s.count && !found) {
        CUgraphNode from = s.left[--s.count];
        found = from == node;
        for (size_t b = 0; b < from->n_before; b++)
            look_at(&s, from->before[b]);
    }
    free(s.left);
    free(s.seen);
    return found;
}

bool evc_graph_has(CUgraph graph, CUgraphNode node)
{
    return node && !evc_check_node(node) && node->graph == graph;
}

CUresult evc_node_type(CUgraphNode node, CUgraphNodeType *type)
{
    CUresult status = evc_check_node(node);
    if (!status)
        *type = node->command.type;
    return status;
}

/* --- execution ---------------------------------------------------------------------------------
 */

/* The nodes behind each one: those of node i are next[first[i]] up to next[first[i + 1] - 1]. */
struct behind {
    size_t *first, *next;
};

static bool find_behind(CUgraph graph, struct behind *b)
{
    size_t edges = 0;
    for (size_t i = 0; i < graph->count; i++)
        edges += graph->nodes[i]->n_before;
    b->first = calloc(graph->count + 2, sizeof *b->first);
    b->next = calloc(edges + 1, sizeof *b->next);
    if (!b->first || !b->next)
        return false;
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->n_before; k++)
            b->first[graph->nodes[i]->before[k]->number + 2]++;
    for (size_t i = 2; i <= graph->count; i++)
        b->first[i] += b->first[i - 1];
    for (size_t i = 0; i < graph->count; i++)
        for (size_t k = 0; k < graph->nodes[i]->n_before; k++)
            b->next[b->first[graph->nodes[i]->before[k]->number + 1]++] = i;
    return true;
}

/* In which walk over all nodes, in the order in which they were added, each one's turn comes: a
 * node can have it in the walk of one that was added before it. Returns how many have a turn. */
static size_t find_walks(CUgraph graph, const struct behind *b, size_t *walk, size_t *left,
                         size_t *ready)
{
    size_t n = 0;
    for (size_t i = 0; i < graph->count; i++) {
        left[i] = graph->nodes[i]->n_before;
        if (!left[i])
            ready[n++] = i;
    }
    for (size_t at = 0; at < n; at++) {
        size_t from = ready[at];
        for (size_t k = b->first[from]; k < b->first[from + 1]; k++) {
            size_t to = b->next[k], its = walk[from] + (to < from);
            if (walk[to] < its)
                walk[to] = its;
            if (!--left[to])
                ready[n++] = to;
        }
    }
    return n;
}

/* Each node behind all that come before it, otherwise as they were added; false: in a circle. */
static bool sort(CUgraph graph, size_t *order)
{
    struct behind b = {0};
    size_t room = graph->count + 2, n = 0;
    size_t *walk = calloc(room, sizeof *walk), *left = calloc(room, sizeof *left);
    if (walk && left && find_behind(graph, &b))
        n = find_walks(graph, &b, walk, left, order);
    if (n == graph->count && walk && left) {
        memset(left, 0, room * sizeof *left);
        for (size_t i = 0; i < n; i++)
            left[walk[i] + 1]++;
        for (size_t w = 1; w < n; w++)
            left[w] += left[w - 1];
        for (size_t i = 0; i < n; i++)
            order[left[walk[i]]++] = i;
    }
    free(b.first);
    free(b.next);
    free(walk);
    free(left);
    return n == graph->count;
}

static void free_exec(CUgraphExec exec)
{
    evc_handle_remove(exec);
    if (exec->copy)
        evc_graph_destroy(exec->copy);
    free(exec->order);
    free(exec);
}

CUresult evc_exec_destroy(CUgraphExec exec)
{
    CUresult status = evc_check_exec(exec);
    if (!status)
        free_exec(exec);
    return status;
}

CUresult evc_exec_create(CUgraph graph, bool frees, CUgraphExec *exec)
{
    if (evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraphExec made = calloc(1, sizeof *made);
    if (!made)
        return CUDA_ERROR_OUT_OF_MEMORY;
    made->frees = frees;
    made->order = calloc(graph->count + 1, sizeof *made->order);
    CUresult status = made->order ? evc_graph_clone(graph, &made->copy) : CUDA_ERROR_OUT_OF_MEMORY;
    if (!status && !sort(graph, made->order))
        status = evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: its nodes wait for each other in a circle");
    if (!status && !evc_handle_add(made, EVC_EXEC))
        status = CUDA_ERROR_OUT_OF_MEMORY;
    if (status) {
        free_exec(made);
        return status;
    }
    *exec = made;
    return CUDA_SUCCESS;
}

CUresult evc_exec_set(CUgraphExec exec, CUgraphNode node, const struct evc_command *command)
{
    CUgraphNode copy = NULL;
    if (evc_check_exec(exec) || evc_node_in_clone(node, exec->copy, &copy))
        return CUDA_ERROR_INVALID_VALUE;
    return evc_graph_set(copy, command);
}

static bool same_place(const struct CUgraphNode_st *a, const struct CUgraphNode_st *b)
{
    bool same = a->n_before == b->n_before;
    for (size_t i = 0; same && i < a->n_before; i++)
        same = a->before[i]->number == b->before[i]->number;
    return same;
}

CUresult evc_exec_update(CUgraphExec exec, CUgraph graph, CUgraphNode *node, bool *type)
{
    *node = NULL;
    *type = false;
    if (evc_check_exec(exec) || evc_check_graph(graph))
        return CUDA_ERROR_INVALID_VALUE;
    CUgraph copy = exec->copy;
    evc_graph_settle(graph);
    if (graph->count != copy->count)
        return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
    for (size_t i = 0; i < copy->count; i++) {
        *type = graph->nodes[i]->command.type != copy->nodes[i]->command.type;
        if (*type || !same_place(graph->nodes[i], copy->nodes[i])) {
            *node = graph->nodes[i];
            return CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE;
        }
    }
    CUresult status = CUDA_SUCCESS;
    for (size_t i = 0; i < copy->count && !status; i++) {
        status = evc_graph_set(copy->nodes[i], &graph->nodes[i]->command);
        copy->nodes[i]->origin = graph->nodes[i]->id;
    }
    return status;
}

static CUresult send(const struct evc_command *command, CUstream stream)
{
    struct evc_command c = *command;
    c.launch.stream = c.copy.stream = c.set.stream = stream;
    c.copy.blocking = c.set.blocking = false;
    switch (c.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL:
        return evc_launch_buffer(&c.launch, c.arguments, c.argument_bytes);
    case CU_GRAPH_NODE_TYPE_MEMCPY:
        return evc_copy(&c.copy);
    case CU_GRAPH_NODE_TYPE_MEMSET:
        return evc_memset(&c.set);
    case CU_GRAPH_NODE_TYPE_HOST:
        return evc_host_function(stream, c.function, c.callback, c.user);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
        return evc_event_record(c.event, stream);
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
        return evc_stream_wait(stream, c.event);
    case CU_GRAPH_NODE_TYPE_BATCH_MEM_OP:
        return evc_batch(&c, stream);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
        return evc_condition_run(&c, stream);
    case CU_GRAPH_NODE_TYPE_GRAPH: {
        CUgraphExec exec = NULL;
        CUresult status = evc_exec_create(c.child, false, &exec);
        if (!status) {
            status = evc_exec_run(exec, stream);
            evc_exec_destroy(exec);
        }
        return status;
    }
    case CU_GRAPH_NODE_TYPE_MEM_ALLOC:
        evc_graph_memory_use(c.address);
        return CUDA_SUCCESS;
    case CU_GRAPH_NODE_TYPE_MEM_FREE: {
        CUresult status = CUDA_SUCCESS;
        return evc_graph_memory_free(c.address, &status) ? status
                                                         : evc_free(c.address, WIRE_DEVICE);
    }
    default:
        return CUDA_SUCCESS;
    }
}

/* What its last launch has allocated is free again, or will be. */
static CUresult check_memory(CUgraphExec exec)
{
    for (size_t i = 0; i < exec->copy->count && !exec->frees; i++) {
        const struct evc_command *c = &exec->copy->nodes[i]->command;
        if (c->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC && evc_graph_memory_used(c->address))
            return evc_explain(CUDA_ERROR_INVALID_VALUE,
                               "graph: what its last launch has allocated is not freed");
    }
    return CUDA_SUCCESS;
}

CUresult evc_exec_run(CUgraphExec exec, CUstream stream)
{
    CUresult status = check_memory(exec);
    for (size_t i = 0; i < exec->copy->count && !status; i++)
        status = send(&exec->copy->nodes[exec->order[i]]->command, stream);
    return status;
}

CUresult evc_exec_launch(CUgraphExec exec, CUstream stream)
{
    CUresult status = evc_check_exec(exec);
    if (!status)
        status = evc_conditions_assign(exec->copy, stream);
    return status ? status : evc_exec_run(exec, stream);
}
