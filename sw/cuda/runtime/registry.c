/* What compiled programs register before main: fat binaries, and functions, variables and textures
 * by the addresses of their host-side shadows. Nothing is loaded until it is used. */
#include <ctype.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sw/cuda/runtime/state.h"

struct binary {
    const void *image;
    CUmodule module; /* NULL: not loaded */
    CUresult status; /* why it cannot be */
    bool failed;
    struct binary *next;
};

struct entry {
    struct binary *binary;
    const void *host;
    char *name;
    void **managed; /* where the program keeps the pointer to a managed variable, or NULL */
    size_t bytes;
    CUfunction function;
    struct entry *next;
};

/* A managed variable that is about to be registered, by our nvcc's shadow of it. */
struct managed {
    const void *shadow;
    void **pointer;
    struct managed *next;
};

#define BUCKETS 1024u

static struct {
    pthread_mutex_t lock;
    struct binary *binaries;
    struct entry *functions[BUCKETS], *variables[BUCKETS];
    struct rt_texture *textures;
    struct managed *managed;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static unsigned int bucket(const void *host)
{
    return (unsigned int)(((uintptr_t)host >> 3) * 2654435761u >> 8) % BUCKETS;
}

void **__cudaRegisterFatBinary(void *fatbin)
{
    struct binary *binary = calloc(1, sizeof *binary);
    if (!binary)
        return NULL;
    binary->image = fatbin;
    pthread_mutex_lock(&registry.lock);
    binary->next = registry.binaries;
    registry.binaries = binary;
    pthread_mutex_unlock(&registry.lock);
    return (void **)(void *)binary;
}

static void load_managed(struct binary *binary);

void __cudaRegisterFatBinaryEnd(void **handle)
{
    bool managed = false;
    for (unsigned int i = 0; i < BUCKETS && !managed; i++) {
        for (struct entry *e = registry.variables[i]; e; e = e->next)
            managed = managed || (e->managed && e->binary == (struct binary *)(void *)handle);
    }
    if (managed) /* the host may use them before its first call */
        load_managed((struct binary *)(void *)handle);
}

/* At the end of the process; the simulator gives everything back by itself. */
void __cudaUnregisterFatBinary(void **handle)
{
    (void)handle;
}

static struct entry *add(struct entry **table, void **handle, const void *host, const char *name)
{
    struct entry *e = calloc(1, sizeof *e);
    if (!e)
        return NULL;
    e->binary = (struct binary *)(void *)handle;
    e->host = host;
    e->name = strdup(name);
    pthread_mutex_lock(&registry.lock);
    e->next = table[bucket(host)];
    table[bucket(host)] = e;
    pthread_mutex_unlock(&registry.lock);
    return e;
}

void __cudaRegisterFunction(void **handle, const char *hostFun, char *deviceFun,
                            const char *deviceName, int thread_limit, void *tid, void *bid,
                            void *bDim, void *gDim, int *wSize)
{
    (void)deviceFun, (void)thread_limit, (void)tid, (void)bid, (void)bDim, (void)gDim, (void)wSize;
    add(registry.functions, handle, hostFun, deviceName);
}

void __evgpuManagedVariable(const void *shadow, void **pointer)
{
    struct managed *m = malloc(sizeof *m);
    if (!m)
        return;
    pthread_mutex_lock(&registry.lock);
    *m = (struct managed){shadow, pointer, registry.managed};
    registry.managed = m;
    pthread_mutex_unlock(&registry.lock);
}

static void **pointer_of(const void *shadow)
{
    pthread_mutex_lock(&registry.lock);
    struct managed *m = registry.managed;
    while (m && m->shadow != shadow)
        m = m->next;
    pthread_mutex_unlock(&registry.lock);
    return m ? m->pointer : NULL;
}

void __cudaRegisterVar(void **handle, char *hostVar, char *deviceAddress, const char *deviceName,
                       int ext, size_t size, int constant, int global)
{
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    struct entry *e = add(registry.variables, handle, hostVar, deviceName);
    if (!e)
        return;
    e->bytes = size;
    e->managed = pointer_of(hostVar);
}

void __cudaRegisterManagedVar(void **handle, void **hostVarPtrAddress, char *deviceAddress,
                              const char *deviceName, int ext, size_t size, int constant,
                              int global)
{
    (void)deviceAddress, (void)ext, (void)constant, (void)global;
    struct entry *e = add(registry.variables, handle, hostVarPtrAddress, deviceName);
    if (e) {
        e->bytes = size;
        e->managed = hostVarPtrAddress;
    }
}

static void add_texture(void **handle, const void *host, const char *name, bool normalized_read)
{
    struct rt_texture *t = calloc(1, sizeof *t);
    if (!t)
        return;
    t->host = host;
    t->name = strdup(name);
    t->handle = handle;
    t->normalized_read = normalized_read;
    pthread_mutex_lock(&registry.lock);
    t->next = registry.textures;
    registry.textures = t;
    pthread_mutex_unlock(&registry.lock);
}

void __cudaRegisterTexture(void **handle, const struct textureReference *hostVar,
                           const void **deviceAddress, const char *deviceName, int dim, int norm,
                           int ext)
{
    (void)deviceAddress, (void)dim, (void)ext;
    add_texture(handle, hostVar, deviceName, norm != 0);
}

void __cudaRegisterSurface(void **handle, const struct surfaceReference *hostVar,
                           const void **deviceAddress, const char *deviceName, int dim, int ext)
{
    (void)deviceAddress, (void)dim, (void)ext;
    add_texture(handle, hostVar, deviceName, false);
}

/* --- loading ------------------------------------------------------------------------------------
 */

/* With the lock held. */
static CUresult load(struct binary *binary)
{
    char *why = NULL;
    if (binary->module)
        return CUDA_SUCCESS;
    if (binary->failed)
        return binary->status;
    binary->status = evc_module_image(binary->image, &binary->module, &why);
    binary->failed = binary->status != CUDA_SUCCESS;
    if (binary->failed && why && *why)
        fprintf(stderr, "evgpu: %s\n", why);
    free(why);
    return binary->status;
}

static struct entry *find(struct entry **table, const void *host)
{
    struct entry *e = table[bucket(host)];
    while (e && e->host != host)
        e = e->next;
    return e;
}

CUresult rt_function(const void *host, CUfunction *function)
{
    pthread_mutex_lock(&registry.lock);
    struct entry *e = find(registry.functions, host);
    CUresult status =
        e ? CUDA_SUCCESS
          : evc_explain((CUresult)cudaErrorInvalidDeviceFunction,
                        "function %p: it is no __global__ function of this program", host);
    if (!status && !e->function) {
        status = load(e->binary);
        if (!status)
            status = evc_function(e->binary->module, e->name, &e->function);
        if (status == CUDA_ERROR_NOT_FOUND)
            status = (CUresult)cudaErrorInvalidDeviceFunction;
    }
    *function = status ? NULL : e->function;
    pthread_mutex_unlock(&registry.lock);
    return status;
}

const void *rt_function_host(CUfunction function)
{
    const void *host = NULL;
    pthread_mutex_lock(&registry.lock);
    for (unsigned int i = 0; i < BUCKETS && !host; i++) {
        for (const struct entry *e = registry.functions[i]; e && !host; e = e->next)
            host = e->function == function ? e->host : NULL;
    }
    pthread_mutex_unlock(&registry.lock);
    return host;
}

/* The shadow of a managed variable is a pointer to it: its address is given as that pointer's, or
 * by its value. */
static struct entry *find_managed(const void *host)
{
    for (unsigned int i = 0; i < BUCKETS; i++) {
        for (struct entry *e = registry.variables[i]; e; e = e->next) {
            if (e->managed && *e->managed == host)
                return e;
        }
    }
    return NULL;
}

/* What is readable there, up to `room` bytes of two pages: a pointer of the device's memory is one
 * of this process, too, but nothing that may be read. */
static size_t peek(const void *host, char *text, size_t room)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE), left = page - (uintptr_t)host % page;
    size_t first = left < room ? left : room;
    struct iovec to = {text, room};
    struct iovec from[] = {{(void *)(uintptr_t)host, first},
                           {(char *)(uintptr_t)host + first, room - first}};
    ssize_t got = host ? process_vm_readv(getpid(), &to, 1, from, 2, 0) : 0;
    return got > 0 ? (size_t)got : 0;
}

