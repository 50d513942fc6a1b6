/* Memory that nodes of graphs allocate. Its address is fixed when the node is made, and the memory
 * is the graphs' from then on: an allocating node only says that it is in use, a freeing node that
 * it is not. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/graph.h"

struct memory {
    uint64_t address, bytes;
    size_t nodes; /* allocating ones, copies included */
    bool used;    /* by a launch, and not freed since */
    struct memory *next;
};

static struct {
    pthread_mutex_t lock;
    struct memory *list;
    struct evc_graph_bytes bytes;
} memories = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct memory *find(uint64_t address)
{
    struct memory *m = memories.list;
    while (m && m->address != address)
        m = m->next;
    return m;
}

static void count(struct memory *m, bool used)
{
    struct evc_graph_bytes *b = &memories.bytes;
    b->used += used && !m->used ? m->bytes : 0;
    b->used -= !used && m->used ? m->bytes : 0;
    m->used = used;
    b->most_used = b->used > b->most_used ? b->used : b->most_used;
}

/* With the lock held: gives back what no node and no program has any more. */
static CUresult settle(struct memory *gone)
{
    if (gone->nodes || gone->used)
        return CUDA_SUCCESS;
    for (struct memory **m = &memories.list; *m; m = &(*m)->next) {
        if (*m == gone) {
            *m = gone->next;
            break;
        }
    }
    memories.bytes.reserved -= gone->bytes;
    CUresult status = evc_free(gone->address, WIRE_DEVICE);
    free(gone);
    return status;
}

CUresult evc_graph_memory_make(uint64_t bytes, uint64_t *address)
{
    struct memory *m = calloc(1, sizeof *m);
    CUresult status = m ? evc_alloc(bytes, WIRE_DEVICE, 0, address) : CUDA_ERROR_OUT_OF_MEMORY;
    if (status) {
        free(m);
        return status;
    }
    pthread_mutex_lock(&memories.lock);
    *m = (struct memory){.address = *address, .bytes = bytes, .next = memories.list};
    memories.list = m;
    struct evc_graph_bytes *b = &memories.bytes;
    b->reserved += bytes;
    b->most_reserved = b->reserved > b->most_reserved ? b->reserved : b->most_reserved;
    pthread_mutex_unlock(&memories.lock);
    return CUDA_SUCCESS;
}

void evc_graph_memory_node(uint64_t address, bool made)
{
    pthread_mutex_lock(&memories.lock);
    struct memory *m = find(address);
    if (m && made)
        m->nodes++;
    if (m && !made) {
        m->nodes--;
        settle(m);
    }
    pthread_mutex_unlock(&memories.lock);
}

void evc_graph_memory_drop(uint64_t address)
{
    pthread_mutex_lock(&memories.lock);
    struct memory *m = find(address);
    if (m)
        settle(m);
    pthread_mutex_unlock(&memories.lock);
}

bool evc_graph_memory_used(uint64_t address)
{
    pthread_mutex_lock(&memories.lock);
    const struct memory *m = find(address);
    bool used = m && m->used;
    pthread_mutex_unlock(&memories.lock);
    return used;
}

void evc_graph_memory_use(uint64_t address)
{
    pthread_mutex_lock(&memories.lock);
    struct memory *m = find(address);
    if (m)
        count(m, true);
    pthread_mutex_unlock(&memories.lock);
}

bool evc_graph_memory_free(uint64_t address, CUresult *status)
{
    pthread_mutex_lock(&memories.lock);
    struct memory *m = find(address);
    if (m) {
        *status = m->used ? CUDA_SUCCESS
                          : evc_explain(CUDA_ERROR_INVALID_VALUE,
                                        "memory of a graph is freed that no launch has allocated");
        if (!*status) {
            count(m, false);
            *status = settle(m);
        }
    }
    pthread_mutex_unlock(&memories.lock);
    return m != NULL;
}

struct evc_graph_bytes evc_graph_memory_bytes(void)
{
    pthread_mutex_lock(&memories.lock);
    struct evc_graph_bytes bytes = memories.bytes;
    pthread_mutex_unlock(&memories.lock);
    return bytes;
}

void evc_graph_memory_reset(bool used, bool reserved)
{
    pthread_mutex_lock(&memories.lock);
    struct evc_graph_bytes *b = &memories.bytes;
    b->most_used = used ? b->used : b->most_used;
    b->most_reserved = reserved ? b->reserved : b->most_reserved;
    pthread_mutex_unlock(&memories.lock);
}
