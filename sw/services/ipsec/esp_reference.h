/* Host reference of the ESP kernel: the same rules (esp.h), with OpenSSL's ciphers.
 *
 * Packets are worked on at the same time, so which of two with the same number is accepted is open;
 * the reference takes the kernel's word and holds it to the rules: no number is accepted twice, and
 * a packet is a replay only where one of its number, or one that many windows later, was accepted.
 */
#ifndef EVGPU_SW_ESP_REFERENCE_H
#define EVGPU_SW_ESP_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipsec/sas.h"

struct error; /* base/error.h */

struct esp_receiver;

/* The list stays the caller's. `icv_bytes` at a packet's end are not looked at. */
struct esp_receiver *esp_receiver_create(const struct sa_list *list, uint32_t icv_bytes);
void esp_receiver_destroy(struct esp_receiver *r);

/* Opens the frame in place; returns the result word, `*length` becomes that of the frame to be
 * sent. `said_replay`: the kernel has called it one. */
uint32_t esp_reference(struct esp_receiver *r, uint8_t *frame, uint32_t *length, bool said_replay);

/* After the last packet: what was called a replay was one. */
bool esp_settled(struct esp_receiver *r, struct error *err);

const char *esp_verdict_name(uint32_t verdict);

#endif
