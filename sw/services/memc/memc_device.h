/* Device code of the kernels of memcached's GET: the work on one packet.
 *
 * Layout of slots, table and results: memc_get.h. A request takes the shape of its reply in its own
 * slot: addresses and ports swapped, lengths and checksums new. No shared memory. The host
 * reference is memc.c. */
#ifndef EVGPU_SW_MEMC_DEVICE_H
#define EVGPU_SW_MEMC_DEVICE_H

#include "../common/network_device.h"
#include "memc_get.h"

/* A slot's frame begins 2 bytes behind its start, so that frame offset o lies at slot offset o + 2,
 * and the request at a whole word. The network writes slots while the L1 cache may still hold an
 * earlier packet of the same slot, so they are read at L2. */
struct Request {
    const unsigned *slot;    /* as words */
    unsigned *reply;         /* slot of the reply, the same one or another */
    unsigned end;            /* of the UDP datagram, slot offset */
    unsigned key, key_bytes; /* slot offset */
    unsigned opcode;         /* binary */
    bool binary, with_cas;   /* with_cas: gets */
};

/* Reads bytes one after the other, a word at a time. */
struct Reader {
    const unsigned *slot;
    unsigned at, word, end; /* slot offset; the word around it */
};

static __device__ __forceinline__ Reader reader(const Request &r, unsigned at)
{
    return Reader{r.slot, at, __ldcg(r.slot + (at >> 2)), r.end};
}
static __device__ __forceinline__ unsigned peek(const Reader &in)
{
    return in.word >> (8 * (in.at & 3)) & 0xFF;
}
static __device__ __forceinline__ void next(Reader &in)
{
    if ((++in.at & 3) == 0 && in.at < in.end)
        in.word = __ldcg(in.slot + (in.at >> 2));
}

/* Word i of the key, with zeros behind its end. */
static __device__ __forceinline__ unsigned key_word(const Request &r, unsigned i)
{
    unsigned at = r.key + 4 * i, left = r.key_bytes - 4 * i;
    unsigned low = __ldcg(r.slot + (at >> 2));
    unsigned high = left > 4 - (at & 3) && (at & 3) ? __ldcg(r.slot + (at >> 2) + 1) : 0;
    unsigned word = __funnelshift_r(low, high, 8 * (at & 3));
    return left >= 4 ? word : word & ((1u << 8 * left) - 1);
}

/* --- headers --- */

/* 16 bytes at `at`, of which the packet has `left`. Bytes behind a packet are not read: in memory
 * with full/empty bits it would be waited for. */
static __device__ __forceinline__ uint4 load(const uint4 *at, int left)
{
    const unsigned *word = (const unsigned *)at;
    if (left > 12)
        return __ldcg(at);
    return make_uint4(left > 0 ? __ldcg(word) : 0, left > 4 ? __ldcg(word + 1) : 0,
                      left > 8 ? __ldcg(word + 2) : 0, 0);
}

