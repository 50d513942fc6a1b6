/* CBC mode by OpenSSL's libcrypto. */
#ifndef EVGPU_SW_CBC_H
#define EVGPU_SW_CBC_H

#include <stdbool.h>
#include <stdint.h>

#include "sw/services/ipsec/ciphers.h"

/* Whole blocks, `out` may be `in`. Ends the program where libcrypto lacks the cipher. */
void cbc_crypt(enum esp_cipher cipher, bool encrypt, const uint8_t *key, const uint8_t *iv,
               const uint8_t *in, uint8_t *out, uint32_t bytes);

#endif
