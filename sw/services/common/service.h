/* The definition of an event service. A NIC replays a packet capture into slots of device memory,
 * every batch launches the service's kernel, and a host reference says what should have become of
 * each packet (EDGE sections III to VI).
 *
 * A service is a folder of sw/services: its kernels, host reference and packet generator, and one
 * `const struct event_service NAME_service` that names them. Everything else is common and lies in
 * sim/guest/service, which lists the services, one line each.
 *
 * A packet's slot is a 2-byte frame length, then the Ethernet frame without FCS, so that the IP
 * header starts on a 16-byte boundary; slots are PACKET_SLOT_ALIGN bytes aligned. What is to be
 * sent lies in the slot afterwards. A result record is a little endian word: verdict in bits 7..0,
 * port in bits 31..16; services whose frames change their length have a second word with the
 * length. */
#ifndef EVGPU_SW_SERVICE_H
#define EVGPU_SW_SERVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "sw/services/common/capture.h"
#include "sw/services/common/traffic.h"

#define PACKET_SLOT_ALIGN   16u
#define PACKET_FRAME_OFFSET 2u /* of the frame in its slot, after its length */
#define PACKET_PORT_SHIFT   16u
#define PACKET_WARP         32u /* threads that a kernel may give to a packet, beside one */

/* --- settings -----------------------------------------------------------------------------------
 */

enum setting_type {
    SETTING_FLAG,   /* no value */
    SETTING_NUMBER, /* decimal, `least` to `most` */
    SETTING_CHOICE, /* one of `choices` */
    SETTING_TEXT    /* any, such as a file name */
};

/* A row of a settings table; the table ends with a key of NULL. */
struct setting_row {
    const char *key;
    enum setting_type type;
    const char *unit; /* of the value, in capitals, such as N, BYTES, FILE; NULL for a flag */
    const char *help; /* one line; range and default are added to it */
    uint64_t least, most;
    uint64_t multiple; /* the number is a multiple of it; 0: any */
    bool power_of_two;
    const char *const *choices; /* ends with NULL */
    uint64_t usual;             /* default: number, or place of the choice */
    const char *usual_text;     /* said in place of the default; for a text, all there is */
    const char *replaced_by;    /* a key with which this one would do nothing; NULL: none */
};

/* A row's value: as given, or the default. */
struct setting_value {
    bool given;
    uint64_t number;  /* of a choice: its place; of a flag: 0 or 1 */
    const char *text; /* NULL: not given */
};

/* --- the kernel's side --------------------------------------------------------------------------
 */

/* The arguments of a kernel, in the order of its parameters. */
enum packet_argument {
    PACKET_SLOTS,      /* of the entry */
    PACKET_SLOT_BYTES, /* from one slot to the next */
    PACKET_COUNT,      /* packets in the slots, written by the NIC */
    PACKET_RESULTS,    /* of the entry */
    PACKET_OUTPUT,     /* of a packet_return: slots for what is sent */
    /* Of the kernels of a pipeline (struct packet_stage): */
    PACKET_COUNT_PLACE, /* where the NIC writes the entry's count */
    PACKET_RECORDS,     /* of the entry, what the first kernel hands on */
    PACKET_QUEUE,       /* struct pipeline_queue; 0: the second one is not started by the first */
    PACKET_ENTRY,       /* its number */
    PACKET_TABLE,       /* + i: address of table i */
    PACKET_VALUE = 32   /* + i: value i */
};

#define PACKET_TABLES    8u
#define PACKET_VALUES    8u
#define PACKET_ARGUMENTS 16u

/* What a program's kernel that serves the device in place of the service's own does with a table,
 * which it finds as a resource of its name. */
enum packet_lending { PACKET_KEPT, PACKET_READ, PACKET_WRITTEN };

/* Part of device memory that belongs to the service. */
struct packet_table {
    const char *name;
    uint64_t address, bytes;
    enum packet_lending lending;
};

/* The data that a kind gives to its kernels. */
struct packet_tables {
    /* Device memory, zeroed: its address, and as the host sees it; NULL with `err`. */
    void *(*allocate)(void *user, uint64_t bytes, uint64_t *address, struct error *err);
    void *user;
    struct packet_table table[PACKET_TABLES];
    uint32_t n_tables;
    uint64_t value[PACKET_VALUES];
};

/* A new table, zeroed; its memory as the host sees it, NULL with `err`. */
void *packet_table(struct packet_tables *tables, const char *name, uint64_t bytes,
                   enum packet_lending lending, struct error *err);

/* A packet that came, and what has become of it. */
struct packet_view {
    uint32_t index;
    const uint8_t *frame;
    uint32_t length;
    uint32_t verdict, port; /* of its result */
    const uint8_t *sent;    /* NULL when nothing was */
    uint32_t sent_length;
};

