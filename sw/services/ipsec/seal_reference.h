/* Host reference of the sending ESP kernel: the same rules (esp.h), with OpenSSL's ciphers.
 *
 * Packets are worked on at the same time, so which gets which sequence number is open: the
 * reference takes the kernel's, and holds all of an association to be 1, 2, 3... */
#ifndef EVGPU_SW_SEAL_REFERENCE_H
#define EVGPU_SW_SEAL_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipsec/sas.h"

struct error; /* base/error.h */

#define SEAL_GROWTH 64u /* bytes at most that a packet grows by */

struct esp_sender;

/* The list stays the caller's; those of it that protect a network have both outer addresses. */
struct esp_sender *esp_sender_create(const struct sa_list *list);
void esp_sender_destroy(struct esp_sender *s);

/* Seals the frame in place, which has room for SEAL_GROWTH more bytes; returns the result word,
 * `*length` becomes that of the frame to be sent. `sent` is what the kernel has made of it, of
 * `sent_length` bytes; NULL for nothing. */
uint32_t seal_reference(struct esp_sender *s, uint8_t *frame, uint32_t *length, const uint8_t *sent,
                        uint32_t sent_length);

/* After the last packet. */
bool seal_settled(struct esp_sender *s, struct error *err);

const char *seal_verdict_name(uint32_t verdict);

#endif
