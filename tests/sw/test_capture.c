/* The capture reader on files made by hand: formats, link types, damage. */
#include <unistd.h>

#include "base/compressed_output.h"
#include "base/error.h"
#include "sw/services/common/capture.h"
#include "sw/services/ipv4/ipv4.h"
#include "tests/sw/scratch.h"
#include "tests/unit.h"

#define ETHERNET 1u
#define MAGIC_US 0xA1B2C3D4u
#define MAGIC_NS 0xA1B23C4Du

static const struct capture_filter ipv4_frames = {"IPv4", 0x0800, true};

/* A capture file in memory. */
struct file {
    uint8_t bytes[400000];
    size_t size;
    bool big_endian;
};

static void put32(struct file *f, uint32_t v)
{
    for (int i = 0; i < 4; i++)
        f->bytes[f->size++] = (uint8_t)(v >> (f->big_endian ? 24 - 8 * i : 8 * i));
}

static void put16(struct file *f, uint32_t v)
{
    for (int i = 0; i < 2; i++)
        f->bytes[f->size++] = (uint8_t)(v >> (f->big_endian ? 8 - 8 * i : 8 * i));
}

static void pcap_header(struct file *f, uint32_t magic, uint32_t link)
{
    f->size = 0;
    put32(f, magic);
    put16(f, 2);
    put16(f, 4);
    put32(f, 0);
    put32(f, 0);
    put32(f, 262144);
    put32(f, link);
}

/* The first `have` bytes of a frame of `length` bytes whose EtherType is `type`. */
static void put_frame(struct file *f, uint32_t type, uint32_t have)
{
    uint8_t frame[128] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    write_be16(frame + 12, type);
    frame[14] = 0x45;
    for (uint32_t i = 15; i < sizeof frame; i++)
        frame[i] = (uint8_t)i;
    for (uint32_t i = 0; i < have; i++)
        f->bytes[f->size++] = i < sizeof frame ? frame[i] : 0xCC;
}

static void pcap_frame(struct file *f, uint32_t type, uint32_t have, uint32_t length,
                       uint32_t seconds, uint32_t fraction)
{
    put32(f, seconds);
    put32(f, fraction);
    put32(f, have);
    put32(f, length);
    put_frame(f, type, have);
}

static bool read_file(void **state, const struct file *f, struct capture *c, struct error *err)
{
    struct scratch_path path = scratch_path(state, "x.pcap");
    scratch_write(path.text, f->bytes, f->size);
    *err = (struct error){0};
    bool ok = capture_read(path.text, &ipv4_frames, 0, c, err);
    if (!ok) {
        assert_non_null(strstr(err->text, "x.pcap"));
        assert_null(c->packets);
        assert_null(c->bytes);
    }
    return ok;
}

static struct file file; /* large; used by one test at a time */

static void reads_every_pcap_variant(void **state)
{
    struct capture c;
    struct error err;
    for (int variant = 0; variant < 4; variant++) {
        bool nanoseconds = variant & 1;
        file.big_endian = variant & 2;
        pcap_header(&file, nanoseconds ? MAGIC_NS : MAGIC_US, ETHERNET);
        pcap_frame(&file, 0x0800, 60, 60, 10, 999999);
        pcap_frame(&file, 0x0806, 60, 60, 11, 0);
        pcap_frame(&file, 0x0800, 100, 100, 4000000000u, 5);
        assert_true(read_file(state, &file, &c, &err));
        assert_int_equal(c.frames, 3);
        assert_int_equal(c.count, 2);
        assert_int_equal(c.packets[0].timestamp_ns,
                         UINT64_C(10000000000) + (nanoseconds ? 999999 : 999999000));
        assert_int_equal(c.packets[1].timestamp_ns,
                         UINT64_C(4000000000000000000) + (nanoseconds ? 5 : 5000));
        assert_int_equal(c.packets[1].offset, 60);
        assert_int_equal(c.packets[1].length, 100);
        assert_int_equal(c.size, 160);
        assert_int_equal(c.longest, 100);
        assert_int_equal(c.bytes[0], 1);
        assert_int_equal(c.bytes[60 + 99], 99);
        assert_int_equal(c.skipped[CAPTURE_OTHER], 1);
        assert_int_equal(c.first_skipped[CAPTURE_OTHER], 2);
        capture_free(&c);
    }
    file.big_endian = false;
}

