/* A NIC on a PCIe link with a GPU that serves events: takes doorbells, checks what it finds in
 * device memory against the capture, "forwards" by a rule that the tests know, and completes after
 * a time chosen by the test, in any order. */
#ifndef EVGPU_TESTS_HOST_NIC_BENCH_H
#define EVGPU_TESTS_HOST_NIC_BENCH_H

#include "base/rng.h"
#include "sim/gpu/queue/aql.h"
#include "sim/host/nic.h"
#include "sim/host/pcie.h"
#include "sim/host/rate.h"
#include "tests/unit.h"

#define DONE        2u
#define DOORBELL    0x3000u
#define ALSO        0x5000u /* a second doorbell */
#define FLAGS       0x40000u
#define MAX_ENTRIES 64u
#define RING        0u    /* NIC_SIGNAL_QUEUE, at most 16 packets */
#define WORDS       1024u /* NIC_SIGNAL_ROUND */
#define MAX_PACKETS 4096u

enum { GPU, NIC };

struct running {
    uint64_t end;
    uint32_t entry, count;
};

struct bench {
    struct pcie *link;
    struct nic *nic;
    struct nic_config config;
    struct nic_entry entry[MAX_ENTRIES];
    struct nic_capture capture;
    struct captured_packet packets[MAX_PACKETS];
    uint8_t *bytes;
    uint8_t *memory;
    uint64_t cycle, limit;
    struct rng rng;
    /* the GPU */
    uint32_t service_min, service_max; /* cycles */
    uint32_t refuse_percent;           /* of doorbell offers */
    bool frozen;                       /* starts events, completes none */
    bool every_cycle;                  /* tick always, not only at events */
    bool late;                         /* the kernel reads its packets when it ends */
    bool twice;                        /* a second doorbell behind each */
    bool check_order;                  /* packets reach the GPU in the order of the capture */
    struct running running[MAX_ENTRIES];
    uint32_t n_running;
    uint32_t next_entry;  /* that the next doorbell stands for */
    uint32_t next_packet; /* that the next event begins with */
    /* NIC_RETURN_WORDS: what answers its reads, and hears of words that are written. */
    void (*take)(void *user, uint64_t cycle, const struct pcie_read *read);
    void (*filled)(void *user, uint64_t address, uint32_t bytes);
    void *user;
    uint32_t doorbells, also; /* first ones, second ones */
    uint64_t doorbell_at[MAX_PACKETS];
    uint32_t counts[MAX_PACKETS];
};

/* The rule: by the frame's third byte. 1 forwards. */
static inline uint32_t verdict_of(const uint8_t *frame)
{
    return frame[2] % 5 < 3 ? 1 : frame[2] % (NIC_VERDICTS + 3);
}

static inline uint32_t hop_of(const uint8_t *frame)
{
    return frame[0] * 257u + frame[1];
}

static inline bool forwards(const uint8_t *frame)
{
    return verdict_of(frame) == 1;
}

/* Bytes of a sent frame that the kernel stores; the others are sent as they came. */
static inline uint32_t stored_of(const struct nic_layout *l, uint32_t length)
{
    uint32_t most = l->output_bytes ? l->output_bytes - l->frame_offset : length;

    return length < most ? length : most;
}

/* What the GPU does to a frame. */
static inline void rewrite(uint8_t *to, const uint8_t *from, uint32_t length)
{
    for (uint32_t i = 0; i < length; i++)
        to[i] = (uint8_t)(from[i] + 3 * i + 1);
}

static inline uint32_t little(const uint8_t *from, uint32_t bytes)
{
    uint32_t value = 0;

    for (uint32_t i = 0; i < bytes; i++)
        value |= (uint32_t)from[i] << 8 * i;
    return value;
}

static inline void put_little(uint8_t *to, uint32_t value, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i++)
        to[i] = (uint8_t)(value >> 8 * i);
}