/* Names of variables were taken until CUDA 5.0. `host` is where a variable of that name would be,
 * or any pointer. */
static void explain_symbol(const void *host)
{
    char name[128];
    size_t readable = peek(host, name, sizeof name - 1), length = 0;
    while (length < readable && (isalnum((unsigned char)name[length]) || name[length] == '_'))
        length++;
    bool is_text = length < readable && !name[length];
    name[length] = '\0';
    bool known = false;
    for (unsigned int i = 0; length && i < BUCKETS; i++) {
        for (struct entry *e = registry.variables[i]; e; e = e->next)
            known = known || !strcmp(e->name, name);
    }
    if (known || (is_text && length > 1))
        evc_explain((CUresult)cudaErrorInvalidSymbol,
                    "symbol \"%s\": since CUDA 5.0 a symbol is the variable itself, not its name: "
                    "write %s without quotes%s",
                    name, name, known ? "" : " (no __device__ or __constant__ variable has it)");
    else
        evc_explain((CUresult)cudaErrorInvalidSymbol,
                    "symbol %p: it is no __device__ or __constant__ variable of this program",
                    host);
}

CUresult rt_variable(const void *host, bool shown, uint64_t *address, uint64_t *bytes)
{
    pthread_mutex_lock(&registry.lock);
    struct entry *e = find(registry.variables, host);
    if (!e && host)
        e = find_managed(host);
    CUresult status = e ? load(e->binary) : (CUresult)cudaErrorInvalidSymbol;
    if (!e)
        explain_symbol(host);
    if (!status)
        status = evc_global(e->binary->module, e->name, shown, address, bytes);
    if (status == CUDA_ERROR_NOT_FOUND)
        status = (CUresult)cudaErrorInvalidSymbol;
    if (!status && e->managed)
        *bytes = e->bytes;
    pthread_mutex_unlock(&registry.lock);
    return status;
}

