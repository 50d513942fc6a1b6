/* Device code of the kernels that receive ESP in tunnel mode: the work of a warp on one packet.
 *
 * Layout of slots, associations and results: esp.h. In CBC mode every block can be decrypted by
 * itself, so each lane takes one: a packet of 256 bytes is one round of 3DES for a warp. The packet
 * inside takes the place of the one around it. The host reference is esp_reference.c, with
 * OpenSSL's ciphers. */
#ifndef EVGPU_SW_ESP_OPEN_DEVICE_H
#define EVGPU_SW_ESP_OPEN_DEVICE_H

#include "esp_device.h"

/* A packet; all lanes have the same. The network writes slots while the L1 cache may still hold an
 * earlier packet of the same slot, so they are read at L2. */
struct Packet {
    unsigned *slot; /* as words */
    unsigned spi, number;
    unsigned source, local;
    unsigned rest;  /* bytes behind the ESP header */
    unsigned text;  /* slot offset of the first encrypted block, bytes */
    unsigned bytes; /* encrypted */
};

static __device__ __forceinline__ unsigned check(Packet &p, unsigned icv_bytes)
{
    const uint4 *slot = (const uint4 *)p.slot;
    uint4 ethernet = __ldcg(slot);
    unsigned length = ethernet.x & 0xFFFF;
    if (length < ESP_ETHERNET_BYTES + ESP_IPV4_BYTES)
        return ESP_TOO_SHORT;
    uint4 ip = __ldcg(slot + 1);
    p.local = __ldcg(p.slot + 8);
    if ((ethernet.w >> 16) != 0x0008 || (ip.x & 0xFF) != 0x45 || (ip.y >> 16 & 0xFFBF) != 0)
        return ESP_BAD_HEADER;
    unsigned total = swap16(ip.x >> 16);
    if (total < ESP_IPV4_BYTES)
        return ESP_BAD_HEADER;
    if (total + ESP_ETHERNET_BYTES > length)
        return ESP_TOO_SHORT;
    unsigned sum = add_word(add_word(add_word(0, ip.x), ip.y), ip.z);
    if (fold(add_word(add_word(sum, ip.w), p.local)) != 0xFFFF)
        return ESP_BAD_CHECKSUM;
    if ((ip.z >> 8 & 0xFF) != ESP_PROTOCOL)
        return ESP_OTHER;
    if (total < ESP_IPV4_BYTES + ESP_HEADER_BYTES + icv_bytes)
        return ESP_BAD_LENGTH;
    p.source = ip.w;
    p.spi = swap32(__ldcg(p.slot + 9));
    p.number = swap32(__ldcg(p.slot + 10));
    p.rest = total - ESP_IPV4_BYTES - ESP_HEADER_BYTES - icv_bytes;
    return ESP_NONE;
}

/* The place of the packet's association, or a verdict. */
static __device__ __forceinline__ unsigned find(const Packet &p, const esp_sa *sas, unsigned mask,
                                                unsigned &place)
{
    place = ESP_PLACE(p.spi) & mask;
    for (unsigned i = 0; i <= mask && p.spi; i++) {
        uint4 sa = *(const uint4 *)&sas[place];
        if (sa.x == 0)
            break;
        if (sa.x == p.spi)
            return (sa.y && sa.y != p.source) || (sa.z && sa.z != p.local) ? ESP_WRONG_PEER
                                                                           : ESP_NONE;
        place = (place + 1) & mask;
    }
    return ESP_UNKNOWN_SPI;
}

/* --- decryption --- */

/* Lane i decrypts block i, then 32 + i...; the text moves to the beginning of the packet. Blocks
 * that are still to be decrypted, and the one before them, lie behind all that has been written. */
static __device__ __forceinline__ void decrypt_des(const Packet &p, unsigned lane,
                                                   const unsigned *keys, const unsigned *tables)
{
    const unsigned *text = p.slot + p.text / 4;
    unsigned *plain = p.slot + 4;
    for (unsigned first = 0; first < p.bytes / 8; first += 32) {
        unsigned block = first + lane;
        bool mine = block < p.bytes / 8;
        unsigned left = 0, right = 0, before_left = 0, before_right = 0;
        if (mine) {
            before_left = __ldcg(text + 2 * block - 2); /* of block 0: the IV */
            before_right = __ldcg(text + 2 * block - 1);
            left = swap32(__ldcg(text + 2 * block));
            right = swap32(__ldcg(text + 2 * block + 1));
            des3(left, right, (const uint2 *)keys, tables);
        }
        __syncwarp();
        if (mine) {
            plain[2 * block] = swap32(left) ^ before_left;
            plain[2 * block + 1] = swap32(right) ^ before_right;
        }
        __syncwarp();
    }
}

