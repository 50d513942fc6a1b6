/* Who talks over the network: a table instead of a numbering rule. A requester's port is its place
 * in the table that the owner of the memory system hands over (memsys_config.requesters). */
#ifndef EVGPU_MEM_ENDPOINT_H
#define EVGPU_MEM_ENDPOINT_H

#include <stdint.h>

#define MAX_ENDPOINTS 256u /* of one direction of the network */

enum endpoint_kind { ENDPOINT_CORE, ENDPOINT_CPU, ENDPOINT_HOST, ENDPOINT_KINDS };

struct endpoint {
    uint8_t kind;   /* enum endpoint_kind */
    uint8_t class;  /* enum request_class of its requests */
    uint16_t index; /* among those of its kind */
};

#endif