static void reads_pcapng(void **state)
{
    struct capture c;
    struct error err;
    file = (struct file){0};
    put32(&file, 0x0A0D0D0A); /* section header */
    put32(&file, 28);
    put32(&file, 0x1A2B3C4D);
    put16(&file, 1);
    put16(&file, 0);
    put32(&file, UINT32_MAX);
    put32(&file, UINT32_MAX);
    put32(&file, 28);
    put32(&file, 1); /* interface, resolution 10^-9 */
    put32(&file, 32);
    put16(&file, ETHERNET);
    put16(&file, 0);
    put32(&file, 0);
    put16(&file, 9);
    put16(&file, 1);
    put32(&file, 9);
    put32(&file, 0);
    put32(&file, 32);
    put32(&file, 6); /* packet */
    put32(&file, 32 + 60);
    put32(&file, 0);
    put32(&file, 1);
    put32(&file, 7);
    put32(&file, 60);
    put32(&file, 60);
    put_frame(&file, 0x0800, 60);
    put32(&file, 32 + 60);
    assert_true(read_file(state, &file, &c, &err));
    assert_int_equal(c.count, 1);
    assert_int_equal(c.packets[0].timestamp_ns, (UINT64_C(1) << 32) + 7);
    capture_free(&c);

    file.size -= 40; /* inside the packet */
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "frame 1: truncated"));
}

static void every_truncation_is_an_error(void **state)
{
    struct capture c;
    struct error err;
    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0800, 60, 60, 1, 0);
    size_t one = file.size;
    pcap_frame(&file, 0x0800, 60, 60, 2, 0);
    size_t two = file.size;
    for (size_t size = 0; size <= two; size++) {
        file.size = size;
        bool ok = read_file(state, &file, &c, &err);
        assert_int_equal(ok, size == one || size == two);
        if (ok)
            capture_free(&c);
        else if (size > one)
            assert_non_null(strstr(err.text, "frame 2: truncated"));
        else if (size == 24)
            assert_non_null(strstr(err.text, "contains no packets"));
    }
}

static void rejects_what_is_not_a_capture(void **state)
{
    struct capture c;
    struct error err = {0};
    file.size = 0;
    for (int i = 0; i < 100; i++)
        put32(&file, 0x64636261);
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "is not a readable packet capture"));

    err = (struct error){0};
    assert_false(capture_read("no/such.pcap", &ipv4_frames, 0, &c, &err));
    assert_string_equal(err.text, "no/such.pcap: No such file or directory");

    pcap_header(&file, MAGIC_US, 113); /* Linux cooked */
    pcap_frame(&file, 0x0800, 60, 60, 1, 0);
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "link type is LINUX_SLL (113); only an Ethernet"));

    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0806, 60, 60, 1, 0);
    pcap_frame(&file, 0x8100, 60, 60, 1, 0);
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "no IPv4 packet among 2 frames"));

    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0800, 60, 60, 1, 0);
    put32(&file, 1);
    put32(&file, 0);
    put32(&file, 0x7FFFFFFF); /* a length that no frame has */
    put32(&file, 0x7FFFFFFF);
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "frame 2: "));
}

static void snapshot_lengths(void **state)
{
    struct capture c;
    struct error err;
    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0800, 34, 1500, 1, 0); /* header complete: kept, padded */
    pcap_frame(&file, 0x0800, 33, 1500, 1, 0); /* header cut */
    pcap_frame(&file, 0x0800, 14, 60, 1, 0);
    pcap_frame(&file, 0x0800, 10, 60, 1, 0);
    pcap_frame(&file, 0x0800, 10, 10, 1, 0); /* a whole frame of 10 bytes has no EtherType */
    pcap_frame(&file, 0x86DD, 40, 1500, 1, 0);
    pcap_frame(&file, 0x0800, 20, 20, 1, 0); /* short but whole: the kernel's business */
    pcap_frame(&file, 0x0800, 60, 70000, 1, 0);
    pcap_frame(&file, 0x0800, 70000, 70000, 1, 0);
    assert_true(read_file(state, &file, &c, &err));
    assert_int_equal(c.frames, 9);
    assert_int_equal(c.count, 2);
    assert_int_equal(c.padded, 1);
    assert_int_equal(c.packets[0].length, 1500);
    assert_int_equal(c.bytes[33], 33);
    for (uint32_t i = 34; i < 1500; i++)
        assert_int_equal(c.bytes[i], 0);
    assert_int_equal(c.packets[1].length, 20);
    assert_int_equal(c.skipped[CAPTURE_CUT], 3);
    assert_int_equal(c.first_skipped[CAPTURE_CUT], 2);
    assert_int_equal(c.skipped[CAPTURE_OTHER], 2);
    assert_int_equal(c.skipped[CAPTURE_TOO_LONG], 2);
    assert_int_equal(c.first_skipped[CAPTURE_TOO_LONG], 8);
    capture_free(&c);

    /* With options, the whole header must be there. */
    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0800, 40, 200, 1, 0);
    file.bytes[24 + 16 + 14] = 0x47; /* 28 bytes */
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "1 cut by the snapshot length"));
}

