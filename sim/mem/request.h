/* One memory access between a requester (SIMT core, CPU core, host port) and a memory partition.
 * Plain data, copied by value through the queues on the way. */
#ifndef EVGPU_MEM_REQUEST_H
#define EVGPU_MEM_REQUEST_H

#include <stdint.h>

#define LINE_BYTES   128u
#define SECTOR_BYTES 32u
#define LINE_SECTORS (LINE_BYTES / SECTOR_BYTES)
#define ALL_SECTORS  ((1u << LINE_SECTORS) - 1)

enum request_kind {
    REQUEST_READ,   /* reply carries `sectors` x 32 bytes */
    REQUEST_WRITE,  /* request carries data; the reply is an acknowledgement */
    REQUEST_ATOMIC, /* performed at L2 through the perform callback; replies like a read */
    REQUEST_POLL,   /* a read performed at L2 (volatile): served from L2, never from an L1 */
    REQUEST_KINDS
};

/* On whose behalf; the memory system takes it from the requester's endpoint (endpoint.h). */
enum request_class {
    CLASS_GPU,
    CLASS_CPU,
    CLASS_HOST,
    CLASS_DEVICE,
    CLASS_EVENT, /* a core's, of an event's warp, where these have queues of their own */
    REQUEST_CLASSES
};

/* The trigger of a request to a synchronised region, and its action on the full/empty bits of the
 * words that it touches (full/empty paper, section 4.4). */
enum request_trigger { TRIGGER_NONE, TRIGGER_FULL, TRIGGER_EMPTY };
enum request_action { ACTION_NONE, ACTION_FILL, ACTION_EMPTY };

struct mem_request {
    uint64_t line;      /* device address, multiple of LINE_BYTES */
    uint32_t tag;       /* the requester's own; comes back unchanged in the reply */
    uint32_t words;     /* bit i: 4-byte word i is touched; 0: every word of `sectors` */
    uint16_t source;    /* the requester's port */
    uint16_t owner;     /* whom its traffic is counted for (traffic.h) */
    uint8_t kind;       /* enum request_kind */
    uint8_t sectors;    /* bit i: bytes 32i..32i+31 of the line are wanted or written; never 0 */
    uint8_t partial;    /* of a write: some touched word is not written in all its bytes */
    uint8_t collisions; /* of an atomic: most lanes on one word, 0 counts as 1 */
    uint8_t class;      /* enum request_class */
    uint8_t trigger;    /* enum request_trigger */
    uint8_t action;     /* enum request_action */
    uint8_t failed;     /* in a reply: not performed, its wait timed out */
    uint8_t region;     /* of the synchronised region (fe.h); the memory system finds out */
    uint8_t released;   /* in a reply: performed though its trigger did not hold */
    uint8_t event;      /* of an event's warp */
};

enum perform_result {
    PERFORM_DONE,
    PERFORM_BLOCKED, /* not all words; only for a request with a trigger */
    PERFORM_FAILED   /* for good: the reply says so */
};

/* Performs a REQUEST_ATOMIC or REQUEST_POLL on `*words` of its line; leaves there the words that
 * are still to do. Must not call into the memory system. */
typedef enum perform_result (*perform_request)(void *user, const struct mem_request *request,
                                               uint32_t *words);

/* Classes that take the second lane on the way, where there is one. */
#define SECOND_LANE (1u << CLASS_CPU | 1u << CLASS_EVENT)

#endif
