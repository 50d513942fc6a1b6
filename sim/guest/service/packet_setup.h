/* A service as the command line says it: its settings, the common ones of NIC, launch and traffic
 * (packet_settings.c), and its packets, from a capture or from its generator. */
#ifndef EVGPU_GUEST_SERVICE_PACKET_SETUP_H
#define EVGPU_GUEST_SERVICE_PACKET_SETUP_H

#include "sim/guest/service/packet_service.h"
#include "sim/guest/service/settings.h"
#include "sim/system/config.h"

struct packet_setup;

struct packet_setup_input {
    const struct machine_config *config;
    uint64_t seed;                  /* of everything generated, unless a setting says otherwise */
    const struct setting *settings; /* later ones win */
    uint32_t n_settings;
    bool traffic_only; /* no capture is read or generated */
};

/* NULL with `err`. The result can be put on any number of machines, one after the other. */
struct packet_setup *packet_setup_create(const struct event_service *service,
                                         const struct packet_setup_input *input, struct error *err);
void packet_setup_free(struct packet_setup *u);

/* As a guest of the machine; the set-up stays, and unchanged, as long as the machine. */
bool packet_setup_attach(const struct packet_setup *u, struct machine *m, const char *name,
                         struct error *err);

/* The options of NIC and launch; for the measurement of a promise (promise.h), which changes it. */
struct packet_options *packet_setup_options(struct packet_setup *u);

/* The files that its settings name, by place; false behind the last. */
#define PACKET_FILES 6u /* at most */
struct packet_file {
    const char *key, *path;
    bool written;
};
bool packet_setup_file(const struct packet_setup *u, uint32_t place, struct packet_file *file);

/* The generator of the service's frames, as long as the set-up is there, and its usual traffic as
 * the settings change it. NULL with an error that names a setting which is not of the generator. */
const struct traffic_source *packet_setup_traffic(const struct packet_setup *u,
                                                  struct traffic_options *usual, struct error *err);

/* The common settings, for people. */
void packet_settings_print(FILE *to);

#endif
