/* Device code of the kernels that send ESP in tunnel mode: the work of a warp on one packet.
 *
 * Layout of slots, associations and results: esp.h. The packet is moved to where it is to be
 * encrypted, by all lanes; CBC encrypts one block after the other, so that there the lanes do the
 * same. The initialization vector is the cipher of SPI and sequence number, which nobody can
 * predict and which does not come twice (SP 800-38A, appendix C). The host reference is
 * seal_reference.c, with OpenSSL's ciphers. */
#ifndef EVGPU_SW_ESP_SEAL_DEVICE_H
#define EVGPU_SW_ESP_SEAL_DEVICE_H

#include "esp_device.h"

struct Inner {
    unsigned *slot;
    unsigned total, tos;
    unsigned destination;
};

static __device__ __forceinline__ unsigned check(Inner &p)
{
    const uint4 *slot = (const uint4 *)p.slot;
    uint4 ethernet = __ldcg(slot);
    unsigned length = ethernet.x & 0xFFFF;
    if (length < ESP_ETHERNET_BYTES + ESP_IPV4_BYTES)
        return SEAL_TOO_SHORT;
    uint4 ip = __ldcg(slot + 1);
    unsigned words = ip.x & 0xF;
    p.destination = __ldcg(p.slot + 8);
    p.total = swap16(ip.x >> 16);
    p.tos = ip.x >> 8 & 0xFF;
    if ((ethernet.w >> 16) != 0x0008 || (ip.x & 0xF0) != 0x40 || words < 5 || p.total < 4 * words)
        return SEAL_BAD_HEADER;
    if (p.total + ESP_ETHERNET_BYTES > length)
        return SEAL_TOO_SHORT;
    unsigned sum = add_word(add_word(add_word(0, ip.x), ip.y), ip.z);
    sum = add_word(add_word(sum, ip.w), p.destination);
    for (unsigned i = 5; i < words; i++)
        sum = add_word(sum, __ldcg(p.slot + 4 + i));
    return fold(sum) == 0xFFFF ? SEAL_NONE : SEAL_BAD_CHECKSUM;
}

/* Each lane looks at a policy; the first that fits. */
static __device__ __forceinline__ bool find(const Inner &p, unsigned lane,
                                            const esp_policy *policies, unsigned n_policies,
                                            unsigned &place)
{
    for (unsigned first = 0; first < n_policies; first += 32) {
        uint4 policy = {};
        bool fits = false;
        if (first + lane < n_policies) {
            policy = *(const uint4 *)&policies[first + lane];
            fits = (p.destination & policy.y) == policy.x;
        }
        unsigned who = __ballot_sync(~0u, fits);
        if (who) {
            place = __shfl_sync(~0u, policy.z, __ffs(who) - 1);
            return true;
        }
    }
    return false;
}

/* Moves `bytes` from slot offset 16 to `to`, 4 or more further and a multiple of 4: last words
 * first. */
static __device__ __forceinline__ void move(const Inner &p, unsigned lane, unsigned to,
                                            unsigned bytes)
{
    unsigned words = (bytes + 3) / 4;
    for (unsigned chunk = (words + 31) / 32; chunk-- > 0;) {
        unsigned at = chunk * 32 + lane;
        unsigned word = at < words ? __ldcg(p.slot + 4 + at) : 0;
        __syncwarp();
        if (at < words)
            p.slot[to / 4 + at] = word;
        __syncwarp();
    }
}

/* RFC 4303, 2.4 to 2.6, behind `bytes` at `at`. */
static __device__ __forceinline__ void pad(const Inner &p, unsigned lane, unsigned at,
                                           unsigned padding)
{
    unsigned char *end = (unsigned char *)p.slot + at;
    if (lane < padding)
        end[lane] = (unsigned char)(lane + 1);
    if (lane == 0) {
        end[padding] = (unsigned char)padding;
        end[padding + 1] = ESP_NEXT_IPV4;
    }
    __syncwarp();
}

/* The text to encrypt: the IV at `text`, made here, then blocks. */
struct Chain {
    unsigned *text;
    unsigned blocks;
    unsigned spi, number;
    const unsigned *keys, *tables;
};

