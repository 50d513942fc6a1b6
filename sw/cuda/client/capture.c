/* Streams that capture: what each has last put into its graph, and what events stand for. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/graph.h"

/* The nodes that the next one of a stream, or of what waits for an event, comes behind. */
struct front {
    CUstream stream; /* NULL: of `event` */
    CUevent event;
    CUgraph graph;
    uint64_t id; /* of the capture */
    bool origin; /* the stream that began */
    bool given;  /* the graph is the program's */
    CUgraphNode *nodes;
    size_t count;
    struct front *next;
};

static struct {
    pthread_mutex_t lock;
    struct front *fronts;
    uint64_t begun;
    atomic_int streams; /* that capture */
} captures = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct front *find(CUstream stream, CUevent event)
{
    struct front *f = captures.fronts;
    while (f && (f->stream != stream || f->event != event))
        f = f->next;
    return f;
}

static struct front *add_front(CUstream stream, CUevent event, CUgraph graph, uint64_t id)
{
    struct front *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    *f = (struct front){
        .stream = stream, .event = event, .graph = graph, .id = id, .next = captures.fronts};
    captures.fronts = f;
    atomic_fetch_add(&captures.streams, stream != NULL);
    return f;
}

static bool add_node(struct front *f, CUgraphNode node)
{
    for (size_t i = 0; i < f->count; i++) {
        if (f->nodes[i] == node)
            return true;
    }
    CUgraphNode *more = realloc(f->nodes, (f->count + 1) * sizeof *more);
    if (!more)
        return false;
    f->nodes = more;
    f->nodes[f->count++] = node;
    return true;
}

bool evc_capturing(CUstream stream)
{
    if (!atomic_load(&captures.streams))
        return false;
    pthread_mutex_lock(&captures.lock);
    bool found = stream && find(stream, NULL);
    pthread_mutex_unlock(&captures.lock);
    return found;
}

CUstreamCaptureMode evc_capture_mode(CUstreamCaptureMode mode)
{
    static _Thread_local CUstreamCaptureMode current = CU_STREAM_CAPTURE_MODE_GLOBAL;
    CUstreamCaptureMode old = current;
    current = mode;
    return old;
}

bool evc_capture_info(CUstream stream, unsigned long long *id, CUgraph *graph,
                      const CUgraphNode **nodes, size_t *count)
{
    pthread_mutex_lock(&captures.lock);
    const struct front *f = stream ? find(stream, NULL) : NULL;
    if (id)
        *id = f ? f->id : 0;
    if (graph)
        *graph = f ? f->graph : NULL;
    if (nodes)
        *nodes = f ? f->nodes : NULL;
    if (count)
        *count = f ? f->count : 0;
    pthread_mutex_unlock(&captures.lock);
    return f != NULL;
}

CUresult evc_capture_depend(CUstream stream, const CUgraphNode *nodes, size_t count, bool instead)
{
    CUresult status = CUDA_SUCCESS;
    pthread_mutex_lock(&captures.lock);
    struct front *f = stream ? find(stream, NULL) : NULL;
    if (!f)
        status = CUDA_ERROR_ILLEGAL_STATE;
    for (size_t i = 0; !status && i < count; i++) {
        if (!evc_graph_has(f->graph, nodes[i]))
            status = CUDA_ERROR_INVALID_VALUE;
    }
    if (!status && instead)
        f->count = 0;
    for (size_t i = 0; !status && i < count; i++) {
        if (!add_node(f, nodes[i]))
            status = CUDA_ERROR_OUT_OF_MEMORY;
    }
    pthread_mutex_unlock(&captures.lock);
    return status;
}

bool evc_capture_joined(CUstream stream)
{
    pthread_mutex_lock(&captures.lock);
    const struct front *f = stream ? find(stream, NULL) : NULL;
    bool joined = f && !f->origin;
    pthread_mutex_unlock(&captures.lock);
    return joined;
}

static CUresult may_begin(CUstream stream)
{
    if (!stream || stream == CU_STREAM_LEGACY)
        return evc_explain(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
                           "capture: the default stream cannot capture; create a stream");
    CUresult status = evc_stream_info(stream, NULL, NULL);
    if (status)
        return status;
    if (evc_capturing(stream))
        return evc_explain(CUDA_ERROR_ILLEGAL_STATE, "capture: the stream captures already");
    return CUDA_SUCCESS;
}

