/* The service `ipsec`: a gateway's receiving or sending side, ESP in tunnel mode
 * (sw/services/ipsec). */
#ifndef EVGPU_GUEST_SERVICE_IPSEC_H
#define EVGPU_GUEST_SERVICE_IPSEC_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/service.h"
#include "sw/services/ipsec/sas.h"

struct ipsec_inputs {
    struct sa_list sas;
    uint32_t icv_bytes; /* at the end of a packet, not looked at */
};

extern const struct packet_kind ipsec_kind;      /* receives; inputs: struct ipsec_inputs */
extern const struct packet_kind ipsec_seal_kind; /* sends; the same inputs */
extern const struct service_kind ipsec_service;  /* ipsec_setup.c: from its settings */

#endif
