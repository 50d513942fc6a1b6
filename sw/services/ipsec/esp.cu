/* ESP in tunnel mode, one warp per packet: the event kernel of the service ipsec (EDGE V, IPSec).
 *
 * Layout of slots, associations and results: esp.h. In CBC mode every block can be decrypted by
 * itself, so each lane takes one: a packet of 256 bytes is one round of 3DES for a warp. The packet
 * inside takes the place of the one around it. The host reference is esp_reference.c, with OpenSSL's
 * ciphers. */
#include "esp.h"

static_assert(sizeof(esp_sa) == 32, "an association is read as two vectors");

static __device__ __forceinline__ unsigned swap16(unsigned x)
{
    return __byte_perm(x, 0, 0x4401);
}
static __device__ __forceinline__ unsigned swap32(unsigned x)
{
    return __byte_perm(x, 0, 0x0123);
}
static __device__ __forceinline__ unsigned rotate(unsigned x, unsigned left)
{
    return __funnelshift_l(x, x, left);
}
static __device__ __forceinline__ unsigned fold(unsigned sum)
{
    sum = (sum & 0xFFFF) + (sum >> 16);
    return (sum & 0xFFFF) + (sum >> 16);
}
static __device__ __forceinline__ unsigned add_word(unsigned sum, unsigned word)
{
    return sum + (word & 0xFFFF) + (word >> 16);
}

/* A packet; all lanes have the same. The network writes slots while the L1 cache may still hold an
 * earlier packet of the same slot, so they are read at L2. */
struct Packet {
    unsigned *slot;      /* as words */
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
    uint4 ip = __ldcg(slot + 1), next = __ldcg(slot + 2);
    if ((ethernet.w >> 16) != 0x0008 || (ip.x & 0xFF) != 0x45 || (ip.y >> 16 & 0xFFBF) != 0)
        return ESP_BAD_HEADER;
    unsigned total = swap16(ip.x >> 16);
    if (total < ESP_IPV4_BYTES)
        return ESP_BAD_HEADER;
    if (total + ESP_ETHERNET_BYTES > length)
        return ESP_TOO_SHORT;
    unsigned sum = add_word(add_word(add_word(0, ip.x), ip.y), ip.z);
    if (fold(add_word(add_word(sum, ip.w), next.x)) != 0xFFFF)
        return ESP_BAD_CHECKSUM;
    if ((ip.z >> 8 & 0xFF) != ESP_PROTOCOL)
        return ESP_OTHER;
    if (total < ESP_IPV4_BYTES + ESP_HEADER_BYTES + icv_bytes)
        return ESP_BAD_LENGTH;
    p.source = ip.w;
    p.local = next.x;
    p.spi = swap32(next.y);
    p.number = swap32(next.z);
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

/* --- 3DES --- */

/* Groups of 6 bits of the expanded half: the even ones lie in the half turned right by 1, at the upper
 * ends of its bytes, the odd ones in the half turned left by 3. */
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

/* Lane i decrypts block i, then 32 + i...; the text moves to the beginning of the packet. Blocks that
 * are still to be decrypted, and the one before them, lie behind all that has been written. */
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

/* The equivalent inverse cipher of FIPS 197, 5.3.5. */
static __device__ __forceinline__ uint4 aes(uint4 s, const uint4 *keys, const unsigned *table)
{
    uint4 k = keys[0];
    s = make_uint4(s.x ^ k.x, s.y ^ k.y, s.z ^ k.z, s.w ^ k.w);
    for (unsigned round = 1; round < 10; round++) {
        k = keys[round];
        s = make_uint4(aes_column(table, s.x, s.w, s.z, s.y, k.x),
                       aes_column(table, s.y, s.x, s.w, s.z, k.y),
                       aes_column(table, s.z, s.y, s.x, s.w, k.z),
                       aes_column(table, s.w, s.z, s.y, s.x, k.w));
    }
    const unsigned *box = table + 256;
    k = keys[10];
    return make_uint4(aes_last(box, s.x, s.w, s.z, s.y, k.x), aes_last(box, s.y, s.x, s.w, s.z, k.y),
                      aes_last(box, s.z, s.y, s.x, s.w, k.z),
                      aes_last(box, s.w, s.z, s.y, s.x, k.w));
}

static __device__ __forceinline__ uint4 load_block(const unsigned *at)
{
    return make_uint4(__ldcg(at), __ldcg(at + 1), __ldcg(at + 2), __ldcg(at + 3));
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
            s = load_block(text + 4 * block);
            s = make_uint4(swap32(s.x), swap32(s.y), swap32(s.z), swap32(s.w));
            s = aes(s, (const uint4 *)keys, tables + ESP_AES_OFFSET);
        }
        __syncwarp();
        if (mine)
            ((uint4 *)plain)[block] =
                make_uint4(swap32(s.x) ^ before.x, swap32(s.y) ^ before.y, swap32(s.z) ^ before.z,
                           swap32(s.w) ^ before.w);
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
    if (lane == 0) {
        uint4 old = __ldcg((const uint4 *)p.slot), hop = ((const uint4 *)&sa)[1];
        *(uint4 *)p.slot = make_uint4((old.x & 0xFFFF) | (hop.x & 0xFFFF0000), hop.y, hop.z,
                                      (old.w & 0xFFFF0000) | (hop.w & 0xFFFF));
    }
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

/* Warp i of the grid opens the packet in slot i, for i < count. results[2 i]: verdict and port,
 * results[2 i + 1]: bytes to send. `icv_bytes`: at the packet's end, not looked at. */
extern "C" __global__ void esp_open(unsigned char *slots, unsigned slot_bytes, unsigned count,
                                    const esp_sa *__restrict__ sas,
                                    const unsigned *__restrict__ keys,
                                    const unsigned *__restrict__ ciphers, unsigned *windows,
                                    unsigned mask, unsigned icv_bytes,
                                    unsigned *__restrict__ results)
{
    unsigned thread = blockIdx.x * blockDim.x + threadIdx.x, lane = thread & 31, i = thread >> 5;
    if (i >= count)
        return;
    const Tables t = {sas, keys, ciphers, windows, mask, icv_bytes};
    unsigned length = 0;
    unsigned result = open(slots + (size_t)i * slot_bytes, lane, t, length);
    if (lane == 0)
        ((uint2 *)results)[i] = make_uint2(result, length);
}
