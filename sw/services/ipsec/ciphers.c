#include "sw/services/ipsec/ciphers.h"

#include <string.h>

#include "sw/services/common/bytes.h"

const char *cipher_name(enum esp_cipher cipher)
{
    static const char *const NAMES[ESP_CIPHERS] = {"3des", "aes128"};
    return NAMES[cipher];
}

/* --- DES (FIPS 46-3); its tables number bits from 1, the most significant one --- */

static const uint8_t S_BOX[8][64] = {
    {14, 4,  13, 1, 2,  15, 11, 8, 3, 10, 6, 12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
     13, 1,  10, 6, 12, 11, 9,  5, 3, 8,  4, 1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
     3,  10, 5,  0, 15, 12, 8,  2, 4, 9,  1, 7,  5,  11, 3,  14, 10, 0,  6,  13},
    {15, 1,  8,  14, 6,  11, 3,  4, 9,  7,  2, 13, 12, 0,  5,  10, 3,  13, 4,  7, 15, 2,
     8,  14, 12, 0,  1,  10, 6,  9, 11, 5,  0, 14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,
     9,  3,  2,  15, 13, 8,  10, 1, 3,  15, 4, 2,  11, 6,  7,  12, 0,  5,  14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7, 11, 4,  2,  8,  13, 7, 0,  9, 3, 4,
     6,  10, 2,  8,  5, 14, 12, 11, 15, 1,  13, 6, 4,  9,  8,  15, 3,  0, 11, 1, 2, 12,
     5,  10, 14, 7,  1, 10, 13, 0,  6,  9,  8,  7, 4,  15, 14, 3,  11, 5, 2,  12},
    {7, 13, 14, 3, 0, 6,  9, 10, 1,  2, 8,  5, 11, 12, 4,  15, 13, 8,  11, 5, 6, 15,
     0, 3,  4,  7, 2, 12, 1, 10, 14, 9, 10, 6, 9,  0,  12, 11, 7,  13, 15, 1, 3, 14,
     5, 2,  8,  4, 3, 15, 0, 6,  10, 1, 13, 8, 9,  4,  5,  11, 12, 7,  2,  14},
    {2,  12, 4, 1,  7,  10, 11, 6, 8, 5,  3, 15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
     13, 1,  5, 0,  15, 10, 3,  9, 8, 6,  4, 2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
     6,  3,  0, 14, 11, 8,  12, 7, 1, 14, 2, 13, 6,  15, 0,  9,  10, 4,  5,  3},
    {12, 1,  10, 15, 9,  2,  6, 8,  0, 13, 3,  4,  14, 7,  5, 11, 10, 15, 4, 2, 7, 12,
     9,  5,  6,  1,  13, 14, 0, 11, 3, 8,  9,  14, 15, 5,  2, 8,  12, 3,  7, 0, 4, 10,
     1,  13, 11, 6,  4,  3,  2, 12, 9, 5,  15, 10, 11, 14, 1, 7,  6,  0,  8, 13},
    {4, 11, 2,  14, 15, 0,  8,  13, 3, 12, 9,  7, 5,  10, 6,  1,  13, 0,  11, 7,  4, 9,
     1, 10, 14, 3,  5,  12, 2,  15, 8, 6,  1,  4, 11, 13, 12, 3,  7,  14, 10, 15, 6, 8,
     0, 5,  9,  2,  6,  11, 13, 8,  1, 4,  10, 7, 9,  5,  0,  15, 14, 2,  3,  12},
    {13, 2, 8,  4, 6, 15, 11, 1,  10, 9,  3, 14, 5,  0,  12, 7,  1,  15, 13, 8, 10, 3,
     7,  4, 12, 5, 6, 11, 0,  14, 9,  2,  7, 11, 4,  1,  9,  12, 14, 2,  0,  6, 10, 13,
     15, 3, 5,  8, 2, 1,  14, 7,  4,  10, 8, 13, 15, 12, 9,  0,  3,  5,  6,  11}};

