/* cuLink...: PTX of several sources to one module, by the linker of nvcc. It ends its process where
 * something cannot be linked, so it runs in one of its own, whose messages are the log. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sw/cuda/driver/context.h"
#include "sw/cuda/nvcc/ptx_link.h"

struct CUlinkState_st {
    struct device_objects objects;
    char *image; /* of cuLinkComplete; NULL before */
    char *log;   /* the program's buffer for errors, or NULL */
    size_t log_room;
    CUlinkState next;
};

/* Those that are there, so that another pointer is an error and no crash. */
static struct {
    pthread_mutex_t lock;
    CUlinkState first;
} states = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void remember(CUlinkState state)
{
    pthread_mutex_lock(&states.lock);
    state->next = states.first;
    states.first = state;
    pthread_mutex_unlock(&states.lock);
}

/* False: it is not there; `forget`: nor afterwards. */
static bool is_there(CUlinkState state, bool forget)
{
    pthread_mutex_lock(&states.lock);
    CUlinkState *at = &states.first;
    while (*at && *at != state)
        at = &(*at)->next;
    bool there = *at != NULL;
    if (there && forget)
        *at = state->next;
    pthread_mutex_unlock(&states.lock);
    return there;
}

/* As CU_CHECK, in the name of the program's call. */
#define LINK_CHECK(condition, error)                                                               \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return cu_refuse((error), call, #condition);                                           \
    } while (0)

/* The linker's last call where it ends: in the child of apart(), whose exit handlers and unwritten
 * output are the program's. */
__attribute__((visibility("hidden"))) void leave_clean(void)
{
    _exit(1);
}

static bool add(CUlinkState state, const char *text, size_t size, const char *name)
{
    struct device_objects *objects = &state->objects;
    struct device_object *more = realloc(objects->at, (objects->count + 1) * sizeof *objects->at);
    char *file = strdup(name ? name : "<data>"), *ptx = malloc(size + 1);
    if (more)
        objects->at = more;
    if (!more || !file || !ptx)
        return false;
    memcpy(ptx, text, size);
    ptx[size] = '\0';
    objects->at[objects->count++] = (struct device_object){file, "", ptx};
    return true;
}

CUresult cu_link_create(char *log, size_t room, CUlinkState *stateOut)
{
    CUlinkState state = calloc(1, sizeof *state);
    if (!state)
        return CUDA_ERROR_OUT_OF_MEMORY;
    state->log = log;
    state->log_room = room;
    if (log && room)
        *log = '\0';
    remember(state);
    *stateOut = state;
    return CUDA_SUCCESS;
}

CUresult cuLinkCreate(unsigned int numOptions, CUjit_option *options, void **optionValues,
                      CUlinkState *stateOut)
{
    char *log = NULL;
    size_t room = 0;
    CU_READY();
    CU_CHECK(stateOut && (!numOptions || (options && optionValues)), CUDA_ERROR_INVALID_VALUE);
    for (unsigned int i = 0; i < numOptions; i++) {
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER)
            log = optionValues[i];
        if (options[i] == CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES)
            room = (size_t)(uintptr_t)optionValues[i];
    }
    CUresult status = cu_link_create(log, room, stateOut);
    CU_CHECK(!status, status);
    return CUDA_SUCCESS;
}

CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                       const char *name, unsigned int numOptions, CUjit_option *options,
                       void **optionValues)
{
    (void)numOptions, (void)options, (void)optionValues;
    CU_READY();
    return cu_link_add_data(state, type, data, size, name, __func__);
}

/* Into the program's log, if it has one; else it is said. `said` is freed. */
static CUresult fails(CUlinkState state, char *said)
{
    static const char prefix[] = "nvcc fatal   : ";
    const char *text = said ? said : "";
    if (!strncmp(text, prefix, sizeof prefix - 1))
        text += sizeof prefix - 1;
    if (state->log && state->log_room)
        snprintf(state->log, state->log_room, "%s", text);
    else if (*text)
        evc_explain(CUDA_ERROR_INVALID_PTX, "%.*s", (int)strcspn(text, "\n"), text);
    free(said);
    return CUDA_ERROR_INVALID_PTX;
}

