/* Messages in Ethernet frames between host and board: EtherType LINK_ETHERTYPE, the message's
 * length in two bytes, high first, the message, zeros up to the shortest frame
 * (docs/design/fpga.md, "Ethernet"). */
#ifndef EVGPU_TB_ETHERNET_H
#define EVGPU_TB_ETHERNET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum {
    MAC_BYTES = 6,
    ETHERNET_HEAD = 2 * MAC_BYTES + 2 + 2, /* addresses, type, length of the message */
    ETHERNET_LEAST = 60,                   /* without the check sequence */
    ETHERNET_MOST = ETHERNET_HEAD + 511
};

/* The board's address. */
void ethernet_board_mac(uint8_t mac[MAC_BYTES]);

/* A frame without check sequence; returns its bytes. `count` is at most 509. */
size_t ethernet_encode(const uint8_t to[MAC_BYTES], const uint8_t from[MAC_BYTES],
                       const uint8_t *message, size_t count, uint8_t frame[ETHERNET_MOST]);
/* The message in a frame from `from`, or NULL: it is none of ours. */
const uint8_t *ethernet_decode(const uint8_t *frame, size_t bytes, const uint8_t from[MAC_BYTES],
                               size_t *count);

/* `name` is a network interface, or with a slash a Unix datagram socket. NULL with an error. */
struct ethernet;
struct ethernet *ethernet_open(const char *name, struct error *err);
void ethernet_close(struct ethernet *e);

bool ethernet_send(struct ethernet *e, const uint8_t *message, size_t count, struct error *err);
/* Waits at most timeout_ms for a message of the board; *message is NULL after a time-out. */
bool ethernet_receive(struct ethernet *e, int timeout_ms, const uint8_t **message, size_t *count,
                      struct error *err);

/* For a simulated board: raw frames by a socket of AF_PACKET bound to an interface; -1 with an
 * error. `mac` gets the interface's address. */
int ethernet_raw_socket(const char *interface, uint8_t mac[MAC_BYTES], struct error *err);

#endif
