#include "sw/services/ipsec/cbc.h"

#include <openssl/evp.h>
#include <stdio.h>
#include <stdlib.h>

void cbc_crypt(enum esp_cipher cipher, bool encrypt, const uint8_t *key, const uint8_t *iv,
               const uint8_t *in, uint8_t *out, uint32_t bytes)
{
    const EVP_CIPHER *kind = cipher == ESP_3DES_CBC ? EVP_des_ede3_cbc() : EVP_aes_128_cbc();
    EVP_CIPHER_CTX *c = EVP_CIPHER_CTX_new();
    int n = 0;
    if (!c || !EVP_CipherInit_ex(c, kind, NULL, key, iv, encrypt) ||
        !EVP_CIPHER_CTX_set_padding(c, 0) || !EVP_CipherUpdate(c, out, &n, in, (int)bytes)) {
        fprintf(stderr, "evgpu: libcrypto has no %s\n", cipher_name(cipher));
        exit(3);
    }
    EVP_CIPHER_CTX_free(c);
}
