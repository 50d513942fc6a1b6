/* The protocol between the client library and the simulator. One definition for both.
 *
 * A program gets one end of a Unix socket pair, the control channel, as the descriptor that the
 * environment names (EVGPU_CONTROL_ENV). It carries nothing but new channels: a message of one byte
 * (enum wire_channel) with a descriptor, one per host thread, and before them one per process, its
 * life line, on which nobody speaks: it closes with the program in the process. On its channel a
 * thread sends a request and waits for the reply; the simulator answers when the call has returned
 * in simulated time. Requests and replies are the structs below, followed by `payload` bytes (a
 * reply: first `output` bytes that kernels have printed). All is host byte order: both ends are on
 * one machine.
 *
 * Device memory is a memory file that the hello reply brings; both sides see device address A at
 * host address A (WIRE_BASE and up), and the client a second time, writable, at an address of its
 * choice. Bulk data never pass through the socket, except of an asynchronous copy from pageable
 * memory, which must be taken before the call returns. A blocking copy from or to pageable memory
 * is done by the client itself: in the cycle in which it happens the simulator sends a reply with
 * status WIRE_MOVE, and the client answers WIRE_MOVED when the bytes are there. What an
 * asynchronous copy from memory with full/empty bits has brought for pageable memory comes with a
 * reply WIRE_PUT to whoever waits, answered the same way.
 *
 * When either end closes its socket, the other one knows that it has ended. */
#ifndef EVGPU_CUDA_PROTOCOL_H
#define EVGPU_CUDA_PROTOCOL_H

#include <stdint.h>

#define WIRE_MAGIC       0x65766770u
#define WIRE_VERSION     3u
#define WIRE_CONTROL_ENV "EVGPU_CONTROL_FD"

/* What comes over the control channel. */
enum wire_channel { WIRE_THREAD = 1, WIRE_LIFE_LINE };
#define WIRE_SIGNAL 128 /* plus its number: no channel, but the signal that ends the process */

#define WIRE_BASE        0x200000000000u /* first device address, as kernels and host see it */
#define WIRE_MAP_UNIT    0x200000u       /* 2 MiB */
#define WIRE_MAX_PAYLOAD 0x100000000u    /* bytes after a request or reply */
#define WIRE_ARGS        14
#define WIRE_VALUES      8

/* Status of a reply that is no error number of CUDA's. */
#define WIRE_MOVE 0x10001u /* move the data of your copy now */
#define WIRE_PUT  0x10002u /* v[0]: pageable memory that the payload belongs to */

/* Requests; in brackets the arguments a[0].., then what comes back in v[0]... Every handle is a
 * number of the simulator's, 0 is none (stream 0: the legacy default stream). */
enum wire_op {
    WIRE_HELLO = 1, /* [pid, tid] -> payload struct wire_device, descriptor of the memory file */
    WIRE_MOVED,     /* answers WIRE_MOVE and WIRE_PUT */
    WIRE_TIME,      /* [] -> only the clock */
    WIRE_RESET,     /* [] all that the process owns is given back, but memory by handle */

    WIRE_ALLOC,   /* [bytes, align, enum wire_memory, flags, bytes that kernels may access]
                   * -> address */
    WIRE_FREE,    /* [address, enum wire_memory] waits for the device; -> bytes */
    WIRE_POINTER, /* [address] -> base, bytes, enum wire_memory, flags */
    WIRE_MEMINFO, /* [] -> free, total */
    WIRE_LIMIT,   /* [limit, value, set?] -> value */

    WIRE_MODULE,       /* payload: name, NUL, PTX text -> module; a failure's payload says why */
    WIRE_UNLOAD,       /* [module] */
    WIRE_FUNCTION,     /* [module], payload: name -> function, payload struct wire_function */
    WIRE_GLOBAL,       /* [module, may kernels write a constant?], payload: name -> address, bytes,
                        * constant? */
    WIRE_OCCUPANCY,    /* [function, threads, dynamic shared bytes] -> blocks per core */
    WIRE_FUNCTION_SET, /* [function, enum wire_function_key, value] */

