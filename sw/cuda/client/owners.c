/* Contexts in which memory was allocated. All contexts share the memory, but a program may ask. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/core.h"

#define BUCKETS 1024u

struct owner {
    uint64_t address;
    CUcontext context;
    struct owner *next;
};

static struct {
    pthread_mutex_t lock;
    struct owner *bucket[BUCKETS];
} owners = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* With the lock held: where the note of this address is, or where one would be added. */
static struct owner **place(uint64_t address)
{
    struct owner **at = &owners.bucket[address / 256 % BUCKETS];
    while (*at && (*at)->address != address)
        at = &(*at)->next;
    return at;
}

void evc_owner_set(uint64_t address, CUcontext context)
{
    pthread_mutex_lock(&owners.lock);
    struct owner **at = place(address);
    if (!*at && (*at = calloc(1, sizeof **at)))
        (*at)->address = address;
    if (*at)
        (*at)->context = context;
    pthread_mutex_unlock(&owners.lock);
}

CUcontext evc_owner_of(uint64_t address)
{
    pthread_mutex_lock(&owners.lock);
    const struct owner *found = *place(address);
    CUcontext context = found ? found->context : NULL;
    pthread_mutex_unlock(&owners.lock);
    return context;
}

void evc_owner_forget(uint64_t address)
{
    pthread_mutex_lock(&owners.lock);
    struct owner **at = place(address), *gone = *at;
    if (gone)
        *at = gone->next;
    pthread_mutex_unlock(&owners.lock);
    free(gone);
}
