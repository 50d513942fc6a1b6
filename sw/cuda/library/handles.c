#include "sw/cuda/library/handles.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"

#define FIRST_PLACES 64u

/* A table with open addresses: a program may have as many descriptions as matrices. */
static struct {
    pthread_mutex_t lock;
    const void **place; /* NULL: free */
    size_t places;      /* a power of two, or 0 */
    size_t count;       /* at most half of them */
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Where the handle is, or the free place where it belongs. */
static size_t find(const void *const *place, size_t places, const void *handle)
{
    size_t at = (size_t)((uint64_t)(uintptr_t)handle * 0x9E3779B97F4A7C15u >> 32) & (places - 1);
    while (place[at] && place[at] != handle)
        at = (at + 1) & (places - 1);
    return at;
}

static bool has_room(void)
{
    if (2 * (known.count + 1) <= known.places)
        return true;
    size_t places = known.places ? 2 * known.places : FIRST_PLACES;
    const void **place = calloc(places, sizeof *place);
    if (!place)
        return false;
    for (size_t i = 0; i < known.places; i++) {
        if (known.place[i])
            place[find(place, places, known.place[i])] = known.place[i];
    }
    free(known.place);
    known.place = place;
    known.places = places;
    return true;
}

bool library_keep(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    bool room = has_room();
    if (room) {
        known.place[find(known.place, known.places, handle)] = handle;
        known.count++;
    }
    pthread_mutex_unlock(&known.lock);
    return room;
}

static bool is_there(const void *handle)
{
    return handle && known.count && known.place[find(known.place, known.places, handle)];
}

void library_forget(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    if (is_there(handle)) {
        size_t at = find(known.place, known.places, handle);
        known.place[at] = NULL;
        known.count--;
        /* Those behind it belong nearer now. */
        for (at = (at + 1) & (known.places - 1); known.place[at];
             at = (at + 1) & (known.places - 1)) {
            const void *other = known.place[at];
            known.place[at] = NULL;
            known.place[find(known.place, known.places, other)] = other;
        }
    }
    pthread_mutex_unlock(&known.lock);
}

bool library_knows(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    bool found = is_there(handle);
    pthread_mutex_unlock(&known.lock);
    return found;
}

void library_refuse(const char *call, const char *status, const char *needs)
{
    if (strncmp(status, "CU", 2) != 0 || strstr(status, "_SUCCESS"))
        return;
    if (strstr(status, "_NOT_INITIALIZED"))
        evc_explain(CUDA_ERROR_INVALID_VALUE, "%s: %s: the handle does not exist, or no longer",
                    status, call);
    else
        evc_explain(CUDA_ERROR_INVALID_VALUE, "%s: %s needs %s", status, call, needs);
    evc_told(); /* not the reason of a later call's failure */
}