static __device__ __forceinline__ void encrypt_des(const Chain &c, unsigned lane)
{
    unsigned *text = c.text, left = c.spi, right = c.number;
    for (unsigned block = 0; block <= c.blocks; block++) {
        if (block) {
            left ^= swap32(__ldcg(text + 2 * block));
            right ^= swap32(__ldcg(text + 2 * block + 1));
        }
        des3(left, right, (const uint2 *)c.keys, c.tables);
        if (lane == 0) {
            text[2 * block] = swap32(left);
            text[2 * block + 1] = swap32(right);
        }
    }
}

static __device__ __forceinline__ void encrypt_aes(const Chain &c, unsigned lane)
{
    unsigned *text = c.text;
    uint4 s = make_uint4(c.spi, c.number, 0, 0);
    for (unsigned block = 0; block <= c.blocks; block++) {
        if (block) {
            uint4 t = swap_block(load_block(text + 4 * block));
            s = make_uint4(s.x ^ t.x, s.y ^ t.y, s.z ^ t.z, s.w ^ t.w);
        }
        s = aes<false>(s, (const uint4 *)c.keys, c.tables + ESP_AES_OFFSET);
        uint4 out = swap_block(s);
        if (lane == 0) {
            text[4 * block] = out.x;
            text[4 * block + 1] = out.y;
            text[4 * block + 2] = out.z;
            text[4 * block + 3] = out.w;
        }
    }
}

static __device__ __forceinline__ void make_headers(const Inner &p, const esp_sa &sa,
                                                    unsigned total, unsigned number)
{
    unsigned ip0 = 0x45 | p.tos << 8 | swap16(total) << 16, ip1 = swap16(number & 0xFFFF);
    unsigned ip2 = 64 | ESP_PROTOCOL << 8;
    unsigned sum = add_word(add_word(add_word(0, ip0), ip1), ip2);
    sum = fold(add_word(add_word(sum, sa.source), sa.local));
    set_hop(p.slot, sa);
    ((uint4 *)p.slot)[1] = make_uint4(ip0, ip1, ip2 | (~sum & 0xFFFF) << 16, sa.source);
    p.slot[8] = sa.local;
    p.slot[9] = swap32(sa.spi);
    p.slot[10] = swap32(number);
}

struct Tables {
    const esp_sa *sas;
    const unsigned *keys, *ciphers;
    unsigned *numbers; /* last ones used, by place */
    const esp_policy *policies;
    unsigned n_policies;
};

static __device__ __forceinline__ unsigned seal(unsigned char *slot, unsigned lane, const Tables &t,
                                                unsigned &length)
{
    Inner p;
    unsigned place = 0, number = 0;
    p.slot = (unsigned *)slot;
    unsigned verdict = check(p);
    if (verdict != SEAL_NONE)
        return verdict;
    if (!find(p, lane, t.policies, t.n_policies, place))
        return SEAL_NO_POLICY;
    const esp_sa &sa = t.sas[place];
    unsigned block = sa.cipher == ESP_3DES_CBC ? 8 : 16; /* also the IV's length */
    unsigned padding = (0 - (p.total + 2)) & (block - 1), bytes = p.total + 2 + padding;
    unsigned total = ESP_IPV4_BYTES + ESP_HEADER_BYTES + block + bytes;
    if (total > 65535)
        return SEAL_TOO_BIG;
    if (__ldcg(&t.numbers[place]) >= ESP_LAST_NUMBER)
        return SEAL_EXHAUSTED;
    if (lane == 0)
        number = atomicAdd(&t.numbers[place], 1u) + 1;
    number = __shfl_sync(~0u, number, 0);

    unsigned at = 16 + ESP_IPV4_BYTES + ESP_HEADER_BYTES; /* of the IV */
    move(p, lane, at + block, p.total);
    pad(p, lane, at + block + p.total, padding);
    const Chain chain = {
        p.slot + at / 4, bytes / block, sa.spi, number, t.keys + place * ESP_KEY_WORDS, t.ciphers};
    if (sa.cipher == ESP_3DES_CBC)
        encrypt_des(chain, lane);
    else
        encrypt_aes(chain, lane);
    if (lane == 0)
        make_headers(p, sa, total, number);
    length = ESP_ETHERNET_BYTES + total;
    return (unsigned)sa.port << ESP_PORT_SHIFT | SEAL_FORWARD;
}

#endif
