/* A packet of a capture: what services read and network cards replay. */
#ifndef EVGPU_BASE_CAPTURED_PACKET_H
#define EVGPU_BASE_CAPTURED_PACKET_H

#include <stdint.h>

struct captured_packet {
    uint64_t timestamp_ns;
    uint32_t offset; /* of the frame in the capture's bytes */
    uint32_t length; /* bytes, without FCS, > 0 */
};

#endif
