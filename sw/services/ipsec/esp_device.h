/* Device code of the ESP kernels: ciphers of one block, sums, the frame around a packet. */
#ifndef EVGPU_SW_ESP_DEVICE_H
#define EVGPU_SW_ESP_DEVICE_H

#include "../common/network_device.h"
#include "esp.h"

static_assert(sizeof(esp_sa) == 32, "an association is read as two vectors");

static __device__ __forceinline__ unsigned rotate(unsigned x, unsigned left)
{
    return __funnelshift_l(x, x, left);
}

/* --- 3DES --- */

/* Groups of 6 bits of the expanded half: the even ones lie in the half turned right by 1, at the
 * upper ends of its bytes, the odd ones in the half turned left by 3. */
static __device__ __forceinline__ unsigned des_f(unsigned half, uint2 key, const unsigned *box)
{
    unsigned even = rotate(half, 31) ^ key.x, odd = rotate(half, 3) ^ key.y;
    return box[even >> 26] ^ box[64 + (odd >> 26)] ^ box[128 + (even >> 18 & 63)] ^
           box[192 + (odd >> 18 & 63)] ^ box[256 + (even >> 10 & 63)] ^
           box[320 + (odd >> 10 & 63)] ^ box[384 + (even >> 2 & 63)] ^ box[448 + (odd >> 2 & 63)];
}

/* Exchanges the bits of `a` under mask << shift with those of `b` under mask. */
static __device__ __forceinline__ void exchange(unsigned &a, unsigned &b, unsigned shift,
                                                unsigned mask)
{
    unsigned t = (a >> shift ^ b) & mask;
    b ^= t;
    a ^= t << shift;
}

static __device__ __forceinline__ void des3(unsigned &left, unsigned &right, const uint2 *keys,
                                            const unsigned *box)
{
    exchange(left, right, 4, 0x0F0F0F0F); /* initial permutation */
    exchange(left, right, 16, 0x0000FFFF);
    exchange(right, left, 2, 0x33333333);
    exchange(right, left, 8, 0x00FF00FF);
    exchange(left, right, 1, 0x55555555);
    for (unsigned stage = 0; stage < 3; stage++) {
        for (unsigned round = 0; round < 16; round += 2) {
            left ^= des_f(right, keys[stage * 16 + round], box);
            right ^= des_f(left, keys[stage * 16 + round + 1], box);
        }
        unsigned keep = left;
        left = right;
        right = keep;
    }
    exchange(left, right, 1, 0x55555555); /* and back */
    exchange(right, left, 8, 0x00FF00FF);
    exchange(right, left, 2, 0x33333333);
    exchange(left, right, 16, 0x0000FFFF);
    exchange(left, right, 4, 0x0F0F0F0F);
}

/* --- AES --- */

static __device__ __forceinline__ unsigned aes_column(const unsigned *table, unsigned a, unsigned b,
                                                      unsigned c, unsigned d, unsigned key)
{
    return table[a >> 24] ^ rotate(table[b >> 16 & 255], 24) ^ rotate(table[c >> 8 & 255], 16) ^
           rotate(table[d & 255], 8) ^ key;
}
static __device__ __forceinline__ unsigned aes_last(const unsigned *box, unsigned a, unsigned b,
                                                    unsigned c, unsigned d, unsigned key)
{
    return (box[a >> 24] << 24 | box[b >> 16 & 255] << 16 | box[c >> 8 & 255] << 8 | box[d & 255]) ^
           key;
}

/* FIPS 197: the cipher, or with its table and keys the equivalent inverse cipher (5.3.5), whose
 * rows shift the other way. */
template <bool Inverse>
static __device__ __forceinline__ uint4 aes(uint4 s, const uint4 *keys, const unsigned *table)
{
    uint4 k = keys[0];
    s = make_uint4(s.x ^ k.x, s.y ^ k.y, s.z ^ k.z, s.w ^ k.w);
    for (unsigned round = 1; round < 11; round++) {
        uint4 r = Inverse ? make_uint4(s.w, s.x, s.y, s.z) : make_uint4(s.y, s.z, s.w, s.x);
        uint4 l = Inverse ? make_uint4(s.y, s.z, s.w, s.x) : make_uint4(s.w, s.x, s.y, s.z);
        uint4 o = make_uint4(s.z, s.w, s.x, s.y);
        k = keys[round];
        if (round < 10) {
            s = make_uint4(aes_column(table, s.x, r.x, o.x, l.x, k.x),
                           aes_column(table, s.y, r.y, o.y, l.y, k.y),
                           aes_column(table, s.z, r.z, o.z, l.z, k.z),
                           aes_column(table, s.w, r.w, o.w, l.w, k.w));
        } else {
            const unsigned *box = table + 256;
            s = make_uint4(
                aes_last(box, s.x, r.x, o.x, l.x, k.x), aes_last(box, s.y, r.y, o.y, l.y, k.y),
                aes_last(box, s.z, r.z, o.z, l.z, k.z), aes_last(box, s.w, r.w, o.w, l.w, k.w));
        }
    }
    return s;
}

static __device__ __forceinline__ uint4 load_block(const unsigned *at)
{
    return make_uint4(__ldcg(at), __ldcg(at + 1), __ldcg(at + 2), __ldcg(at + 3));
}
static __device__ __forceinline__ uint4 swap_block(uint4 b)
{
    return make_uint4(swap32(b.x), swap32(b.y), swap32(b.z), swap32(b.w));
}

/* The MAC addresses of the association's next hop; length and EtherType stay. */
static __device__ __forceinline__ void set_hop(unsigned *slot, const esp_sa &sa)
{
    uint4 old = __ldcg((const uint4 *)slot), hop = ((const uint4 *)&sa)[1];
    *(uint4 *)slot = make_uint4((old.x & 0xFFFF) | (hop.x & 0xFFFF0000), hop.y, hop.z,
                                (old.w & 0xFFFF0000) | (hop.w & 0xFFFF));
}

#endif