CUresult evc_capture_begin(CUstream stream)
{
    CUgraph graph = NULL;
    CUresult status = may_begin(stream);
    if (!status)
        status = evc_graph_create(&graph);
    if (status)
        return status;
    pthread_mutex_lock(&captures.lock);
    struct front *f = add_front(stream, NULL, graph, ++captures.begun);
    if (f)
        f->origin = true;
    pthread_mutex_unlock(&captures.lock);
    if (!f)
        evc_graph_destroy(graph);
    return f ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

CUresult evc_capture_into(CUstream stream, CUgraph graph, const CUgraphNode *nodes, size_t count)
{
    CUresult status = may_begin(stream);
    if (!status)
        status = evc_check_graph(graph);
    for (size_t i = 0; i < count && !status; i++)
        status = evc_graph_has(graph, nodes[i]) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
    if (status)
        return status;
    pthread_mutex_lock(&captures.lock);
    struct front *f = add_front(stream, NULL, graph, ++captures.begun);
    if (f)
        f->origin = f->given = true;
    pthread_mutex_unlock(&captures.lock);
    return f ? evc_capture_depend(stream, nodes, count, true) : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Takes all fronts of the graph away. True: what the other streams did comes before the origin's.
 */
static bool end_fronts(CUgraph graph)
{
    struct front *origin = captures.fronts;
    bool whole = true;
    while (origin && (origin->graph != graph || !origin->origin))
        origin = origin->next;
    for (const struct front *f = captures.fronts; f && origin; f = f->next) {
        for (size_t i = 0; f->graph == graph && f->stream && i < f->count; i++)
            whole = whole && evc_graph_precedes(f->nodes[i], origin->nodes, origin->count);
    }
    for (struct front **at = &captures.fronts; *at;) {
        struct front *f = *at;
        if (f->graph != graph) {
            at = &f->next;
            continue;
        }
        *at = f->next;
        atomic_fetch_sub(&captures.streams, f->stream != NULL);
        free(f->nodes);
        free(f);
    }
    return whole;
}

CUresult evc_capture_end(CUstream stream, CUgraph *graph)
{
    if (graph)
        *graph = NULL;
    pthread_mutex_lock(&captures.lock);
    const struct front *f = stream ? find(stream, NULL) : NULL;
    CUresult status = !f                    ? CUDA_ERROR_ILLEGAL_STATE
                      : !f->origin          ? CUDA_ERROR_STREAM_CAPTURE_UNMATCHED
                      : !graph && !f->given ? CUDA_ERROR_INVALID_VALUE
                                            : CUDA_SUCCESS;
    if (!status) {
        CUgraph made = f->graph;
        bool given = f->given, whole = end_fronts(made);
        if (whole && graph)
            *graph = made;
        if (!whole && !given)
            evc_graph_destroy(made);
        status = whole ? CUDA_SUCCESS : CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
    }
    pthread_mutex_unlock(&captures.lock);
    return status;
}

bool evc_capture(CUstream stream, const struct evc_command *command, CUresult *status)
{
    CUgraphNode node;
    if (!atomic_load(&captures.streams))
        return false;
    pthread_mutex_lock(&captures.lock);
    struct front *f = stream ? find(stream, NULL) : NULL;
    if (f) {
        *status = evc_graph_add(f->graph, command, f->nodes, f->count, &node);
        if (!*status) {
            f->count = 0;
            if (!add_node(f, node))
                *status = CUDA_ERROR_OUT_OF_MEMORY;
        }
    }
    pthread_mutex_unlock(&captures.lock);
    return f != NULL;
}

/* It was recorded in a stream that does not capture. */
static void forget_event(CUevent event)
{
    for (struct front **at = &captures.fronts; *at; at = &(*at)->next) {
        struct front *f = *at;
        if (f->event != event || f->stream)
            continue;
        *at = f->next;
        free(f->nodes);
        free(f);
        return;
    }
}

bool evc_capture_record(CUevent event, CUstream stream, CUresult *status)
{
    if (!atomic_load(&captures.streams))
        return false;
    pthread_mutex_lock(&captures.lock);
    const struct front *f = stream ? find(stream, NULL) : NULL;
    if (f) {
        struct front *e = find(NULL, event);
        if (!e)
            e = add_front(NULL, event, f->graph, f->id);
        *status = e ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
        if (e) {
            e->graph = f->graph;
            e->id = f->id;
            e->count = 0;
            for (size_t i = 0; i < f->count; i++)
                add_node(e, f->nodes[i]);
        }
    }
    if (!f)
        forget_event(event);
    pthread_mutex_unlock(&captures.lock);
    return f != NULL;
}

bool evc_captured_event(CUevent event)
{
    if (!atomic_load(&captures.streams))
        return false;
    pthread_mutex_lock(&captures.lock);
    bool found = event && find(NULL, event);
    pthread_mutex_unlock(&captures.lock);
    return found;
}

/* A stream that waits for an event of a capture captures with it. */
bool evc_capture_wait(CUstream stream, CUevent event, CUresult *status)
{
    if (!atomic_load(&captures.streams))
        return false;
    pthread_mutex_lock(&captures.lock);
    const struct front *e = find(NULL, event);
    struct front *f = stream ? find(stream, NULL) : NULL;
    bool captured = e || f;
    *status = CUDA_SUCCESS;
    if (e && !stream) {
        *status = CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
    } else if (f && !e) {
        *status = CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
    } else if (e && f && e->graph != f->graph) {
        *status = CUDA_ERROR_STREAM_CAPTURE_MERGE;
    } else if (e) {
        if (!f)
            f = add_front(stream, NULL, e->graph, e->id);
        if (!f)
            *status = CUDA_ERROR_OUT_OF_MEMORY;
        for (size_t i = 0; f && i < e->count; i++)
            add_node(f, e->nodes[i]);
    }
    pthread_mutex_unlock(&captures.lock);
    return captured;
}
