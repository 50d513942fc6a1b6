/* Which graphs, nodes, edges and executable graphs there are. A program may hand in any pointer,
 * also of one that it has destroyed; only what is found here is looked into. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/graph_node.h"

#define FIRST_BUCKETS 4096u

struct entry {
    const void *handle, *from; /* from: of an edge, which leads to `handle` */
    enum evc_handle kind;
    struct entry *next;
};

static struct entry *first_buckets[FIRST_BUCKETS];
static struct {
    pthread_mutex_t lock;
    struct entry **bucket;
    size_t buckets, count;
} known = {PTHREAD_MUTEX_INITIALIZER, first_buckets, FIRST_BUCKETS, 0};

static struct entry **bucket_of(const void *handle, const void *from)
{
    uintptr_t hash = ((uintptr_t)handle >> 4) + ((uintptr_t)from >> 4) * 0x9e3779b1u;
    return &known.bucket[hash % known.buckets];
}

/* Without memory for it the lists become longer. */
static void grow(void)
{
    struct entry **old = known.bucket, **more = calloc(2 * known.buckets, sizeof *more);
    size_t n = known.buckets;
    if (!more)
        return;
    known.bucket = more;
    known.buckets = 2 * n;
    for (size_t i = 0; i < n; i++) {
        for (struct entry *e = old[i], *next; e; e = next) {
            struct entry **bucket = bucket_of(e->handle, e->from);
            next = e->next;
            e->next = *bucket;
            *bucket = e;
        }
    }
    if (old != first_buckets)
        free(old);
}

static bool add(const void *handle, const void *from, enum evc_handle kind)
{
    struct entry *made = malloc(sizeof *made);
    if (!made)
        return false;
    pthread_mutex_lock(&known.lock);
    if (known.count++ == 2 * known.buckets)
        grow();
    struct entry **bucket = bucket_of(handle, from);
    *made = (struct entry){handle, from, kind, *bucket};
    *bucket = made;
    pthread_mutex_unlock(&known.lock);
    return true;
}

static bool drop(const void *handle, const void *from)
{
    pthread_mutex_lock(&known.lock);
    struct entry **at = bucket_of(handle, from);
    while (*at && ((*at)->handle != handle || (*at)->from != from))
        at = &(*at)->next;
    struct entry *found = *at;
    if (found) {
        *at = found->next;
        known.count--;
    }
    pthread_mutex_unlock(&known.lock);
    free(found);
    return found != NULL;
}

static bool is_known(const void *handle, const void *from, enum evc_handle kind)
{
    pthread_mutex_lock(&known.lock);
    const struct entry *e = *bucket_of(handle, from);
    while (e && (e->handle != handle || e->from != from || e->kind != kind))
        e = e->next;
    pthread_mutex_unlock(&known.lock);
    return e != NULL;
}

bool evc_handle_add(const void *handle, enum evc_handle kind)
{
    return add(handle, NULL, kind);
}

void evc_handle_remove(const void *handle)
{
    drop(handle, NULL);
}

bool evc_edge_add(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to)
{
    return add(to, from, EVC_EDGE);
}

bool evc_edge_remove(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to)
{
    return drop(to, from);
}

bool evc_edge_known(const struct CUgraphNode_st *from, const struct CUgraphNode_st *to)
{
    return is_known(to, from, EVC_EDGE);
}

CUresult evc_check_graph(CUgraph graph)
{
    return is_known(graph, NULL, EVC_GRAPH)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no graph, or has been destroyed", (void *)graph);
}

CUresult evc_check_node(CUgraphNode node)
{
    return is_known(node, NULL, EVC_NODE)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no node, or has been destroyed", (void *)node);
}

CUresult evc_check_exec(CUgraphExec exec)
{
    return is_known(exec, NULL, EVC_EXEC)
               ? CUDA_SUCCESS
               : evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "graph: %p is no executable graph, or has been destroyed",
                             (void *)exec);
}