/* The first words of `q`, as many as `left` bytes are. */
static __device__ __forceinline__ unsigned add_vector(unsigned sum, const uint4 &q, int left)
{
    const unsigned words[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
    for (int i = 0; i < 4; i++) {
        int bytes = left - 4 * i;
        unsigned mask = bytes >= 4 ? ~0u : bytes > 0 ? (1u << 8 * bytes) - 1 : 0;
        sum = add_word(sum, words[i] & mask);
    }
    return sum;
}

/* Over pseudo header and datagram: source, then all from the destination on. */
static __device__ __forceinline__ unsigned udp_sum(const Request &r, unsigned source,
                                                   const uint4 &udp, unsigned udp_bytes)
{
    const uint4 *slot = (const uint4 *)r.slot;
    unsigned sum = add_word((17u << 8) + swap16(udp_bytes), source);
    sum = add_vector(sum, udp, 4 + (int)udp_bytes);
    int left = (int)udp_bytes - 12;
    for (unsigned i = 3; left > 0; i++, left -= 16)
        sum = add_vector(fold(sum), load(slot + i, left), left);
    return fold(sum);
}

/* Headers as they lie in the slot: 16 bytes with the ethernet header's, most of the IP header, its
 * destination with the UDP header. */
struct Headers {
    uint4 ethernet, ip, udp;
    unsigned total; /* of the IP packet */
};

static __device__ __forceinline__ unsigned check_ip(const Request &r, Headers &h)
{
    const uint4 *slot = (const uint4 *)r.slot;
    h.ethernet = __ldcg(slot);
    unsigned length = h.ethernet.x & 0xFFFF;
    if (length < MEMC_UDP)
        return MEMC_TOO_SHORT;
    h.ip = __ldcg(slot + 1);
    h.udp = load(slot + 2, (int)length + MEMC_FRAME_OFFSET - 32);
    if ((h.ethernet.w >> 16) != 0x0008 || (h.ip.x & 0xFF) != 0x45 || (h.ip.y >> 16 & 0xFFBF) != 0)
        return MEMC_BAD_HEADER;
    h.total = swap16(h.ip.x >> 16);
    if (h.total < MEMC_UDP - MEMC_IP)
        return MEMC_BAD_HEADER;
    if (h.total + MEMC_IP > length)
        return MEMC_TOO_SHORT;
    unsigned sum = add_vector(0, h.ip, 16);
    if (fold(add_word(sum, h.udp.x)) != 0xFFFF)
        return MEMC_BAD_CHECKSUM;
    return (h.ip.z >> 8 & 0xFF) == 17 ? MEMC_NONE : MEMC_OTHER;
}

static __device__ __forceinline__ unsigned check_udp(Request &r, const Headers &h,
                                                     const memc_shape &shape)
{
    unsigned room = h.total - (MEMC_UDP - MEMC_IP);
    if (room < 8)
        return MEMC_BAD_UDP_LENGTH;
    if (shape.port && swap16(h.udp.y >> 16) != shape.port)
        return MEMC_OTHER;
    unsigned bytes = swap16(h.udp.z & 0xFFFF);
    if (bytes < 16 || bytes > room)
        return MEMC_BAD_UDP_LENGTH;
    if ((h.udp.z >> 16) && !shape.skip_checksums && udp_sum(r, h.ip.w, h.udp, bytes) != 0xFFFF)
        return MEMC_BAD_UDP_CHECKSUM;
    r.end = MEMC_UDP + 2 + bytes;
    /* Request number, then: datagram 0 of 1, 0. */
    return (h.udp.w >> 16) == 0 && __ldcg(r.slot + 12) == 0x0100 ? MEMC_NONE : MEMC_BAD_FRAME;
}

/* --- requests --- */

static __device__ __forceinline__ unsigned parse_binary(Request &r)
{
    const unsigned *head = r.slot + (MEMC_REQUEST + 2) / 4;
    unsigned bytes = r.end - (MEMC_REQUEST + 2);
    if (bytes < MEMC_BINARY)
        return MEMC_BAD_REQUEST;
    unsigned first = __ldcg(head), second = __ldcg(head + 1), body = swap32(__ldcg(head + 2));
    r.binary = true;
    r.opcode = first >> 8 & 0xFF;
    if (r.opcode != MEMC_OP_GET && r.opcode != MEMC_OP_GETQ && r.opcode != MEMC_OP_GETK &&
        r.opcode != MEMC_OP_GETKQ)
        return MEMC_UNKNOWN;
    r.key = MEMC_REQUEST + 2 + MEMC_BINARY;
    r.key_bytes = swap16(first >> 16);
    /* No extras, plain data, and a body that is the key. */
    if ((second & 0xFFFF) != 0 || body != r.key_bytes || body > bytes - MEMC_BINARY)
        return MEMC_BAD_REQUEST;
    if (r.key_bytes == 0 || r.key_bytes > MEMC_LONGEST_KEY)
        return MEMC_BAD_KEY;
    return body < bytes - MEMC_BINARY ? MEMC_SEVERAL : MEMC_NONE;
}

static __device__ __forceinline__ void skip_blanks(const Request &r, Reader &in)
{
    while (in.at < r.end && peek(in) == ' ')
        next(in);
}

/* Four bytes at a time where none of them ends the key: none below 0x21. */
static __device__ __forceinline__ void skip_key(const Request &r, Reader &in)
{
    while (in.at < r.end && peek(in) > ' ') {
        if ((in.at & 3) == 0 && in.at + 4 <= r.end &&
            ((in.word - 0x21212121u) & ~in.word & 0x80808080u) == 0) {
            in.at += 3;
        }
        next(in);
    }
}

/* "get KEY" or "gets KEY", blanks, then LF or CR LF. */
static __device__ __forceinline__ unsigned parse_text(Request &r, unsigned first)
{
    if (r.end < MEMC_REQUEST + 2 + 5 || (first & 0xFFFFFF) != ('g' | 'e' << 8 | 't' << 16))
        return MEMC_UNKNOWN;
    r.with_cas = (first >> 24) == 's';
    Reader in = reader(r, MEMC_REQUEST + 2 + (r.with_cas ? 4 : 3));
    if (peek(in) != ' ')
        return MEMC_UNKNOWN;
    skip_blanks(r, in);
    r.key = in.at;
    skip_key(r, in);
    r.key_bytes = in.at - r.key;
    if (r.key_bytes == 0 || r.key_bytes > MEMC_LONGEST_KEY)
        return MEMC_BAD_KEY;
    skip_blanks(r, in);
    if (in.at < r.end && peek(in) > ' ')
        return MEMC_SEVERAL;
    if (in.at < r.end && peek(in) == '\r')
        next(in);
    if (in.at >= r.end || peek(in) != '\n')
        return MEMC_BAD_REQUEST;
    return in.at + 1 < r.end ? MEMC_SEVERAL : MEMC_NONE;
}

/* --- table --- */

/* MurmurHash3 of 32 bits, seed 0. */
static __device__ __forceinline__ unsigned hash_key(const Request &r)
{
    unsigned hash = 0;
    for (unsigned i = 0; 4 * i < r.key_bytes; i++) {
        unsigned k = key_word(r, i) * 0xCC9E2D51u;
        hash ^= __funnelshift_l(k, k, 15) * 0x1B873593u;
        if (4 * i + 4 <= r.key_bytes)
            hash = __funnelshift_l(hash, hash, 13) * 5 + 0xE6546B64u;
    }
    hash ^= r.key_bytes;
    hash = (hash ^ hash >> 16) * 0x85EBCA6Bu;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35u;
    hash ^= hash >> 16;
    return hash ? hash : 1;
}

static __device__ __forceinline__ bool same_key(const Request &r, const unsigned char *item)
{
    if ((*(const unsigned *)item & 0xFFFF) != r.key_bytes)
        return false;
    const unsigned *key = (const unsigned *)(item + sizeof(memc_item));
    for (unsigned i = 0; 4 * i < r.key_bytes; i++)
        if (key[i] != key_word(r, i))
            return false;
    return true;
}

static __device__ __forceinline__ const unsigned char *
find(const Request &r, const uint4 *tags, const unsigned char *items, const memc_shape &shape)
{
    unsigned hash = hash_key(r), bucket = hash & shape.bucket_mask;
    for (unsigned i = 0; i <= shape.bucket_mask; i++) {
        uint4 t = tags[bucket];
        unsigned ways = (t.x == hash ? 1u : 0) | (t.y == hash ? 2u : 0) | (t.z == hash ? 4u : 0) |
                        (t.w == hash ? 8u : 0);
        /* All lanes compare at the same time, whichever way they have found. */
        for (; ways; ways &= ways - 1) {
            const unsigned char *item =
                items + (size_t)(bucket * MEMC_WAYS + __ffs(ways) - 1) * shape.item_bytes;
            if (same_key(r, item))
                return item;
        }
        if (t.w == 0) /* places are taken from the first on */
            return nullptr;
        bucket = (bucket + 1) & shape.bucket_mask;
    }
    return nullptr;
}

/* --- replies --- */

/* Appends bytes to the slot, from a whole word on, and adds them up for the checksum. */
struct Writer {
    unsigned *word;
    unsigned pending, bytes, sum;
};

/* `n` bytes, 1 to 4, of a word that is zero behind them. */
static __device__ __forceinline__ void put(Writer &w, unsigned word, unsigned n)
{
    unsigned place = w.bytes & 3;
    unsigned long long shifted = (unsigned long long)word << (8 * place);
    w.pending |= (unsigned)shifted;
    w.bytes += n;
    if (place + n >= 4) {
        *w.word++ = w.pending;
        w.sum = fold(add_word(w.sum, w.pending));
        w.pending = (unsigned)(shifted >> 32);
    }
}
/* From a whole word on. */
static __device__ __forceinline__ void put_bytes(Writer &w, const unsigned char *from,
                                                 unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i += 4) {
        unsigned word = ((const unsigned *)from)[i >> 2], left = bytes - i;
        put(w, left >= 4 ? word : word & ((1u << 8 * left) - 1), left >= 4 ? 4 : left);
    }
}
/* Up to eight digits; `all`: eight, with zeros before. The last digit found is the first one said.
 */
