/* Security associations: generated, or read from a file. */
#ifndef EVGPU_SW_SAS_H
#define EVGPU_SW_SAS_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipsec/ciphers.h"

struct error; /* base/error.h */

#define SA_KEY_BYTES 24u
#define SA_LEAST_SPI 256u /* RFC 4303, 2.1: lower ones are reserved */
#define SA_MOST      65536u
#define SA_PORTS     16u

struct sa {
    uint32_t spi;
    uint32_t source, local; /* outer addresses, host order; 0: any */
    uint32_t network, mask; /* what it protects, by destination */
    bool protects;
    enum esp_cipher cipher;
    uint8_t key[SA_KEY_BYTES];
};

struct sa_list {
    struct sa *sa;
    uint32_t count, capacity;
};

/* `count`, 1..SA_MOST, of distinct SPIs; deterministic in `seed`. */
void sas_generate(uint64_t seed, uint32_t count, enum esp_cipher cipher, struct sa_list *list);

/* One per line: SPI, cipher (3des or aes128), key in hexadecimal digits, and optionally the outer
 * addresses, source then destination, and the network, ADDRESS/LENGTH, that is sent through it;
 * numbers may begin with 0x. Empty lines and lines that start with # are skipped. Plain, gzip or
 * xz. False with "FILE:LINE: ...". */
bool sas_read(const char *path, struct sa_list *list, struct error *err);
void sas_free(struct sa_list *list);

/* Number in the list, or UINT32_MAX. */
uint32_t sas_find(const struct sa_list *list, uint32_t spi);

/* Where the packets of association `index` go on to. */
struct esp_sa sas_entry(const struct sa_list *list, uint32_t index);

/* Places of the table in device memory: a power of two, at least twice the associations. */
uint32_t sas_places(const struct sa_list *list);

/* `sas`: [places], `keys`: [places][ESP_KEY_WORDS], for encryption or decryption; zero on entry. */
void sas_fill(const struct sa_list *list, bool encrypt, struct esp_sa *sas, uint32_t *keys);

/* Policies of those that protect a network, in the order of the list: at most `list->count` of
 * them; `sas` as sas_fill has filled it. How many. */
uint32_t sas_policies(const struct sa_list *list, const struct esp_sa *sas,
                      struct esp_policy *policies);

#endif
