/* The common part of the runtime API and the driver API: one function per thing that the simulator
 * can do. All return CUDA's error numbers, which are the same in both APIs. Handles of streams and
 * events are numbers of the simulator's in a pointer's clothes, so that a stale one is an error and
 * not a crash; the rest are the structs below. */
#ifndef EVGPU_CUDA_CLIENT_CORE_H
#define EVGPU_CUDA_CLIENT_CORE_H

#include "sw/cuda/client/channel.h"

/* --- memory.c --------------------------------------------------------------------------------- */

#define EVC_ALIGN       256u /* of an allocation */
#define EVC_PITCH_ALIGN 512u
#define EVC_PAGE        4096u

CUresult evc_alloc(uint64_t bytes, enum wire_memory kind, uint32_t flags, uint64_t *address);
CUresult evc_free(uint64_t address, enum wire_memory kind);

/* Pinned memory that the host reaches at *host; flags as of cudaHostAlloc. */
CUresult evc_host_alloc(uint64_t bytes, uint32_t flags, void **host);
CUresult evc_host_free(void *host);
CUresult evc_managed_alloc(uint64_t bytes, uint32_t flags, uint64_t *address);
CUresult evc_managed_free(uint64_t address);
CUresult evc_host_register(void *host, uint64_t bytes, uint32_t flags);
CUresult evc_host_unregister(void *host);
/* What lies in registered pages is the host's again, before the simulator gives up its memory. */
void evc_host_unregister_all(void);

struct evc_pointer {
    uint64_t base, bytes; /* the allocation; 0: the pointer is none of ours */
    uint64_t address;     /* as a kernel sees it */
    void *host;           /* as the host sees it, or NULL */
    enum wire_memory kind;
    uint32_t flags;
};
CUresult evc_pointer(const void *pointer, struct evc_pointer *info);

/* The device address of a host pointer that lies in registered memory, else the pointer itself. */
uint64_t evc_translate(const void *pointer);

CUresult evc_memory_info(uint64_t *available, uint64_t *total);

/* --- advice.c: of managed memory, which the caller has checked the range to be ------------------
 */

struct evc_range {
    uint64_t address, bytes;
};
CUresult evc_advise(uint64_t address, uint64_t bytes, CUmem_advise advice, int device);
CUresult evc_prefetch(uint64_t address, uint64_t bytes, int device);
/* What holds of all its bytes; `size` bytes of ints, several of CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY
 * alone. */
CUresult evc_range_attribute(const struct evc_range *range, CUmem_range_attribute attribute,
                             void *data, size_t size);
/* The memory is no more. */
void evc_advice_forget(uint64_t address, uint64_t bytes);

/* --- copy.c ----------------------------------------------------------------------------------- */

/* Rows of `width` bytes, `height` rows a slice, `depth` slices. A pitch or slice of 0: no gaps. */
struct evc_copy {
    uint64_t dst, src; /* host or device, by their value */
    uint64_t width, height, depth;
    uint64_t dst_pitch, dst_slice, src_pitch, src_slice;
    CUstream stream;
    bool blocking;
    uint32_t trigger, action; /* of full/empty bits: one row between host and device */
};
/* Moves the address by at[i] times each[i], for x, y and z; CUDA_ERROR_INVALID_VALUE: beyond any
 * memory. */
CUresult evc_copy_place(uint64_t *address, const uint64_t at[3], const uint64_t each[3]);
CUresult evc_copy(const struct evc_copy *copy);

struct evc_memset {
    uint64_t dst, pitch, slice;
    uint64_t width, height, depth; /* width in elements */
    uint32_t value, element;       /* element: 1, 2 or 4 bytes */
    CUstream stream;
    bool blocking;
};
CUresult evc_memset(const struct evc_memset *set);

/* --- full_empty.c ----------------------------------------------------------------------------- */

/* cudaErrorInvalidMemcpyDirection, which the driver API does not have. */
#define EVC_INVALID_DIRECTION 21

CUresult evc_region_alloc(uint64_t bytes, uint64_t *address);
CUresult evc_region_info(uint64_t *available, uint64_t *total);
CUresult evc_mark(uint64_t dst, uint64_t bytes, uint32_t action, CUstream stream);
CUresult evc_override(uint64_t dst, uint64_t bytes, uint32_t action);
CUresult evc_release(void);
CUresult evc_wait_limit(uint64_t nanoseconds);

/* --- stream.c --------------------------------------------------------------------------------- */