static __device__ __forceinline__ void put_digits(Writer &w, unsigned value, bool all)
{
    unsigned long long text = 0;
    unsigned n = 0;
    do {
        unsigned rest = value / 10;
        text = text << 8 | ('0' + value - 10 * rest);
        value = rest;
        n++;
    } while (value || (all && n < 8));
    put(w, (unsigned)text, n < 4 ? n : 4);
    if (n > 4)
        put(w, (unsigned)(text >> 32), n - 4);
}
static __device__ __forceinline__ void put_decimal(Writer &w, unsigned value)
{
    unsigned high = value / 100000000;
    if (high)
        put_digits(w, high, false);
    put_digits(w, value - high * 100000000, high != 0);
}
static __device__ __forceinline__ void put_decimal(Writer &w, unsigned long long value)
{
    if (value >> 32 == 0) {
        put_decimal(w, (unsigned)value);
        return;
    }
    unsigned long long high = value / 100000000; /* below 2^38 */
    put_decimal(w, high / 100000000 ? (unsigned)(high / 100000000) : (unsigned)high);
    if (high / 100000000)
        put_digits(w, (unsigned)(high % 100000000), true);
    put_digits(w, (unsigned)(value - high * 100000000), true);
}

#define TEXT(a, b, c, d) ((a) | (b) << 8 | (c) << 16 | (unsigned)(d) << 24)