/* Finds the packet in the slot among those not yet seen, in order. */
static inline const struct captured_packet *expect_packet(struct bench *b, const uint8_t *slot)
{
    const struct nic_layout *l = &b->config.layout;

    for (;;) {
        assert_true(b->next_packet < b->capture.count);
        const struct captured_packet *p = &b->packets[b->next_packet++];
        if (memcmp(slot + l->frame_offset, b->bytes + p->offset, p->length) == 0 &&
            (!l->length_bytes || little(slot + l->length_offset, l->length_bytes) == p->length))
            return p;
        /* Only a NIC that drops leaves packets out. */
        assert_true(b->config.drop);
    }
}

/* With nic_layout.sent_bytes: up to 20 bytes shorter or 40 longer; for some, more than 40 or none.
 */
static inline uint32_t sent_of(const struct captured_packet *p)
{
    uint32_t change = p->offset % 83;

    return change > 80 ? 0 : p->length + change - 20;
}

/* The event kernel. */
static inline void serve(struct bench *b, uint32_t entry, uint32_t count)
{
    const struct nic_layout *l = &b->config.layout;
    const struct nic_entry *e = &b->entry[entry];

    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *slot = b->memory + e->input + i * l->slot_stride;
        uint8_t *out = b->memory + e->output + i * l->slot_stride + l->frame_offset;
        uint8_t *result = b->memory + e->results + i * l->result_stride;
        if (b->late && !little(slot + l->length_offset, l->length_bytes)) {
            put_little(result + l->verdict_offset, 1, l->verdict_bytes); /* nobody looks at it */
            if (b->filled)
                b->filled(b->user, (uint64_t)(result - b->memory), l->result_stride);
            continue;
        }
        const struct captured_packet *p = expect_packet(b, slot);
        const uint8_t *frame = b->bytes + p->offset;

        memset(result, 0xee, l->result_stride);
        put_little(result + l->verdict_offset, verdict_of(frame), l->verdict_bytes);
        put_little(result + l->hop_offset, hop_of(frame), l->hop_bytes);
        if (forwards(frame))
            rewrite(out, frame, stored_of(l, p->length));
        if (b->filled && forwards(frame))
            b->filled(b->user, (uint64_t)(out - b->memory) - l->frame_offset,
                      l->frame_offset + stored_of(l, p->length));
        if (b->filled)
            b->filled(b->user, (uint64_t)(result - b->memory), l->result_stride);
        if (l->sent_bytes) {
            memset(out + p->length, 0xA5, l->growth);
            put_little(result + l->sent_offset, sent_of(p), l->sent_bytes);
        }
    }
}

static inline bool is_signal(const struct bench *b, const struct pcie_write *w)
{
    if (b->config.signal.kind == NIC_SIGNAL_ROUND)
        return w->address >= WORDS && w->address < WORDS + 4 * MAX_ENTRIES;
    return w->bar != PCIE_BAR_MEMORY;
}

/* Of the next entry, which has so many packets. */
static inline void check_signal(const struct bench *b, const struct pcie_write *w, uint32_t count)
{
    const struct nic_queue *q = &b->config.queue;

    switch (b->config.signal.kind) {
    case NIC_SIGNAL_ROUND:
        assert_int_equal(w->address, WORDS + 4 * b->next_entry);
        assert_int_equal(w->bytes, 4);
        assert_int_equal(little(w->data, 4), b->doorbells / b->config.entries + 1);
        return;
    case NIC_SIGNAL_QUEUE:
        assert_int_equal(w->address, DOORBELL);
        assert_int_equal(w->bytes, AQL_INDEX_BYTES);
        assert_int_equal(aql_get(w->data, 8), b->doorbells);
        assert_memory_equal(b->memory + RING + b->doorbells % q->packets * AQL_PACKET_BYTES,
                            q->packet + (size_t)b->next_entry * AQL_PACKET_BYTES, AQL_PACKET_BYTES);
        return;
    default:
        assert_int_equal(w->address, DOORBELL);
        assert_int_equal(w->bytes, 4);
        assert_int_equal(little(w->data, 4), count);
    }
}

