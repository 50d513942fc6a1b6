/* Allocations. The simulator keeps the books; the client opens pages for the host and remembers the
 * host ranges that were registered. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "sw/cuda/client/core.h"

struct registered {
    uint8_t *host, *first_page;
    uint64_t bytes, page_bytes, address; /* address: of first_page */
    uint32_t flags;
    int access;   /* of the program to its pages, which stays */
    void *forked; /* what a child of a fork gets of its pages, while one is made */
    struct registered *next;
};

static struct {
    pthread_mutex_t lock;
    struct registered *ranges;
    bool watches_forks;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + EVC_PAGE - 1) / EVC_PAGE * EVC_PAGE;
}

/* `used`: of `bytes`, those that were asked for. */
static CUresult alloc(uint64_t bytes, enum wire_memory kind, uint32_t flags, uint64_t used,
                      uint64_t *address)
{
    uint64_t align = kind == WIRE_PINNED || kind == WIRE_MANAGED ? EVC_PAGE : EVC_ALIGN;
    struct evc_call call = {.op = WIRE_ALLOC, .a = {bytes, align, kind, flags, used}};
    CUresult status = evc_call(&call);
    *address = status ? 0 : call.v[0];
    return status;
}

CUresult evc_alloc(uint64_t bytes, enum wire_memory kind, uint32_t flags, uint64_t *address)
{
    return alloc(bytes, kind, flags, bytes, address);
}

CUresult evc_free(uint64_t address, enum wire_memory kind)
{
    struct evc_call call = {.op = WIRE_FREE, .a = {address, kind}};
    return evc_call(&call);
}

static CUresult alloc_exposed(uint64_t bytes, enum wire_memory kind, uint32_t flags,
                              uint64_t *address)
{
    uint64_t room = whole_pages(bytes);
    if (room < bytes)
        return CUDA_ERROR_OUT_OF_MEMORY;
    CUresult status = alloc(room, kind, flags, bytes, address);
    if (!status && !evc_expose(*address, room, true)) {
        evc_free(*address, kind);
        return CUDA_ERROR_OPERATING_SYSTEM;
    }
    return status;
}

static CUresult free_exposed(uint64_t address, enum wire_memory kind)
{
    struct evc_call call = {.op = WIRE_FREE, .a = {address, kind}};
    CUresult status = evc_call(&call);
    if (!status) {
        evc_expose(address, call.v[0], false);
        evc_advice_forget(address, call.v[0]);
    }
    return status;
}

CUresult evc_host_alloc(uint64_t bytes, uint32_t flags, void **host)
{
    uint64_t address = 0;
    *host = NULL;
    if (!bytes)
        return CUDA_SUCCESS;
    CUresult status = alloc_exposed(bytes, WIRE_PINNED, flags, &address);
    *host = (void *)(uintptr_t)address;
    return status;
}

CUresult evc_host_free(void *host)
{
    return host ? free_exposed((uint64_t)(uintptr_t)host, WIRE_PINNED) : CUDA_SUCCESS;
}

CUresult evc_managed_alloc(uint64_t bytes, uint32_t flags, uint64_t *address)
{
    return bytes ? alloc_exposed(bytes, WIRE_MANAGED, flags, address) : CUDA_ERROR_INVALID_VALUE;
}

CUresult evc_managed_free(uint64_t address)
{
    return free_exposed(address, WIRE_MANAGED);
}

/* --- registered host memory ------------------------------------------------------------------- */

static struct registered *find(const void *pointer)
{
    const uint8_t *at = pointer;
    for (struct registered *r = registry.ranges; r; r = r->next) {
        if (at >= r->host && at < r->host + r->bytes)
            return r;
    }
    return NULL;
}

/* Two ranges may share a page: the page is mapped once, by the first. Refused, like a range that is
 * registered already, unless the pages are free. */
static bool overlaps(const uint8_t *first, uint64_t bytes)
{
    for (struct registered *r = registry.ranges; r; r = r->next) {
        if (first < r->first_page + r->page_bytes && r->first_page < first + bytes)
            return true;
    }
    return false;
}

/* A child of a fork has its own copy of all other memory, and would share these pages with its
 * parent, with all that lies in them: parts of the heap, mostly. So it gets copies, as of the fork.
 * Shared stay a stack that is registered, since this code runs on it, and pages for whose copy
 * there is no room. */
static void before_fork(void)
{
    const uint8_t *stack = __builtin_frame_address(0);
    pthread_mutex_lock(&registry.lock);
    for (struct registered *r = registry.ranges; r; r = r->next) {
        bool is_stack =
            stack - r->first_page >= 0 && (uint64_t)(stack - r->first_page) < r->page_bytes;
        r->forked = is_stack ? NULL : evc_copy_pages(r->first_page, r->page_bytes, r->access);
    }
}

static void after_fork_parent(void)
{
    for (struct registered *r = registry.ranges; r; r = r->next)
        evc_drop_pages(r->forked, r->page_bytes);
    pthread_mutex_unlock(&registry.lock);
}

static void after_fork_child(void)
{
    for (struct registered *r = registry.ranges; r; r = r->next)
        evc_place_pages(r->forked, r->first_page, r->page_bytes);
    pthread_mutex_unlock(&registry.lock);
}