static __device__ __forceinline__ void
text_reply(Writer &w, const Request &r, const unsigned char *item, const memc_shape &shape)
{
    if (item) {
        const memc_item &head = *(const memc_item *)item;
        const unsigned char *key = item + sizeof(memc_item);
        put(w, TEXT('V', 'A', 'L', 'U'), 4);
        put(w, TEXT('E', ' ', 0, 0), 2);
        put_bytes(w, key, head.key_length);
        put(w, ' ', 1);
        put_decimal(w, head.flags);
        put(w, ' ', 1);
        put_decimal(w, (unsigned)head.value_length);
        if (r.with_cas) {
            put(w, ' ', 1);
            put_decimal(w, (unsigned long long)head.cas[1] << 32 | head.cas[0]);
        }
        put(w, TEXT('\r', '\n', 0, 0), 2);
        put_bytes(w, key + shape.key_room, head.value_length);
        put(w, TEXT('\r', '\n', 0, 0), 2);
    }
    put(w, TEXT('E', 'N', 'D', '\r'), 4);
    put(w, '\n', 1);
}

static __device__ __forceinline__ void
binary_reply(Writer &w, const Request &r, const unsigned char *item, const memc_shape &shape)
{
    bool with_key = r.opcode == MEMC_OP_GETK || r.opcode == MEMC_OP_GETKQ;
    unsigned key_bytes = with_key ? r.key_bytes : 0;
    unsigned opaque = __ldcg(r.slot + (MEMC_REQUEST + 2) / 4 + 3);
    unsigned absent = with_key ? key_bytes : sizeof MEMC_NOT_FOUND - 1;
    memc_item head = {};
    if (item)
        head = *(const memc_item *)item;
    put(w, MEMC_MAGIC_REPLY | r.opcode << 8 | swap16(key_bytes) << 16, 4);
    put(w, item ? 4u : MEMC_STATUS_ABSENT << 24, 4); /* extras; status, high byte first */
    put(w, swap32(item ? 4 + key_bytes + head.value_length : absent), 4);
    put(w, opaque, 4);
    put(w, swap32(head.cas[1]), 4);
    put(w, swap32(head.cas[0]), 4);
    if (item) {
        const unsigned char *key = item + sizeof(memc_item);
        put(w, swap32(head.flags), 4);
        put_bytes(w, key, key_bytes);
        put_bytes(w, key + shape.key_room, head.value_length);
    } else if (with_key) {
        Reader in = reader(r, r.key); /* the key lies where it is to lie */
        for (; in.at < r.key + key_bytes; next(in))
            put(w, peek(in), 1);
    } else {
        put(w, TEXT('N', 'o', 't', ' '), 4);
        put(w, TEXT('f', 'o', 'u', 'n'), 4);
        put(w, 'd', 1);
    }
}

