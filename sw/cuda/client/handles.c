/* Which graphs, nodes and executable graphs there are. A program may hand in any pointer, also of
 * one that it has destroyed; only what is found here is looked into. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/graph_node.h"

#define BUCKETS 4096u

struct entry {
    const void *handle;
    enum evc_handle kind;
    struct entry *next;
};

static struct {
    pthread_mutex_t lock;
    struct entry *bucket[BUCKETS];
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct entry **bucket_of(const void *handle)
{
    return &known.bucket[((uintptr_t)handle >> 4) % BUCKETS];
}

bool evc_handle_add(const void *handle, enum evc_handle kind)
{
    struct entry *made = malloc(sizeof *made);
    if (!made)
        return false;
    pthread_mutex_lock(&known.lock);
    struct entry **bucket = bucket_of(handle);
    *made = (struct entry){handle, kind, *bucket};
    *bucket = made;
    pthread_mutex_unlock(&known.lock);
    return true;
}

void evc_handle_remove(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    struct entry **at = bucket_of(handle);
    while (*at && (*at)->handle != handle)
        at = &(*at)->next;
    struct entry *found = *at;
    if (found)
        *at = found->next;
    pthread_mutex_unlock(&known.lock);
    free(found);
}

static bool is_known(const void *handle, enum evc_handle kind)
{
    pthread_mutex_lock(&known.lock);
    const struct entry *e = *bucket_of(handle);
    while (e && (e->handle != handle || e->kind != kind))
        e = e->next;
    pthread_mutex_unlock(&known.lock);
    return e != NULL;
}

CUresult evc_check_graph(CUgraph graph)
{
    return is_known(graph, EVC_GRAPH)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no graph, or has been destroyed", (void *)graph);
}

CUresult evc_check_node(CUgraphNode node)
{
    return is_known(node, EVC_NODE)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no node, or has been destroyed", (void *)node);
}

CUresult evc_check_exec(CUgraphExec exec)
{
    return is_known(exec, EVC_EXEC)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no executable graph, or has been destroyed",
                             (void *)exec);
}
