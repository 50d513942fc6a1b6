/* DES and AES data for the GPU kernels: tables and round keys. Computed from the standards
 * (FIPS 46-3, FIPS 197), independently of OpenSSL, which checks the results. */
#ifndef EVGPU_SW_CIPHERS_H
#define EVGPU_SW_CIPHERS_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipsec/esp.h"

/* The tables of esp.h, for encryption or decryption. */
void cipher_tables(bool encrypt, uint32_t words[ESP_DES_WORDS + ESP_AES_WORDS]);

/* Round keys for encryption or decryption, in the kernel's order; unused words are 0. `key`: 24
 * bytes for 3DES, 16 for AES. */
void cipher_schedule(enum esp_cipher cipher, bool encrypt, const uint8_t *key,
                     uint32_t words[ESP_KEY_WORDS]);

static inline uint32_t cipher_key_bytes(enum esp_cipher cipher)
{
    return cipher == ESP_3DES_CBC ? 24 : 16;
}
static inline uint32_t cipher_block_bytes(enum esp_cipher cipher)
{
    return cipher == ESP_3DES_CBC ? 8 : 16;
}

const char *cipher_name(enum esp_cipher cipher);

#endif