static const uint8_t P[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                              2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};
static const uint8_t PC1[56] = {57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18,
                                10, 2,  59, 51, 43, 35, 27, 19, 11, 3,  60, 52, 44, 36,
                                63, 55, 47, 39, 31, 23, 15, 7,  62, 54, 46, 38, 30, 22,
                                14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
static const uint8_t PC2[48] = {14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,
                                26, 8,  16, 7,  27, 20, 13, 2,  41, 52, 31, 37, 47, 55, 30, 40,
                                51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};

/* Bits of `value` (of `width`) in the order of the table; the first is the most significant. */
static uint64_t permute(uint64_t value, uint32_t width, const uint8_t *table, uint32_t bits)
{
    uint64_t result = 0;
    for (uint32_t i = 0; i < bits; i++)
        result = result << 1 | (value >> (width - table[i]) & 1);
    return result;
}

static void des_tables(uint32_t *words)
{
    for (uint32_t box = 0; box < 8; box++) {
        for (uint32_t in = 0; in < 64; in++) {
            uint32_t row = (in >> 4 & 2) | (in & 1), column = in >> 1 & 15;
            uint32_t out = (uint32_t)S_BOX[box][16 * row + column] << (28 - 4 * box);
            words[64 * box + in] = (uint32_t)permute(out, 32, P, 32);
        }
    }
}

/* Groups 0, 2, 4, 6 of a round's 48 bits at the upper ends of the bytes of the first word, the
 * others in the second. */
static void des_round(uint64_t key, uint32_t words[2])
{
    words[0] = words[1] = 0;
    for (uint32_t group = 0; group < 8; group++) {
        uint32_t six = (uint32_t)(key >> (42 - 6 * group)) & 63;
        words[group & 1] |= six << (26 - 8 * (group / 2));
    }
}

/* 16 rounds; `forward`: in the order of encryption. */
static void des_schedule(const uint8_t *key, bool forward, uint32_t *words)
{
    static const uint8_t SHIFT[16] = {1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1};
    uint64_t bits = permute((uint64_t)read_be32(key) << 32 | read_be32(key + 4), 64, PC1, 56);
    uint32_t c = (uint32_t)(bits >> 28), d = (uint32_t)bits & 0xFFFFFFF;
    for (uint32_t round = 0; round < 16; round++) {
        uint32_t n = SHIFT[round];
        c = (c << n | c >> (28 - n)) & 0xFFFFFFF;
        d = (d << n | d >> (28 - n)) & 0xFFFFFFF;
        des_round(permute((uint64_t)c << 28 | d, 56, PC2, 48),
                  words + 2 * (forward ? round : 15 - round));
    }
}

/* --- AES (FIPS 197) --- */

static uint32_t times(uint32_t a, uint32_t b)
{
    uint32_t product = 0;
    for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11B : 0)) {
        if (b & 1)
            product ^= a;
    }
    return product;
}

static void aes_box(uint8_t box[256])
{
    for (uint32_t x = 0; x < 256; x++) {
        uint32_t inverse = 0;
        for (uint32_t y = 1; x && y < 256 && !inverse; y++) {
            if (times(x, y) == 1)
                inverse = y;
        }
        uint32_t out = 0x63;
        for (uint32_t turn = 0; turn < 5; turn++)
            out ^= (inverse << turn | inverse >> (8 - turn)) & 255;
        box[x] = (uint8_t)out;
    }
}

/* MixColumns or its inverse, of one column whose first byte is the most significant. */
static uint32_t mix(uint32_t column, bool inverse)
{
    static const uint8_t FACTORS[2][4] = {{2, 1, 1, 3}, {14, 9, 13, 11}};
    const uint8_t *f = FACTORS[inverse];
    uint32_t result = 0;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t byte = column >> (24 - 8 * i) & 255;
        uint32_t mixed = times(byte, f[0]) << 24 | times(byte, f[1]) << 16 |
                         times(byte, f[2]) << 8 | times(byte, f[3]);
        result ^= i ? mixed >> 8 * i | mixed << (32 - 8 * i) : mixed;
    }
    return result;
}

static void aes_tables(bool encrypt, uint32_t *words)
{
    uint8_t box[256];
    aes_box(box);
    for (uint32_t x = 0; x < 256; x++) {
        uint32_t in = encrypt ? x : box[x], out = encrypt ? box[x] : x;
        words[in] = mix(out << 24, !encrypt);
        words[256 + in] = out;
    }
}

/* Those of the equivalent inverse cipher: last first, and mixed between the ends. */
static void aes_schedule(const uint8_t *key, bool encrypt, uint32_t *words)
{
    uint8_t box[256];
    uint32_t w[44], factor = 1;
    aes_box(box);
    for (uint32_t i = 0; i < 44; i++) {
        if (i < 4) {
            w[i] = read_be32(key + 4 * i);
            continue;
        }
        uint32_t t = w[i - 1];
        if (i % 4 == 0) {
            t = t << 8 | t >> 24;
            t = (uint32_t)box[t >> 24] << 24 | (uint32_t)box[t >> 16 & 255] << 16 |
                (uint32_t)box[t >> 8 & 255] << 8 | box[t & 255];
            t ^= factor << 24;
            factor = times(factor, 2);
        }
        w[i] = w[i - 4] ^ t;
    }
    for (uint32_t i = 0; i < 44; i++) {
        uint32_t from = w[encrypt ? i : 4 * (10 - i / 4) + i % 4];
        words[i] = encrypt || i < 4 || i >= 40 ? from : mix(from, true);
    }
}

/* --- both --- */

void cipher_tables(bool encrypt, uint32_t words[ESP_DES_WORDS + ESP_AES_WORDS])
{
    des_tables(words);
    aes_tables(encrypt, words + ESP_AES_OFFSET);
}

void cipher_schedule(enum esp_cipher cipher, bool encrypt, const uint8_t *key,
                     uint32_t words[ESP_KEY_WORDS])
{
    memset(words, 0, ESP_KEY_WORDS * sizeof *words);
    if (cipher == ESP_AES128_CBC) {
        aes_schedule(key, encrypt, words);
        return;
    }
    /* Encryption with key 1, decryption with 2, encryption with 3; or the way back. */
    des_schedule(encrypt ? key : key + 16, encrypt, words);
    des_schedule(key + 8, !encrypt, words + 32);
    des_schedule(encrypt ? key + 16 : key, encrypt, words + 64);
}