/* Headers of the reply around its `bytes` of text, whose sum is `sum`; the frame's length. */
static __device__ __forceinline__ unsigned finish(Writer &w, const Request &r, const Headers &h)
{
    unsigned bytes = w.bytes, udp_bytes = 16 + bytes, total = 20 + udp_bytes;
    if (w.bytes & 3) /* zeros: of no weight in the sum */
        put(w, 0, 4 - (w.bytes & 3));
    while (w.bytes + MEMC_REQUEST < MEMC_LEAST_FRAME)
        put(w, 0, 4);
    unsigned length = MEMC_REQUEST + bytes;
    length = length < MEMC_LEAST_FRAME ? MEMC_LEAST_FRAME : length;

    uint4 *slot = (uint4 *)r.reply;
    const uint4 &ethernet = h.ethernet;
    unsigned server = h.udp.x, ports = h.udp.y, number = h.udp.w & 0xFFFF;
    unsigned id = h.ip.y & 0xFFFF, client = h.ip.w;
    unsigned ip0 = 0x45 | swap16(total) << 16, ip1 = id | 0x0040u << 16; /* do not fragment */
    unsigned ip2 = MEMC_TTL | 17u << 8;
    unsigned addresses = add_word(add_word(0, client), server);
    unsigned sum = fold(addresses + add_word(add_word(add_word(0, ip0), ip1), ip2));
    ip2 |= (~sum & 0xFFFF) << 16;

    /* Pseudo header, UDP header, memcached's header. */
    ports = ports >> 16 | ports << 16;
    sum = w.sum + (17u << 8) + 2 * swap16(udp_bytes) + number + 0x0100;
    sum = fold(fold(sum + addresses) + add_word(0, ports));
    unsigned checksum = sum == 0xFFFF ? 0xFFFF : ~sum & 0xFFFF;

    /* Source and destination of 6 bytes: length, d0 d1 | d2..d5 | s0..s3 | s4 s5, type. */
    unsigned d0 = ethernet.x >> 16, s4 = ethernet.w & 0xFFFF;
    *slot = make_uint4((ethernet.x & 0xFFFF) | ethernet.z << 16, ethernet.z >> 16 | s4 << 16,
                       d0 | ethernet.y << 16, ethernet.y >> 16 | (ethernet.w & 0xFFFF0000));
    slot[1] = make_uint4(ip0, ip1, ip2, server);
    slot[2] = make_uint4(client, ports, swap16(udp_bytes) | checksum << 16, number);
    r.reply[12] = 0x0100;
    return length;
}

/* The reply, every word of it, goes to the slot `reply`. */
static __device__ __forceinline__ unsigned serve(const unsigned char *slot, unsigned char *reply,
                                                 const uint4 *tags, const unsigned char *items,
                                                 const memc_shape &shape, unsigned &length)
{
    Request r = {};
    Headers h;
    r.slot = (const unsigned *)slot;
    r.reply = (unsigned *)reply;
    unsigned verdict = check_ip(r, h);
    if (verdict == MEMC_NONE)
        verdict = check_udp(r, h, shape);
    if (verdict != MEMC_NONE)
        return verdict;
    if (r.end == MEMC_REQUEST + 2)
        return MEMC_UNKNOWN;
    unsigned first = __ldcg(r.slot + (MEMC_REQUEST + 2) / 4);
    verdict = (first & 0xFF) == MEMC_MAGIC_REQUEST ? parse_binary(r) : parse_text(r, first);
    if (verdict != MEMC_NONE)
        return verdict;
    const unsigned char *item = find(r, tags, items, shape);
    if (!item && r.binary && (r.opcode == MEMC_OP_GETQ || r.opcode == MEMC_OP_GETKQ))
        return MEMC_QUIET_MISS;
    Writer w = {r.reply + (MEMC_REQUEST + 2) / 4, 0, 0, 0};
    if (r.binary)
        binary_reply(w, r, item, shape);
    else
        text_reply(w, r, item, shape);
    length = finish(w, r, h);
    return item ? MEMC_HIT : MEMC_MISS;
}

/* A batch: thread i has the packet in slot i, for i < count, and its reply goes to slot i of
 * `replies`. results[2 i]: verdict, results[2 i + 1]: bytes to send. */
static __device__ __forceinline__ void memc_batch(unsigned i, unsigned count,
                                                  const unsigned char *slots,
                                                  unsigned char *replies, unsigned slot_bytes,
                                                  const uint4 *tags, const unsigned char *items,
                                                  const memc_shape &shape, unsigned *results)
{
    if (i >= count)
        return;
    unsigned length = 0;
    size_t at = (size_t)i * slot_bytes;
    unsigned verdict = serve(slots + at, replies + at, tags, items, shape, length);
    ((uint2 *)results)[i] = make_uint2(verdict, length);
}

#endif