    WIRE_LAUNCH, /* [function, stream, grid x y z, block x y z, shared, flags], payload: arguments
                  */
    WIRE_COPY,   /* [dst, src, width, height, depth, dst pitch, dst slice, src pitch, src slice,
                  * stream, flags, trigger, action]: rows of `width` bytes; payload with
                  * WIRE_COPY_PAYLOAD; trigger and action: one row, numbers as in the API */
    WIRE_MEMSET, /* [dst, pitch, slice, value, element bytes, width in bytes, height, depth, stream,
                  * blocking?] */

    WIRE_STREAM_CREATE,  /* [nonblocking?, priority] -> stream */
    WIRE_STREAM_DESTROY, /* [stream] */
    WIRE_STREAM_INFO,    /* [stream] -> nonblocking?, priority */
    WIRE_STREAM_QUERY,   /* [stream] */
    WIRE_STREAM_SYNC,    /* [stream] */
    WIRE_STREAM_WAIT,    /* [stream, event] */
    WIRE_DEVICE_SYNC,    /* [] */
    WIRE_HOST_FUNCTION,  /* [stream, cookie]: runs on the thread that asks by WIRE_NEXT_FUNCTION */
    WIRE_NEXT_FUNCTION,  /* [] -> cookie; returns when one is due, the one before is over then */

    WIRE_EVENT_CREATE,  /* [timed?, shared with other processes?] -> event */
    WIRE_EVENT_DESTROY, /* [event] */
    WIRE_EVENT_RECORD,  /* [event, stream] */
    WIRE_EVENT_QUERY,   /* [event] */
    WIRE_EVENT_SYNC,    /* [event] */
    WIRE_EVENT_ELAPSED, /* [start, end] -> nanoseconds, as a signed number */

    WIRE_TEXTURE,         /* payload struct wire_texture, for each level of a mipmap one -> texture
                           * handle */
    WIRE_TEXTURE_DESTROY, /* [handle] */
    /* Event kernels (sw/edge/edge_cuda.h); a failure's payload says why. */
    WIRE_EDGE_LIMITS,   /* [] -> payload struct edge_limits */
    WIRE_EDGE_PORT,     /* [], payload: name of a service -> payload struct edge_port_info */
    WIRE_EDGE_FUNCTION, /* [function] -> payload struct wire_event_function */
    WIRE_EDGE_COMMAND,  /* [], payload struct edge_command -> code, row */
    WIRE_EDGE_BIND, /* [row, entries, bytes of the name with its NULs, a multiple of 8], payload:
                     * name of a service, then struct edge_port_entry for each entry */
    WIRE_EDGE_WAIT, /* [] returns when bound devices have nothing more to do */
    WIRE_SERVICES,  /* [] -> a service is at work? */

    WIRE_TEXTURE_BIND, /* [module, handle], payload: name of the texture reference */

    /* Full/empty bits (sw/cuda/include/cuda_runtime_full_empty.h). */
    WIRE_REGION_INFO, /* [] -> free, total */
    WIRE_MARK,        /* [dst, bytes, action, stream] */
    WIRE_OVERRIDE,    /* [dst, bytes, action] returns when it is done */
    WIRE_RELEASE,     /* [] same */
    WIRE_WAIT_LIMIT,  /* [nanoseconds] same */

    WIRE_STREAM_VALUES, /* [stream], payload: struct wire_value for each, in their order */

    /* Memory by handle (sw/cuda/include/crt/driver_virtual_memory.h). Sizes, addresses and offsets
     * are multiples of WIRE_MAP_UNIT. */
    WIRE_RESERVE,        /* [bytes, alignment, wished address or 0] -> address */
    WIRE_UNRESERVE,      /* [address, bytes] */
    WIRE_HANDLE_CREATE,  /* [bytes, flags] -> handle */
    WIRE_HANDLE_RELEASE, /* [handle] */
    WIRE_HANDLE_HOLD,    /* [handle, or 0, mapped address] -> handle, to be released once more */
    WIRE_HANDLE_INFO,    /* [handle] -> bytes, flags */
    WIRE_MAP,            /* [address, bytes, offset, handle] -> where that is in the memory file */
    WIRE_UNMAP,          /* [address, bytes] waits for the device */
    WIRE_MAP_ACCESS,     /* [address, bytes, access?] */

    WIRE_EVENT_SHARE, /* [event, another one holds it?] it is shared; to be destroyed once more */
    WIRE_OPS
};