static void limit_stops_early(void **state)
{
    struct capture c;
    struct error err = {0};
    pcap_header(&file, MAGIC_US, ETHERNET);
    for (uint32_t i = 0; i < 10; i++)
        pcap_frame(&file, i % 2 ? 0x0800 : 0x0806, 60, 60, i, 0);
    file.size -= 3; /* the damage lies behind the limit */
    struct scratch_path path = scratch_path(state, "x.pcap");
    scratch_write(path.text, file.bytes, file.size);
    assert_true(capture_read(path.text, &ipv4_frames, 3, &c, &err));
    assert_int_equal(c.count, 3);
    assert_int_equal(c.frames, 6);
    capture_free(&c);
}

/* gzip and xz, whole and cut off. */
static void reads_compressed_files(void **state)
{
    static const char *const names[] = {"x.pcap.gz", "x.pcap.xz"};
    pcap_header(&file, MAGIC_US, ETHERNET);
    for (uint32_t i = 0; i < 100; i++)
        pcap_frame(&file, 0x0800, 60, 60, 1, i);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct scratch_path path = scratch_path(state, names[i]);
        struct capture c;
        struct error err = {0};
        struct compressed_output *out = compressed_output_open(path.text, &err);
        assert_true(out && compressed_output_write(out, file.bytes, file.size, &err) &&
                    compressed_output_finish(out, &err));
        assert_true(capture_read(path.text, &ipv4_frames, 0, &c, &err));
        assert_int_equal(c.count, 100);
        assert_int_equal(c.packets[99].timestamp_ns, 1000099000);
        capture_free(&c);
        assert_int_equal(truncate(path.text, 100), 0);
        assert_false(capture_read(path.text, &ipv4_frames, 0, &c, &err));
        assert_non_null(strstr(err.text, "truncated"));
    }
}

static void rejects_a_stamp_of_more_than_a_second(void **state)
{
    struct capture c;
    struct error err = {0};
    pcap_header(&file, MAGIC_US, ETHERNET);
    pcap_frame(&file, 0x0800, 60, 60, 1, 5);
    pcap_frame(&file, 0x0800, 60, 60, 1, UINT32_MAX);
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "frame 2: its time stamp"));
}

/* A section, an interface of Ethernet whose stamps are seconds, a frame at that second. */
static void pcapng_at(uint32_t high)
{
    static const uint32_t head[] = {0x0A0D0D0A, 28,          0x1A2B3C4D, 1,  UINT32_MAX,
                                    UINT32_MAX, 28,          1,          32, ETHERNET,
                                    0,          9 | 1 << 16, 0,          0,  32};
    file.size = 0;
    file.big_endian = false;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++)
        put32(&file, head[i]);
    const uint32_t frame[] = {6, 92, 0, high, 5, 60, 60};
    for (size_t i = 0; i < sizeof frame / sizeof *frame; i++)
        put32(&file, frame[i]);
    put_frame(&file, 0x0800, 60);
    put32(&file, 92);
}

static void rejects_a_stamp_beyond_64_bits_of_nanoseconds(void **state)
{
    struct capture c;
    struct error err = {0};
    pcapng_at(0);
    assert_true(read_file(state, &file, &c, &err));
    assert_int_equal(c.packets[0].timestamp_ns, 5000000000);
    capture_free(&c);
    pcapng_at(4); /* 2^34 s and 5 */
    assert_true(read_file(state, &file, &c, &err));
    assert_int_equal(c.packets[0].timestamp_ns, 17179869189u * UINT64_C(1000000000));
    capture_free(&c);
    pcapng_at(5); /* more than 2^64 ns */
    assert_false(read_file(state, &file, &c, &err));
    assert_non_null(strstr(err.text, "frame 1: its time stamp"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_every_pcap_variant),
        cmocka_unit_test(reads_pcapng),
        cmocka_unit_test(every_truncation_is_an_error),
        cmocka_unit_test(rejects_what_is_not_a_capture),
        cmocka_unit_test(snapshot_lengths),
        cmocka_unit_test(limit_stops_early),
        cmocka_unit_test(reads_compressed_files),
        cmocka_unit_test(rejects_a_stamp_of_more_than_a_second),
        cmocka_unit_test(rejects_a_stamp_beyond_64_bits_of_nanoseconds),
    };
    return cmocka_run_group_tests(tests, scratch_create, scratch_remove);
}
