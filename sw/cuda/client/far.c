/* Which addresses of memory by handle this process has mapped. A child of a fork has the same
 * windows, and the same list. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/channel.h"

struct range {
    uint64_t address, bytes;
};

static struct {
    pthread_mutex_t lock;
    struct range *list;
    size_t count, capacity;
} far = {.lock = PTHREAD_MUTEX_INITIALIZER};

static bool add(uint64_t address, uint64_t bytes)
{
    if (far.count == far.capacity) {
        size_t capacity = 2 * far.capacity + 8;
        struct range *more = realloc(far.list, capacity * sizeof *more);
        if (!more)
            return false;
        far.list = more;
        far.capacity = capacity;
    }
    far.list[far.count++] = (struct range){address, bytes};
    return true;
}

bool evc_map_far(uint64_t address, uint64_t bytes, uint64_t offset)
{
    if (!evc_open_window(address, bytes, offset))
        return false;
    pthread_mutex_lock(&far.lock);
    bool added = add(address, bytes);
    pthread_mutex_unlock(&far.lock);
    if (!added)
        evc_close_window(address, bytes);
    return added;
}

void evc_unmap_far(uint64_t address, uint64_t bytes)
{
    pthread_mutex_lock(&far.lock);
    for (size_t i = 0; i < far.count;) {
        if (far.list[i].address - address < bytes)
            far.list[i] = far.list[--far.count];
        else
            i++;
    }
    pthread_mutex_unlock(&far.lock);
    evc_close_window(address, bytes);
}

/* The mapping that `address` is in ends so many bytes after it; 0: it is in none. */
static uint64_t mapped_from(uint64_t address)
{
    for (size_t i = 0; i < far.count; i++) {
        uint64_t offset = address - far.list[i].address;
        if (offset < far.list[i].bytes)
            return far.list[i].bytes - offset;
    }
    return 0;
}

bool evc_far_is_mapped(uint64_t address, uint64_t bytes)
{
    uint64_t some = 1;
    pthread_mutex_lock(&far.lock);
    for (uint64_t at = 0; at < bytes && some; at += some)
        some = mapped_from(address + at);
    pthread_mutex_unlock(&far.lock);
    return some != 0;
}