CUresult cu_link_add_data(CUlinkState state, CUjitInputType type, const void *data, size_t size,
                          const char *name, const char *call)
{
    LINK_CHECK(!state || is_there(state, false), CUDA_ERROR_INVALID_HANDLE);
    LINK_CHECK(state && data && size && type < CU_JIT_NUM_INPUT_TYPES, CUDA_ERROR_INVALID_VALUE);
    LINK_CHECK(!state->image, CUDA_ERROR_INVALID_VALUE);
    LINK_CHECK(type == CU_JIT_INPUT_PTX || type == CU_JIT_INPUT_FATBINARY,
               evc_explain(CUDA_ERROR_NO_BINARY_FOR_GPU,
                           "%s: evgpu links PTX; objects and archives come as files", call));
    const char *text = evc_image_text(data);
    LINK_CHECK(text, CUDA_ERROR_NO_BINARY_FOR_GPU);
    size_t length = text == data ? strnlen(text, size) : strlen(text);
    if (!memmem(text, length, ".version", strlen(".version"))) {
        char *said = NULL;
        int written =
            asprintf(&said, "%s: %s is not PTX: it has no .version", call, name ? name : "<data>");
        return fails(state, written < 0 ? NULL : said);
    }
    return add(state, text, length, name) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static char *read_all(FILE *file, size_t *size)
{
    char *bytes = NULL;
    size_t room = 0;
    *size = 0;
    for (size_t got = 1; got;) {
        if (room - *size < 4096) {
            char *more = realloc(bytes, room = 2 * room + 65536);
            if (!more)
                break;
            bytes = more;
        }
        got = fread(bytes + *size, 1, room - *size - 1, file);
        *size += got;
    }
    if (bytes)
        bytes[*size] = '\0';
    return bytes;
}

/* In a process of its own: what `work` writes, and what it says. */
static char *apart(CUlinkState state, void (*work)(CUlinkState state, const char *path, FILE *out),
                   const char *path, size_t *size, bool *ok)
{
    FILE *out = tmpfile(), *said = tmpfile();
    char *bytes = NULL;
    int status = 1;
    *ok = false;
    if (out && said) {
        pid_t child = fork();
        if (child == 0) {
            dup2(fileno(said), STDERR_FILENO);
            work(state, path, out);
            _exit(fflush(out) != 0);
        }
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        *ok = child > 0 && status == 0;
        rewind(*ok ? out : said);
        bytes = read_all(*ok ? out : said, size);
    }
    if (out)
        fclose(out);
    if (said)
        fclose(said);
    return bytes;
}

/* Each unit's text, with its size and name in front. */
static void write_units(CUlinkState state, const char *path, FILE *out)
{
    struct device_objects found = {0};
    (void)state;
    object_read(&found, path);
    for (size_t i = 0; i < found.count; i++)
        fprintf(out, "%zu %s\n%s", strlen(found.at[i].ptx), found.at[i].file, found.at[i].ptx);
}

static CUresult add_units(CUlinkState state, const char *bytes, size_t size)
{
    const char *end = bytes + size;
    while (bytes < end) {
        char *name;
        size_t length = strtoul(bytes, &name, 10);
        char *line = strchr(name, '\n');
        *line = '\0';
        if (!add(state, line + 1, length, name + 1))
            return CUDA_ERROR_OUT_OF_MEMORY;
        bytes = line + 1 + length;
    }
    return CUDA_SUCCESS;
}

static bool is_ptx(const char *path)
{
    char head[4096];
    FILE *file = fopen(path, "r");
    size_t got = file ? fread(head, 1, sizeof head - 1, file) : 0;
    if (file)
        fclose(file);
    head[got] = '\0';
    return evc_file_text(head) && strstr(head, ".version");
}

static void write_file(CUlinkState state, const char *path, FILE *out)
{
    (void)state;
    char *bytes = file_read(path, NULL);
    if (!bytes)
        fatal("cannot read %s", path);
    fputs(bytes, out);
}

CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path,
                       unsigned int numOptions, CUjit_option *options, void **optionValues)
{
    (void)numOptions, (void)options, (void)optionValues;
    CU_READY();
    return cu_link_add_file(state, type, path, __func__);
}

CUresult cu_link_add_file(CUlinkState state, CUjitInputType type, const char *path,
                          const char *call)
{
    size_t size = 0;
    bool ok;
    LINK_CHECK(!state || is_there(state, false), CUDA_ERROR_INVALID_HANDLE);
    LINK_CHECK(state && path && type < CU_JIT_NUM_INPUT_TYPES && !state->image,
               CUDA_ERROR_INVALID_VALUE);
    LINK_CHECK(!access(path, R_OK), CUDA_ERROR_FILE_NOT_FOUND);
    bool ptx = type == CU_JIT_INPUT_PTX || (type == CU_JIT_INPUT_FATBINARY && is_ptx(path));
    bool objects = type == CU_JIT_INPUT_OBJECT || type == CU_JIT_INPUT_LIBRARY;
    LINK_CHECK(ptx || objects, CUDA_ERROR_NO_BINARY_FOR_GPU);
    char *bytes = apart(state, ptx ? write_file : write_units, path, &size, &ok);
    if (!ok || !bytes)
        return fails(state, bytes);
    CUresult status = !ptx                            ? add_units(state, bytes, size)
                      : add(state, bytes, size, path) ? CUDA_SUCCESS
                                                      : CUDA_ERROR_OUT_OF_MEMORY;
    free(bytes);
    return status;
}

static void write_linked(CUlinkState state, const char *path, FILE *out)
{
    (void)path;
    fputs(ptx_link(&state->objects), out);
}

CUresult cuLinkComplete(CUlinkState state, void **cubinOut, size_t *sizeOut)
{
    CU_READY();
    return cu_link_complete(state, cubinOut, sizeOut, __func__);
}

CUresult cu_link_complete(CUlinkState state, void **cubinOut, size_t *sizeOut, const char *call)
{
    size_t size = 0;
    bool ok;
    LINK_CHECK(!state || is_there(state, false), CUDA_ERROR_INVALID_HANDLE);
    LINK_CHECK(state && cubinOut && sizeOut, CUDA_ERROR_INVALID_VALUE);
    LINK_CHECK(state->objects.count, CUDA_ERROR_INVALID_VALUE);
    if (!state->image) {
        char *bytes = apart(state, write_linked, NULL, &size, &ok);
        if (!ok || !bytes)
            return fails(state, bytes);
        state->image = bytes;
    }
    *cubinOut = state->image;
    *sizeOut = strlen(state->image) + 1;
    return CUDA_SUCCESS;
}

CUresult cuLinkDestroy(CUlinkState state)
{
    CU_CHECK(is_there(state, true), CUDA_ERROR_INVALID_HANDLE);
    for (size_t i = 0; i < state->objects.count; i++) {
        free((void *)(uintptr_t)state->objects.at[i].file);
        free((void *)(uintptr_t)state->objects.at[i].ptx);
    }
    free(state->objects.at);
    free(state->image);
    free(state);
    return CUDA_SUCCESS;
}
