/* The settings that all services have: NIC, launch, capture or traffic, promise. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_SETTINGS_H
#define EVGPU_GUEST_SERVICE_PACKET_SETTINGS_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/settings.h"
#include "sim/system/config.h"

/* Rows of packet_setting_rows. */
enum {
    PS_CAPTURE,
    PS_PORT,
    PS_RECORD,
    PS_DILATION,
    PS_SECONDS,
    PS_OPEN,
    PS_FRAME,
    PS_PACKETS,
    PS_RATE,
    PS_PACE,
    PS_ARRIVALS,
    PS_DROP,
    PS_LAUNCH,
    PS_RING,
    PS_RING_PACKETS,
    PS_PERSISTENT_WARPS,
    PS_KERNEL,
    PS_CHECK,
    PS_EXECUTE,
    PS_BLOCKS,
    PS_HAND,
    PS_FILL,
    PS_DOORBELL,
    PS_RETURN,
    PS_BATCH,
    PS_REGISTERS,
    PS_IN_FLIGHT,
    PS_TIMEOUT,
    PS_PRIORITY,
    PS_P99,
    PS_PROMISE_RATE,
    PS_PROMISE_BURST,
    PS_OUT,
    PS_SEED,
    PACKET_SETTINGS
};

enum { ARRIVALS_EVEN, ARRIVALS_POISSON };

extern const struct setting_row packet_setting_rows[PACKET_SETTINGS + 1];

/* Second kernels that may wait for words at a time (packet_pipeline.h): fewer than cores and than
 * kernels in kernel management. */
static inline uint32_t pipeline_waiting(const struct machine_config *config)
{
    uint32_t most = config->cores;
    most = config->kernels.running < most ? config->kernels.running : most;
    most = config->kernels.pending < most ? config->kernels.pending : most;
    return most - 1;
}

/* The options that the values say, for work of `kind` of the service; its default kernels are
 * options->ptx NULL. False with `err` where values do not go together. */
bool packet_settings_options(const struct setting_value *values, const char *service,
                             const struct packet_kind *kind, const struct machine_config *config,
                             struct packet_options *options, struct error *err);

#endif