/* Number of a stream handle, default streams included. */
CUresult evc_stream_id(CUstream stream, uint64_t *id);
CUresult evc_stream_create(uint32_t flags, int priority, CUstream *stream);
CUresult evc_stream_destroy(CUstream stream);
CUresult evc_stream_info(CUstream stream, uint32_t *flags, int *priority);
CUresult evc_stream_op(enum wire_op op, CUstream stream);
CUresult evc_stream_wait(CUstream stream, CUevent event);
CUresult evc_device_sync(void);
/* This thread runs the host functions of streams, which may make no calls. */
bool evc_in_host_function(void);
CUresult evc_host_function(CUstream stream, CUhostFn function, CUstreamCallback callback,
                           void *user);
CUresult evc_event_create(uint32_t flags, CUevent *event);
CUresult evc_event_record(CUevent event, CUstream stream);
/* evc_event_record and evc_stream_wait. External: a stream that captures makes a node of it. */
CUresult evc_event_record_flags(CUevent event, CUstream stream, bool external);
CUresult evc_stream_wait_flags(CUstream stream, CUevent event, bool external);
CUresult evc_event_op(enum wire_op op, CUevent event);
CUresult evc_event_elapsed(float *milliseconds, CUevent start, CUevent end);

/* --- ipc.c: for other processes; handles of CU_IPC_HANDLE_SIZE bytes ----------------------------
 */

CUresult evc_ipc_memory(uint64_t address, void *handle);
CUresult evc_ipc_memory_open(const void *handle, uint64_t *address);
CUresult evc_ipc_memory_close(uint64_t address);
CUresult evc_ipc_event(CUevent event, void *handle);
CUresult evc_ipc_event_open(const void *handle, CUevent *event);

/* --- share.c: file descriptors that stand for something in other processes ----------------------
 */

struct evc_shared {
    uint64_t magic, simulator, process, what;
};
/* A small memory file that says what it is of this process; -1: the host has none to give. */
int evc_share(uint64_t magic, uint64_t what);
/* What the descriptor is, if it is of this simulator. `call`: the one that is made, and `maker` the
 * one that makes such descriptors, for the explanation. */
CUresult evc_shared(int file, struct evc_shared *shared, const char *call, const char *maker);

/* --- owners.c --------------------------------------------------------------------------------- */

/* Notes the context of an allocation; NULL: none is noted. */
void evc_owner_set(uint64_t address, CUcontext context);
CUcontext evc_owner_of(uint64_t address);
void evc_owner_forget(uint64_t address);

/* --- attributes.c ----------------------------------------------------------------------------- */

CUresult evc_attribute_set(CUstream stream, CUstreamAttrID attr, const CUstreamAttrValue *value);
CUresult evc_attribute_get(CUstream stream, CUstreamAttrID attr, CUstreamAttrValue *value);
CUresult evc_attributes_copy(CUstream dst, CUstream src);
/* The stream is no more. */
void evc_attributes_forget(CUstream stream);

/* --- module.c --------------------------------------------------------------------------------- */

struct CUmod_st {
    uint64_t id;
    struct CUmod_st *next;
};

struct CUfunc_st {
    CUmodule module;
    uint64_t id;
    struct wire_function info;
    uint32_t max_dynamic;
    /* The old launch calls: cuFuncSetBlockShape, cuParamSet..., cuLaunch. */
    uint32_t block[3], shared, param_bytes;
    uint8_t *params;
    struct CUfunc_st *next;
    char *name;
};

/* `text`: PTX of `bytes` bytes; `name` stands for the file in messages. On failure *why (may be
 * NULL) receives the loader's message, to be freed. */
CUresult evc_module_load(const char *name, const char *text, size_t bytes, CUmodule *module,
                         char **why);
/* PTX text or a fat binary wrapper around it. */
CUresult evc_module_image(const void *image, CUmodule *module, char **why);
CUresult evc_module_unload(CUmodule module);
bool evc_module_valid(CUmodule module);
bool evc_function_valid(CUfunction function);
CUresult evc_function(CUmodule module, const char *name, CUfunction *function);
/* `shown`: the program gets the address, so that its kernels may write a constant there. */
CUresult evc_global(CUmodule module, const char *name, bool shown, uint64_t *address,
                    uint64_t *bytes);
CUresult evc_function_set_shared(CUfunction function, uint32_t bytes);
CUresult evc_occupancy(CUfunction function, uint32_t threads, uint64_t shared, uint32_t *blocks);