/* As decrypt_des. */
static __device__ __forceinline__ void decrypt_aes(const Packet &p, unsigned lane,
                                                   const unsigned *keys, const unsigned *tables)
{
    const unsigned *text = p.slot + p.text / 4;
    unsigned *plain = p.slot + 4;
    for (unsigned first = 0; first < p.bytes / 16; first += 32) {
        unsigned block = first + lane;
        bool mine = block < p.bytes / 16;
        uint4 s = {}, before = {};
        if (mine) {
            before = load_block(text + 4 * block - 4);
            s = swap_block(load_block(text + 4 * block));
            s = aes<true>(s, (const uint4 *)keys, tables + ESP_AES_OFFSET);
        }
        __syncwarp();
        if (mine)
            ((uint4 *)plain)[block] = make_uint4(swap32(s.x) ^ before.x, swap32(s.y) ^ before.y,
                                                 swap32(s.z) ^ before.z, swap32(s.w) ^ before.w);
        __syncwarp();
    }
}

/* --- what was inside --- */

static __device__ __forceinline__ unsigned byte_at(const Packet &p, unsigned offset)
{
    return __ldcg(p.slot + (offset >> 2)) >> (8 * (offset & 3)) & 0xFF;
}

/* RFC 4303, 2.4 to 2.6: padding 1, 2, 3..., its length, next header. `total` is the packet's. */
static __device__ __forceinline__ unsigned check_inner(const Packet &p, unsigned lane,
                                                       unsigned &total)
{
    unsigned end = 16 + p.bytes, padding = byte_at(p, end - 2);
    if (padding + 2 > p.bytes)
        return ESP_BAD_PADDING;
    bool bad = false;
    for (unsigned i = lane; i < padding; i += 32)
        bad |= byte_at(p, end - 2 - padding + i) != i + 1;
    if (__any_sync(~0u, bad))
        return ESP_BAD_PADDING;
    unsigned first = __ldcg(p.slot + 4), room = p.bytes - 2 - padding;
    total = swap16(first >> 16);
    if (byte_at(p, end - 1) != ESP_NEXT_IPV4 || (first & 0xF0) != 0x40 || (first & 0xF) < 5 ||
        total < 4 * (first & 0xF) || total > room)
        return ESP_BAD_INNER;
    return ESP_NONE;
}

/* The frame around the inner packet: addresses of its next hop, zeros up to the least length. */
static __device__ __forceinline__ unsigned finish(const Packet &p, unsigned lane, const esp_sa &sa,
                                                  unsigned total)
{
    unsigned length = ESP_ETHERNET_BYTES + total;
    unsigned char *frame = (unsigned char *)p.slot + ESP_FRAME_OFFSET;
    for (unsigned i = length + lane; i < ESP_LEAST_FRAME; i += 32)
        frame[i] = 0;
    if (lane == 0)
        set_hop(p.slot, sa);
    return length < ESP_LEAST_FRAME ? ESP_LEAST_FRAME : length;
}

struct Tables {
    const esp_sa *sas;
    const unsigned *keys, *ciphers;
    unsigned *windows;
    unsigned mask, icv_bytes;
};

static __device__ __forceinline__ unsigned open(unsigned char *slot, unsigned lane, const Tables &t,
                                                unsigned &length)
{
    Packet p;
    unsigned place = 0, total = 0;
    p.slot = (unsigned *)slot;
    unsigned verdict = check(p, t.icv_bytes);
    if (verdict == ESP_NONE)
        verdict = find(p, t.sas, t.mask, place);
    if (verdict != ESP_NONE)
        return verdict;
    const esp_sa &sa = t.sas[place];
    unsigned block = sa.cipher == ESP_3DES_CBC ? 8 : 16; /* also the IV's length */
    if (p.rest < 2 * block || (p.rest & (block - 1)) != 0)
        return ESP_BAD_LENGTH;
    unsigned *seen = &t.windows[place * ESP_WINDOW + p.number % ESP_WINDOW];
    if (__ldcg(seen) >= p.number)
        return ESP_REPLAY;
    p.text = 16 + ESP_IPV4_BYTES + ESP_HEADER_BYTES + block;
    p.bytes = p.rest - block;
    if (sa.cipher == ESP_3DES_CBC)
        decrypt_des(p, lane, t.keys + place * ESP_KEY_WORDS, t.ciphers);
    else
        decrypt_aes(p, lane, t.keys + place * ESP_KEY_WORDS, t.ciphers);
    verdict = check_inner(p, lane, total);
    if (verdict != ESP_NONE)
        return verdict;
    /* Another warp may have accepted the same number meanwhile. */
    unsigned before = 0;
    if (lane == 0)
        before = atomicMax(seen, p.number);
    if (__shfl_sync(~0u, before, 0) >= p.number)
        return ESP_REPLAY;
    length = finish(p, lane, sa, total);
    return (unsigned)sa.port << ESP_PORT_SHIFT | ESP_FORWARD;
}

#endif