/* A managed variable is device memory of its module, opened for the host. */
static void load_managed(struct binary *binary)
{
    pthread_mutex_lock(&registry.lock);
    CUresult status = load(binary);
    for (unsigned int i = 0; i < BUCKETS && !status; i++) {
        for (struct entry *e = registry.variables[i]; e; e = e->next) {
            uint64_t address = 0, bytes = 0;
            if (!e->managed || e->binary != binary ||
                evc_global(binary->module, e->name, false, &address, &bytes))
                continue;
            uint64_t first = address / EVC_PAGE * EVC_PAGE;
            uint64_t last = (address + e->bytes + EVC_PAGE - 1) / EVC_PAGE * EVC_PAGE;
            evc_expose(first, last - first, true);
            *e->managed = (void *)(uintptr_t)address;
        }
    }
    pthread_mutex_unlock(&registry.lock);
}

struct rt_texture *rt_texture(const void *host)
{
    pthread_mutex_lock(&registry.lock);
    struct rt_texture *t = registry.textures;
    while (t && t->host != host)
        t = t->next;
    pthread_mutex_unlock(&registry.lock);
    return t;
}

CUresult rt_texture_module(struct rt_texture *texture, CUmodule *module)
{
    struct binary *binary = (struct binary *)(void *)texture->handle;
    pthread_mutex_lock(&registry.lock);
    CUresult status = load(binary);
    *module = binary->module;
    pthread_mutex_unlock(&registry.lock);
    return status;
}

void rt_forget(void)
{
    pthread_mutex_lock(&registry.lock);
    for (unsigned int i = 0; i < BUCKETS; i++) {
        for (struct entry *e = registry.functions[i]; e; e = e->next)
            e->function = NULL;
    }
    for (struct binary *b = registry.binaries; b; b = b->next) {
        if (b->module)
            evc_module_unload(b->module);
        b->module = NULL;
    }
    pthread_mutex_unlock(&registry.lock);
}