static inline bool gpu_write(void *user, uint64_t cycle, const struct pcie_write *w)
{
    struct bench *b = user;
    uint32_t entry = b->next_entry, count;

    if (!is_signal(b, w)) {
        memcpy(b->memory + w->address, w->data, w->bytes);
        if (b->filled)
            b->filled(b->user, w->address, w->bytes);
        return true;
    }
    assert_int_equal(w->rid, 0x77);
    if (rng_below(&b->rng, 100) < b->refuse_percent)
        return false;
    if (b->twice && w->address == ALSO) {
        assert_int_equal(++b->also, b->doorbells);
        assert_int_equal(little(w->data, 4), b->counts[b->doorbells - 1]);
        return true;
    }
    assert_int_equal(b->also, b->twice ? b->doorbells : 0);
    count = little(b->memory + b->entry[entry].count, 4);
    check_signal(b, w, count);
    assert_in_range(count, 1, b->config.layout.batch);
    for (uint32_t i = 0; i < b->n_running; i++)
        assert_int_not_equal(b->running[i].entry, entry);
    if (!b->late)
        serve(b, entry, count);
    b->doorbell_at[b->doorbells] = cycle;
    b->counts[b->doorbells++] = count;
    b->running[b->n_running++] = (struct running){
        cycle + b->service_min + rng_below(&b->rng, b->service_max - b->service_min + 1), entry,
        count};
    b->next_entry = (entry + 1) % b->config.entries;
    return true;
}

static inline void gpu_read(void *user, uint64_t cycle, const struct pcie_read *r)
{
    struct bench *b = user;

    assert_int_equal(r->bar, b->take ? PCIE_BAR_TAKEN : PCIE_BAR_MEMORY);
    if (b->take)
        b->take(b->user, cycle, r);
    else
        pcie_complete(b->link, cycle, r->handle, b->memory + r->address);
}

static inline bool gpu_tell(struct bench *b, uint64_t address, uint32_t value, uint32_t bytes)
{
    uint8_t data[8] = {0};
    struct pcie_write w = {
        .address = address, .data = data, .bytes = bytes, .from = GPU, .to = NIC};

    put_little(data, value, 4);
    return pcie_write(b->link, b->cycle, &w);
}

static inline bool gpu_tells_end(struct bench *b, uint32_t entry)
{
    if (b->config.signal.kind == NIC_SIGNAL_QUEUE)
        return gpu_tell(b, FLAGS + 8 * entry, 0, 8);
    return gpu_tell(b, FLAGS + 4 * entry, DONE, 4);
}

static inline void bench_step(struct bench *b)
{
    if (b->every_cycle || pcie_next_event(b->link) <= b->cycle)
        pcie_tick(b->link, b->cycle);
    for (uint32_t i = 0; i < b->n_running && !b->frozen; i++) {
        const struct running *r = &b->running[i];
        if (r->end > b->cycle)
            continue;
        if (b->late && r->end == b->cycle)
            serve(b, r->entry, r->count);
        if (gpu_tells_end(b, r->entry))
            b->running[i--] = b->running[--b->n_running];
    }
    if (b->every_cycle || nic_next_event(b->nic) <= b->cycle)
        nic_tick(b->nic, b->cycle);
    b->cycle++;
    assert_true(b->cycle < b->limit);
}

static inline void bench_finish(struct bench *b)
{
    while (!nic_finished(b->nic))
        bench_step(b);
}