/* The PTX text of an image in the program's memory, which may be a wrapper that points to it; NULL
 * when it holds none. */
const char *evc_image_text(const void *image);
/* Of a file, with a zero behind it: a wrapper is nothing there, as its pointer could be any. */
const char *evc_file_text(const char *file);

/* What an image without PTX is: the error, which it explains. */
CUresult evc_no_ptx(void);

/* cudaErrorInvalidConfiguration, which the driver API does not have. */
#define EVC_INVALID_CONFIGURATION 9

/* --- launch.c --------------------------------------------------------------------------------- */

struct evc_launch {
    CUfunction function;
    uint32_t grid[3], block[3];
    uint64_t shared;
    CUstream stream;
    bool cooperative;
};
CUresult evc_launch(const struct evc_launch *launch, void *const *arguments);
/* An attribute of a launch, by its number and its value, which both APIs lay out alike. */
CUresult evc_launch_attribute(CUlaunchAttributeID id, const void *value, bool *cooperative);
/* The arguments as the kernel's parameters lie, to be freed. */
CUresult evc_launch_pack(CUfunction function, void *const *arguments, uint8_t **packed);
CUresult evc_launch_buffer(const struct evc_launch *launch, const void *buffer, size_t bytes);

/* --- texture.c -------------------------------------------------------------------------------- */

struct CUarray_st {
    uint64_t address, pitch, width, height, depth; /* width in elements, pitch in bytes */
    uint32_t channels, bits, format;               /* format: enum cudaChannelFormatKind */
    uint32_t flags;
    bool is_level; /* of a mipmap, with which it goes */
};
CUresult evc_array_create(struct CUarray_st *shape, CUarray *array);
CUresult evc_array_destroy(CUarray array);
bool evc_array_valid(CUarray array);
/* The array as what a texture or surface reads; the rest of the struct stays. */
void evc_texture_of_array(CUarray array, struct wire_texture *texture);
CUresult evc_texture(const struct wire_texture *texture, uint64_t *handle);
/* `how`: all but what the arrays say. Of a mipmap from level `first` to `last`. */
CUresult evc_texture_of_mipmap(CUmipmappedArray mipmap, const struct wire_texture *how,
                               uint32_t first, uint32_t last, uint64_t *handle);
CUresult evc_texture_destroy(uint64_t handle);
CUresult evc_texture_bind(CUmodule module, const char *name, uint64_t handle);

/* --- mipmap.c --------------------------------------------------------------------------------- */

struct CUmipmappedArray_st {
    CUarray level[WIRE_LEVELS];
    uint32_t levels;
    CUmipmappedArray next;
};
/* As many of `levels` as there can be, and at least one; that many are the result's. */
CUresult evc_mipmap_create(const struct CUarray_st *shape, uint32_t levels,
                           CUmipmappedArray *mipmap);
CUresult evc_mipmap_destroy(CUmipmappedArray mipmap);
CUresult evc_mipmap_level(CUmipmappedArray mipmap, uint32_t level, CUarray *array);
bool evc_mipmap_valid(CUmipmappedArray mipmap);

/* --- device.c --------------------------------------------------------------------------------- */

CUresult evc_attribute(int *value, int attribute);
/* Whether the device has this PCI address, DOMAIN:BUS:DEVICE.FUNCTION in hexadecimal digits,
 * without domain or function if need be. */
bool evc_pci_is(const char *id);
void evc_uuid(uint8_t bytes[sizeof(CUuuid)]);
CUresult evc_limit(uint32_t limit, uint64_t *value, bool set);
CUresult evc_reset(void);

/* --- explain.c --------------------------------------------------------------------------------
 * Why a call fails, in one line on stderr; the same line comes only once. */

/* Returns the error. */
CUresult evc_explain(CUresult error, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* For a call that fails without an explanation so far: its name, the error, and the condition that
 * does not hold (or NULL). Says nothing of errors that are clear. */
void evc_explain_failure(uint32_t error, const char *call, const char *needs, bool runtime);
/* An explanation has been given since the last time that this was asked, on this thread. */
bool evc_told(void);
void evc_note_told(void);

/* --- errors.c --------------------------------------------------------------------------------- */

/* Name and text of an error of either API; NULL when there is none. */
const char *evc_error_name(uint32_t error, bool runtime);
const char *evc_error_text(uint32_t error);

#endif
