/* What a program has said of its managed memory. Nothing moves for it; programs may ask for it. */
#include <pthread.h>
#include <stdlib.h>

#include "sw/cuda/client/core.h"

#define NOWHERE CU_DEVICE_INVALID

struct advice {
    bool read_mostly, by_device, by_host;
    int preferred, prefetched; /* a device, CU_DEVICE_CPU, or NOWHERE */
};

/* Ranges without advice have none. */
struct range {
    uint64_t begin, end;
    struct advice advice;
    struct range *next;
};

static struct {
    pthread_mutex_t lock;
    struct range *first; /* in the order of their addresses */
} ranges = {.lock = PTHREAD_MUTEX_INITIALIZER};

static const struct advice nothing = {.preferred = NOWHERE, .prefetched = NOWHERE};

static struct range *insert(struct range **at, uint64_t begin, uint64_t end, struct advice advice)
{
    struct range *made = malloc(sizeof *made);
    if (made) {
        *made = (struct range){begin, end, advice, *at};
        *at = made;
    }
    return made;
}

/* The range that begins at `begin` and ends at `end` at the latest: a part of one that is there, or
 * a new one. NULL: out of memory. */
static struct range *range_at(uint64_t begin, uint64_t end)
{
    struct range **at = &ranges.first;
    while (*at && (*at)->end <= begin)
        at = &(*at)->next;
    struct range *r = *at;
    if (!r || r->begin > begin)
        return insert(at, begin, r && r->begin < end ? r->begin : end, nothing);
    if (r->begin < begin) {
        if (!insert(&r->next, begin, r->end, r->advice))
            return NULL;
        r->end = begin;
        r = r->next;
    }
    if (r->end > end) {
        if (!insert(&r->next, end, r->end, r->advice))
            return NULL;
        r->end = end;
    }
    return r;
}

static void apply(struct advice *a, CUmem_advise advice, int device)
{
    bool set = advice == CU_MEM_ADVISE_SET_ACCESSED_BY;
    switch (advice) {
    case CU_MEM_ADVISE_SET_READ_MOSTLY:
    case CU_MEM_ADVISE_UNSET_READ_MOSTLY:
        a->read_mostly = advice == CU_MEM_ADVISE_SET_READ_MOSTLY;
        break;
    case CU_MEM_ADVISE_SET_PREFERRED_LOCATION:
    case CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION:
        a->preferred = advice == CU_MEM_ADVISE_SET_PREFERRED_LOCATION ? device : NOWHERE;
        break;
    case CU_MEM_ADVISE_SET_ACCESSED_BY:
    case CU_MEM_ADVISE_UNSET_ACCESSED_BY:
        if (device == CU_DEVICE_CPU)
            a->by_host = set;
        else
            a->by_device = set;
        break;
    }
}

/* advice: NULL, of a prefetch. */
static CUresult note(uint64_t address, uint64_t bytes, const CUmem_advise *advice, int device)
{
    CUresult status = CUDA_SUCCESS;
    pthread_mutex_lock(&ranges.lock);
    for (uint64_t at = address, end = address + bytes; at < end && !status;) {
        struct range *r = range_at(at, end);
        if (!r) {
            status = CUDA_ERROR_OUT_OF_MEMORY;
        } else {
            if (advice)
                apply(&r->advice, *advice, device);
            else
                r->advice.prefetched = device;
            at = r->end;
        }
    }
    pthread_mutex_unlock(&ranges.lock);
    return status;
}

CUresult evc_advise(uint64_t address, uint64_t bytes, CUmem_advise advice, int device)
{
    return note(address, bytes, &advice, device);
}

CUresult evc_prefetch(uint64_t address, uint64_t bytes, int device)
{
    return note(address, bytes, NULL, device);
}

void evc_advice_forget(uint64_t address, uint64_t bytes)
{
    pthread_mutex_lock(&ranges.lock);
    for (struct range **at = &ranges.first; *at;) {
        struct range *r = *at;
        if (r->begin - address >= bytes) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        free(r);
    }
    pthread_mutex_unlock(&ranges.lock);
}

/* --- questions ----------------------------------------------------------------------------------
 */

static int same(int a, int b)
{
    return a == b ? a : NOWHERE;
}

static struct advice both(struct advice a, struct advice b)
{
    return (struct advice){.read_mostly = a.read_mostly && b.read_mostly,
                           .by_device = a.by_device && b.by_device,
                           .by_host = a.by_host && b.by_host,
                           .preferred = same(a.preferred, b.preferred),
                           .prefetched = same(a.prefetched, b.prefetched)};
}

/* What holds of all bytes. */
static struct advice of_all(uint64_t address, uint64_t bytes)
{
    struct advice all = nothing;
    uint64_t at = address, end = address + bytes;
    pthread_mutex_lock(&ranges.lock);
    for (const struct range *r = ranges.first; r && at < end; r = r->next) {
        if (r->end <= at)
            continue;
        if (r->begin > at)
            break;
        all = at == address ? r->advice : both(all, r->advice);
        at = r->end;
    }
    pthread_mutex_unlock(&ranges.lock);
    return at < end ? nothing : all;
}

CUresult evc_range_attribute(const struct evc_range *range, CUmem_range_attribute attribute,
                             void *data, size_t size)
{
    const struct advice all = of_all(range->address, range->bytes);
    int *out = data;
    size_t n = size / sizeof *out, used = 0;
    if (!data || !n || size % sizeof *out ||
        (n > 1 && attribute != CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY))
        return CUDA_ERROR_INVALID_VALUE;
    switch (attribute) {
    case CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY:
        *out = all.read_mostly;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION:
        *out = all.preferred;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION:
        *out = all.prefetched;
        return CUDA_SUCCESS;
    case CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY:
        if (all.by_device)
            out[used++] = 0;
        if (all.by_host && used < n)
            out[used++] = CU_DEVICE_CPU;
        while (used < n)
            out[used++] = NOWHERE;
        return CUDA_SUCCESS;
    default:
        return CUDA_ERROR_INVALID_VALUE;
    }
}
