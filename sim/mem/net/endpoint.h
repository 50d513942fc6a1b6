/* Who talks over the network: tables instead of numbering rules. A requester's port is its place in
 * the table that the owner of the memory system hands over (memsys_config.requesters); the other
 * side's are the lanes of the partitions' banks, in a table of the memory system's. */
#ifndef EVGPU_MEM_NET_ENDPOINT_H
#define EVGPU_MEM_NET_ENDPOINT_H

#include <stdint.h>

#define MAX_ENDPOINTS 256u /* of one direction of the network */

enum endpoint_kind {
    ENDPOINT_CORE,
    ENDPOINT_CPU,
    ENDPOINT_HOST,
    ENDPOINT_PARTITION,
    ENDPOINT_KINDS
};

struct endpoint {
    uint8_t kind;   /* enum endpoint_kind */
    uint8_t class;  /* enum request_class of its requests */
    uint16_t index; /* among those of its kind */
};

#endif