/* The expected result; a forwarded frame takes the place of the one in `frame`. */
struct packet_want {
    uint32_t verdict, port;
    uint8_t *frame; /* comes with the packet's own; room for the longest with its growth */
    uint32_t length;
};

/* Takes verdict and port from a result word. */
void packet_want_result(struct packet_want *want, uint32_t result);

/* A second kernel, which goes on with a batch where the first has handed it on (pipeline.h): one
 * warp, a packet for each lane. The first one writes a record for each slot, and calls
 * pipeline_hand_on; the second one reads the records, and writes the results. With records in
 * memory with full/empty bits it may start at any time: the first kernel fills all words that it
 * loads, and loads none of them itself, since that load could wait behind the second one's. */
struct packet_stage {
    const char *file, *kernel; /* as in packet_kind */
    const uint8_t *arguments;
    uint32_t n_arguments;
    uint32_t record_bytes; /* of a packet, a multiple of 32 */
};

/* A kernel for an early return: what it sends lies in slots of their own, apart from those that
 * came, and results and these slots in memory with full/empty bits, empty at the start. It stores
 * every word of a result and of what is sent, and no other words: who takes them waits for each. */
struct packet_return {
    const char *kernel;    /* its name, in a file NAME.ptx of its own; its arguments are those of
                            * the kind's kernel up to PACKET_RESULTS, then PACKET_OUTPUT */
    uint32_t stored_bytes; /* of a sent slot, those that it stores, from its start; the others are
                            * sent as they came. A multiple of 4; 0: all */
};

/* The work on packets. Files of kernels lie in the service's folder. */
struct packet_kind {
    const char *file;                  /* NAME.ptx of the kernels of events, without .ptx */
    const char *kernel, *block_kernel; /* names; block_kernel NULL: none */
    const char *persistent; /* the same, in a file NAME.ptx of its own; NULL: none. Its parameters
                             * are those of the queue (persistent.h), then `arguments` without
                             * slots, count and results */
    const struct packet_return *returning; /* NULL: none */
    uint32_t threads_per_packet;           /* 1 or PACKET_WARP */
    const uint8_t *arguments; /* enum packet_argument, of both kernels: the block kernel may
                                 have more, the other leaves out the last ones */
    uint32_t n_arguments;
    const struct packet_stage *then; /* NULL: the kernel's results are the last word */
    uint32_t verdicts; /* how many there are; 0 is "not processed", 1 the first that forwards */
    uint32_t forward;  /* set of verdicts that forward, bit v */
    const char *(*verdict_name)(uint32_t verdict);
    bool sends_length; /* result records of two words */
    /* Fills `tables`; what the other functions get as `state`, or NULL with `err`. `inputs` are
     * the service's. */
    void *(*create)(const void *inputs, struct packet_tables *tables, struct error *err);
    void (*destroy)(void *state);
    /* Bytes that a frame of the capture may grow by. NULL: 0. */
    uint32_t (*growth)(const void *inputs);
    /* The reference, for every packet that was not lost, in the order of the capture. */
    void (*expect)(void *state, const struct packet_view *packet, struct packet_want *want);
    /* After the last packet, what is to be said of all of them. NULL: nothing. */
    bool (*settled)(void *state, struct error *err);
    /* Further figures. NULL: none. */
    void (*print)(const void *state, FILE *to);
    void (*json)(const void *state, json_t *into);
};

/* --- the service --------------------------------------------------------------------------------
 */

#define SERVICE_KINDS 2u
#define SERVICE_RATE  8000000u /* packets per second, half of 10 Gbit/s of the smallest frames */

struct service_input {
    const struct setting_value *values; /* of the service's settings, by row */
    uint64_t seed;                      /* of everything generated */
    bool captured;                      /* packets come from a capture, not from the generator */
};

struct event_service {
    const char *name;    /* also of its folder */
    const char *summary; /* one line */
    const struct setting_row *settings;
    const struct packet_kind *kinds[SERVICE_KINDS];
    uint32_t kind_setting;        /* of two kinds: the row whose choice picks one */
    struct capture_filter filter; /* what it takes from a capture */
    uint64_t rate;                /* packets per second that are usually generated */
    /* Its input data, read or generated from its settings, and its generator; NULL with `err`.
     * It stays unchanged while a machine has it. */
    void *(*prepare)(const struct service_input *input, struct error *err);
    void (*release)(void *inputs);
    /* The generator of its frames, as long as `inputs` are there, and its usual traffic. */
    const struct traffic_source *(*traffic)(const void *inputs, struct traffic_options *usual);
};

#endif
