/* The event services by name, for `evgpu run --service NAME[,key=value...]`. */
#ifndef EVGPU_GUEST_SERVICE_SERVICE_H
#define EVGPU_GUEST_SERVICE_SERVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "sim/system/config.h"
#include "sim/system/machine.h"
#include "sw/services/common/traffic.h"

/* key=value; the value is NULL when there is no "=". Both stay the caller's. */
struct packet_setup;

struct setting {
    const char *key, *value;
};

struct service_input {
    const struct machine_config *config;
    uint64_t seed;                  /* of everything generated, unless a setting says otherwise */
    const struct setting *settings; /* later ones win */
    uint32_t n_settings;
    bool traffic_only; /* for service_kind.traffic: no capture is read or generated */
};

struct service_kind {
    const char *name, *meaning;
    const char *keys; /* for people: one line per key */
    /* Reads the service's inputs; NULL with `err`. The result can be put on any number of machines,
     * one after the other. */
    void *(*prepare)(const struct service_input *input, struct error *err);
    bool (*attach)(const void *prepared, struct machine *m, const char *name, struct error *err);
    void (*release)(void *prepared);
    /* Files that a run of it writes, one per call from 0 on; NULL after the last. */
    const char *(*output)(const void *prepared, uint32_t index);
    /* For `evgpu pktgen`: what makes the service's frames, as long as `prepared` is there, and its
     * usual traffic. */
    const struct traffic_source *(*traffic)(const void *prepared, struct traffic_options *options);
    /* For the promises of packet services (promise.h). */
    struct packet_setup *(*packets)(void *prepared);
};

/* NULL with the list of names in `err`. */
const struct service_kind *service_find(const char *name, struct error *err);
const struct service_kind *service_at(uint32_t index); /* NULL after the last */

/* Takes a setting's value as a number up to `max`. */
bool setting_number(const struct setting *s, uint64_t max, uint64_t *value, struct error *err);

#endif