static bool may_share(const struct registered *r)
{
    if (r->access & PROT_READ &&
        (r->access & PROT_WRITE || r->flags & CU_MEMHOSTREGISTER_READ_ONLY))
        return true;
    evc_explain(CUDA_ERROR_INVALID_VALUE,
                r->access & PROT_READ
                    ? "cudaHostRegister: %llu bytes at %p are read-only for the program, and need "
                      "cudaHostRegisterReadOnly"
                    : "cudaHostRegister: %llu bytes at %p: all their pages must be readable, and "
                      "have the same access",
                (unsigned long long)r->bytes, (void *)r->host);
    return false;
}

CUresult evc_host_register(void *host, uint64_t bytes, uint32_t flags)
{
    if (!host || !bytes)
        return CUDA_ERROR_INVALID_VALUE;
    uint8_t *at = host;
    uint64_t before = (uintptr_t)at % EVC_PAGE;
    struct registered r = {.host = at,
                           .bytes = bytes,
                           .first_page = at - before,
                           .page_bytes = whole_pages(bytes + before),
                           .flags = flags};
    if (r.page_bytes < bytes || !evc_host_memory("cudaHostRegister", (uintptr_t)at, bytes))
        return CUDA_ERROR_INVALID_VALUE;
    if (evc_is_device_space((uintptr_t)at))
        return evc_explain(CUDA_ERROR_INVALID_VALUE,
                           "cudaHostRegister: %p is memory of the device, or pinned already", host);
    r.access = evc_host_access(r.first_page, r.page_bytes);
    if (!may_share(&r))
        return CUDA_ERROR_INVALID_VALUE;
    /* Before the lock is taken: the program's first call forks. */
    CUresult status = evc_alloc(r.page_bytes, WIRE_PINNED, flags, &r.address);
    if (status)
        return status;
    struct registered *kept = malloc(sizeof *kept);
    pthread_mutex_lock(&registry.lock);
    if (!registry.watches_forks)
        registry.watches_forks = !pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    if (overlaps(r.first_page, r.page_bytes))
        status = CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
    else if (!kept || !evc_map_host(r.first_page, r.address, r.page_bytes, r.access))
        status = evc_explain(CUDA_ERROR_INVALID_VALUE,
                             "cudaHostRegister: %llu bytes at %p cannot be read and shared; all "
                             "their pages must be readable",
                             (unsigned long long)bytes, host);
    if (!status) {
        *kept = r;
        kept->next = registry.ranges;
        registry.ranges = kept;
    }
    pthread_mutex_unlock(&registry.lock);
    if (status) {
        evc_free(r.address, WIRE_PINNED);
        free(kept);
    }
    return status;
}

CUresult evc_host_unregister(void *host)
{
    CUresult status = CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
    pthread_mutex_lock(&registry.lock);
    for (struct registered **at = &registry.ranges; *at; at = &(*at)->next) {
        struct registered *r = *at;
        if (r->host != host)
            continue;
        status = evc_device_sync();
        evc_unmap_host(r->first_page, r->page_bytes, r->access);
        evc_free(r->address, WIRE_PINNED);
        *at = r->next;
        free(r);
        break;
    }
    pthread_mutex_unlock(&registry.lock);
    return status;
}

void evc_host_unregister_all(void)
{
    pthread_mutex_lock(&registry.lock);
    for (struct registered *r = registry.ranges, *next; r; r = next) {
        next = r->next;
        evc_unmap_host(r->first_page, r->page_bytes, r->access);
        free(r);
    }
    registry.ranges = NULL;
    pthread_mutex_unlock(&registry.lock);
}

uint64_t evc_translate(const void *pointer)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    pthread_mutex_lock(&registry.lock);
    const struct registered *r = find(pointer);
    if (r)
        address = r->address + (uint64_t)((const uint8_t *)pointer - r->first_page);
    pthread_mutex_unlock(&registry.lock);
    return address;
}

/* --- what a pointer is ------------------------------------------------------------------------ */

static bool pointer_registered(const void *pointer, struct evc_pointer *info)
{
    pthread_mutex_lock(&registry.lock);
    const struct registered *r = find(pointer);
    if (r)
        *info = (struct evc_pointer){
            .base = r->address + (uint64_t)(r->host - r->first_page),
            .bytes = r->bytes,
            .address = r->address + (uint64_t)((const uint8_t *)pointer - r->first_page),
            .host = (void *)(uintptr_t)pointer,
            .kind = WIRE_PINNED,
            .flags = r->flags};
    pthread_mutex_unlock(&registry.lock);
    return r != NULL;
}

CUresult evc_pointer(const void *pointer, struct evc_pointer *info)
{
    uint64_t address = (uint64_t)(uintptr_t)pointer;
    *info = (struct evc_pointer){.host = (void *)(uintptr_t)pointer};
    if (!evc_device())
        return CUDA_ERROR_DEVICE_UNAVAILABLE;
    if (pointer_registered(pointer, info) || !evc_is_device_space(address))
        return CUDA_SUCCESS;
    struct evc_call call = {.op = WIRE_POINTER, .a = {address}};
    CUresult status = evc_call(&call);
    if (status)
        return status;
    *info = (struct evc_pointer){.base = call.v[0],
                                 .bytes = call.v[1],
                                 .address = address,
                                 .kind = (enum wire_memory)call.v[2],
                                 .flags = (uint32_t)call.v[3]};
    if (info->kind == WIRE_PINNED || info->kind == WIRE_MANAGED)
        info->host = (void *)(uintptr_t)address;
    return CUDA_SUCCESS;
}

CUresult evc_memory_info(uint64_t *available, uint64_t *total)
{
    struct evc_call call = {.op = WIRE_MEMINFO};
    CUresult status = evc_call(&call);
    *available = status ? 0 : call.v[0];
    *total = status ? 0 : call.v[1];
    return status;
}