/* 1 GHz, 10 Gb/s, 24 bytes of overhead, 4 entries of 32 packets, time stamps. */
static inline struct nic_config plain(void)
{
    return (struct nic_config){.core_khz = 1000000,
                               .wire_bps = 10000000000,
                               .wire_overhead = 24,
                               .pace = NIC_PACE_TIMESTAMPS,
                               .rx_buffer_bytes = 65536,
                               .flush_ns = 20000,
                               .entries = 4,
                               .layout = {.batch = 32,
                                          .slot_stride = 2048,
                                          .length_bytes = 2,
                                          .frame_offset = 2,
                                          .result_stride = 4,
                                          .verdict_bytes = 1,
                                          .hop_offset = 2,
                                          .hop_bytes = 2},
                               .completion_base = FLAGS};
}

/* `count` packets with random contents of random length; time stamps `gap_ns` apart. */
static inline struct bench *bench_create(uint32_t count, uint32_t min_length, uint32_t max_length,
                                         uint64_t gap_ns, uint64_t seed)
{
    struct bench *b = calloc(1, sizeof *b);
    uint32_t at = 0;

    rng_seed(&b->rng, seed);
    b->bytes = malloc((size_t)count * max_length);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t length = min_length + rng_below(&b->rng, max_length - min_length + 1);
        b->packets[i] = (struct captured_packet){5000 + i * gap_ns, at, length};
        for (uint32_t k = 0; k < length; k++)
            b->bytes[at++] = (uint8_t)rng_u64(&b->rng);
    }
    b->capture =
        (struct nic_capture){.packets = b->packets, .count = count, .bytes = b->bytes, .size = at};
    b->service_min = b->service_max = 1000;
    b->limit = 100000000;
    b->config = plain();
    return b;
}

/* Creates link and NIC from b->config; `in_place`: output buffers are the input buffers. */
static inline void bench_start(struct bench *b, bool in_place)
{
    static const struct pcie_config link = {.core_khz = 1000000,
                                            .bytes_per_second = {7000000000, 7000000000},
                                            .latency_ns = 350,
                                            .max_payload = 256,
                                            .header_bytes = 24,
                                            .send_queue = 64,
                                            .credits = 64,
                                            .read_tags = 32,
                                            .max_read = 512};
    struct pcie_endpoint gpu = {
        .name = "gpu", .user = b, .deliver_write = gpu_write, .deliver_read = gpu_read};
    struct pcie_endpoint nic = {.name = "nic", .side = 1, .rid = 0x77};
    const struct nic_layout *l = &b->config.layout;
    uint64_t at = 4096;

    for (uint32_t i = 0; i < b->config.entries; i++) {
        struct nic_entry *e = &b->entry[i];
        e->input = at;
        at += (uint64_t)l->batch * l->slot_stride;
        e->output = in_place ? e->input : at;
        at += in_place ? 0 : (uint64_t)l->batch * l->slot_stride;
        e->results = at;
        at += (uint64_t)l->batch * l->result_stride;
        e->count = at;
        at += 64;
    }
    b->memory = calloc(1, at);
    b->link = pcie_create(&link, NULL);
    assert_int_equal(pcie_attach(b->link, &gpu, NULL), GPU);
    nic_endpoint(&nic, &b->nic);
    assert_int_equal(pcie_attach(b->link, &nic, NULL), NIC);
    b->config.layout.forward = 1u << 1;
    b->config.entry = b->entry;
    b->config.gpu_link = b->link;
    b->config.self = NIC;
    b->config.gpu = GPU;
    if (!b->config.signal.link)
        b->config.signal = (struct nic_signal){.kind = b->config.signal.kind,
                                               .link = b->link,
                                               .from = NIC,
                                               .to = GPU,
                                               .bar = PCIE_BAR_DOORBELL,
                                               .address = DOORBELL};
    if (b->config.signal.kind == NIC_SIGNAL_ROUND) {
        b->config.signal.bar = PCIE_BAR_MEMORY;
        b->config.signal.address = WORDS;
        b->config.signal.stride = 4;
    }
    if (b->twice) {
        b->config.also = b->config.signal;
        b->config.also.address = ALSO;
    }
    b->nic = nic_create(&b->config, &b->capture, NULL);
    assert_non_null(b->nic);
    nic_start(b->nic, b->cycle);
}

