#include "sw/cuda/library/handles.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/client/core.h"

static struct {
    pthread_mutex_t lock;
    const void **list;
    size_t count;
} known = {.lock = PTHREAD_MUTEX_INITIALIZER};

bool library_keep(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    const void **list = realloc(known.list, (known.count + 1) * sizeof *list);
    if (list) {
        known.list = list;
        known.list[known.count++] = handle;
    }
    pthread_mutex_unlock(&known.lock);
    return list != NULL;
}

void library_forget(const void *handle)
{
    pthread_mutex_lock(&known.lock);
    for (size_t i = 0; i < known.count; i++) {
        if (known.list[i] == handle)
            known.list[i] = known.list[--known.count];
    }
    pthread_mutex_unlock(&known.lock);
}

bool library_knows(const void *handle)
{
    bool found = false;
    pthread_mutex_lock(&known.lock);
    for (size_t i = 0; i < known.count && !found; i++)
        found = handle && known.list[i] == handle;
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