/* Of memory that is pinned, as in CUDA's headers: kernels only read it. */
#define WIRE_PINNED_READ_ONLY 8u

enum wire_memory {
    WIRE_DEVICE = 1, /* cudaMalloc */
    WIRE_PINNED,     /* cudaHostAlloc, cudaHostRegister */
    WIRE_MANAGED,
    WIRE_ARRAY,
    WIRE_MODULE_DATA,  /* variables of a module */
    WIRE_TEXTURE_DATA, /* a texture object */
    WIRE_FULL_EMPTY,   /* cudaMallocFullEmpty */
    WIRE_MAPPED        /* cuMemMap; flags: 1 with access, 0 without */
};

enum wire_launch_flag { WIRE_COOPERATIVE = 1 };

enum wire_copy_flag {
    WIRE_COPY_SRC_HOST = 1, /* the source is pageable memory of the client */
    WIRE_COPY_DST_HOST = 2,
    WIRE_COPY_BLOCKING = 4,
    WIRE_COPY_PAYLOAD = 8 /* the source is the payload, its rows without gaps */
};

enum wire_function_key { WIRE_MAX_DYNAMIC_SHARED = 1 };

struct wire_request {
    uint32_t magic;
    uint16_t version, op;
    uint64_t payload; /* bytes that follow */
    uint64_t host_ns; /* simulated time of the host code since the thread's last call */
    uint64_t a[WIRE_ARGS];
};

struct wire_reply {
    uint32_t status; /* CUDA's error number, or WIRE_MOVE */
    uint32_t output; /* bytes that kernels have printed, before the payload */
    uint64_t payload;
    uint64_t clock_ns; /* the thread's clock in simulated time */
    uint64_t v[WIRE_VALUES];
};

/* The machine, for properties and attributes. Sizes in bytes. */
struct wire_device {
    char name[64];
    uint64_t map_bytes; /* of the memory file; device addresses WIRE_BASE .. + map_bytes */
    uint64_t far_base, far_bytes; /* addresses that have memory where some is mapped */
    uint64_t memory_bytes;
    uint32_t const_bytes, core_khz, memory_khz, memory_bus_bits, l2_bytes;
    uint32_t cores, warps, blocks, threads, registers, shared_bytes, warp_size;
    uint32_t max_threads_per_block, major, minor;
    uint32_t copy_engines, kernels, single_to_double;
    int32_t least_priority, greatest_priority;
};

struct wire_function {
    uint32_t registers, shared_bytes, local_bytes, max_threads, param_bytes, n_params;
    uint32_t constant_bytes, ptx_version;
    struct {
        uint32_t offset, bytes;
    } params[128]; /* the first n_params */
};

#define WIRE_MAX_PARAMS 128u

/* A kernel for the event kernel table. Types: enum edge_type. */
struct wire_event_function {
    uint64_t code;
    uint32_t registers, shared_bytes, local_bytes, max_threads, param_bytes, n_params;
    char defect[256];
    struct {
        uint32_t offset, bytes, type;
        char name[52];
    } params[WIRE_MAX_PARAMS];
};

/* Writes of single values in a stream, and waits for them. */
enum wire_value_action {
    WIRE_VALUE_WRITE,
    WIRE_VALUE_GEQ, /* as a signed difference */
    WIRE_VALUE_EQ,
    WIRE_VALUE_AND, /* a bit is in both */
    WIRE_VALUE_NOR  /* a bit is in neither */
};

struct wire_value {
    uint64_t address, value;
    uint32_t bytes, action; /* bytes: 4 or 8 */
};

enum wire_texture_kind { WIRE_TEXTURE_LINEAR, WIRE_TEXTURE_PITCH, WIRE_TEXTURE_ARRAY };

/* Numbers of modes and kinds as in CUDA's enumerations. */
struct wire_texture {
    uint32_t kind, channels, bits, format;         /* format: enum cudaChannelFormatKind */
    uint64_t address, width, height, depth, pitch; /* width in elements, pitch in bytes */
    uint32_t address_mode[3], filter, read_mode, normalized;
    float border[4];
    uint32_t level_filter; /* of a mipmap, in its first level, as the next ones */
    float level_bias, level_min, level_max;
};

#define WIRE_LEVELS 33u /* at most */

#endif