/* Every packet has its fate, in order, with the right bytes; the statistics agree. */
static inline void bench_check(struct bench *b)
{
    const struct nic_record *r = nic_records(b->nic);
    uint64_t forwarded = 0, dropped = 0, lost = 0, bytes_out = 0, by_verdict[NIC_VERDICTS] = {0};
    uint64_t last_departure = 0, last_arrival = 0;
    uint8_t expect[16384];
    struct nic_stats s;
    uint32_t n_batches, in_batches = 0;
    /* Results come a cycle or more behind the flag; where words are taken, they are the answer. */
    uint64_t answered = b->config.returns == NIC_RETURN_ENTRY;
    const struct nic_batch *batches = nic_batches(b->nic, &n_batches);

    nic_get_stats(b->nic, &s);
    for (uint32_t i = 0; i < b->capture.count; i++) {
        const struct captured_packet *p = &b->packets[i];
        const uint8_t *frame = b->bytes + p->offset;
        assert_true(r[i].arrival > last_arrival);
        last_arrival = r[i].arrival;
        if (r[i].fate == NIC_LOST) {
            lost++;
            assert_null(nic_output(b->nic, i));
            continue;
        }
        assert_true(r[i].departure > r[i].arrival);
        assert_int_equal(r[i].verdict, verdict_of(frame));
        if (b->config.layout.hop_bytes)
            assert_int_equal(r[i].next_hop,
                             hop_of(frame) & (b->config.layout.hop_bytes == 1   ? 0xff
                                              : b->config.layout.hop_bytes == 2 ? 0xffff
                                                                                : 0xffffffff));
        assert_true(r[i].batch < n_batches);
        assert_true(batches[r[i].batch].first_arrival <= r[i].arrival);
        assert_true(batches[r[i].batch].done + answered <= r[i].departure);
        if (forwards(frame)) {
            assert_int_equal(r[i].fate, NIC_FORWARDED);
            assert_true(r[i].departure > last_departure);
            last_departure = r[i].departure;
            memcpy(expect, frame, p->length);
            rewrite(expect, frame, stored_of(&b->config.layout, p->length));
            assert_memory_equal(nic_output(b->nic, i), expect, p->length);
            forwarded++;
            bytes_out += p->length;
        } else {
            assert_int_equal(r[i].fate, NIC_DROPPED);
            assert_null(nic_output(b->nic, i));
            by_verdict[r[i].verdict < NIC_VERDICTS ? r[i].verdict : NIC_VERDICTS - 1]++;
            dropped++;
        }
    }
    assert_int_equal(s.packets_in, b->capture.count);
    assert_int_equal(s.bytes_in, b->capture.size);
    assert_int_equal(s.packets_lost, lost);
    assert_int_equal(s.forwarded, forwarded);
    assert_int_equal(s.latency->count, forwarded);
    assert_int_equal(s.bytes_out, bytes_out);
    assert_int_equal(s.last_departure, last_departure);
    assert_memory_equal(s.dropped, by_verdict, sizeof by_verdict);
    assert_int_equal(s.batches, n_batches);
    for (uint32_t i = 0; i < n_batches; i++) {
        assert_true(batches[i].signalled < batches[i].done &&
                    batches[i].done + answered <= batches[i].freed);
        assert_int_equal(batches[i].entry, i % b->config.entries);
        in_batches += batches[i].count;
    }
    assert_int_equal(in_batches, forwarded + dropped);
    assert_true(pcie_idle(b->link));
    assert_true(nic_next_event(b->nic) == CYCLE_NEVER);
}

static inline void bench_destroy(struct bench *b)
{
    nic_destroy(b->nic);
    pcie_destroy(b->link);
    free(b->bytes);
    free(b->memory);
    free(b);
}

#endif
