/* Generated captures, read back. */
#include "base/error.h"
#include "sim/host/nic.h"
#include "sw/services/common/capture.h"
#include "sw/services/ipv4/forward.h"
#include "sw/services/ipv4/pktgen.h"
#include "tests/sw/scratch.h"
#include "tests/unit.h"

#define COUNT 20000u

struct fixture {
    void *directory;
    struct route_list routes;
};

static int set_up(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct error err = {0};
    if (!f || scratch_create(&f->directory) ||
        !routes_make(
            &(struct route_source){.family = ADDRESS_IPV4, .seed = 11, .count = 5000, .hops = 8},
            &f->routes, &err))
        return -1;
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    int result = scratch_remove(&f->directory);
    routes_free(&f->routes);
    free(f);
    return result;
}

static const struct capture_filter ipv4_frames = {"IPv4", FWD_ETHERTYPE_IPV4, true};

static bool pktgen_write(const char *path, const struct traffic_options *options,
                         const struct route_list *routes, struct traffic_summary *summary,
                         struct error *err)
{
    struct pktgen *g = pktgen_create(routes);
    bool ok = traffic_write(path, options, pktgen_source(g), summary, err);
    pktgen_destroy(g);
    return ok;
}

static struct traffic_options plain(void)
{
    struct traffic_options o = pktgen_defaults();
    o.count = COUNT;
    memset(o.fraction, 0, sizeof o.fraction);
    return o;
}

static struct scratch_path generate(struct fixture *f, const struct traffic_options *o,
                                    struct traffic_summary *summary)
{
    struct error err = {0};
    struct scratch_path path = scratch_path(&f->directory, "made.pcap");
    if (!pktgen_write(path.text, o, &f->routes, summary, &err))
        fail_msg("%s", err.text);
    return path;
}

static void verdicts_match_the_kinds(void **state)
{
    struct fixture *f = *state;
    struct traffic_options o = plain();
    for (uint32_t k = 0; k < PKTGEN_KINDS; k++)
        o.fraction[k] = 50000 + 5000 * k;
    struct traffic_summary made;
    struct scratch_path path = generate(f, &o, &made);
    struct error err = {0};
    struct capture c;
    assert_true(capture_read(path.text, &ipv4_frames, 0, &c, &err));
    assert_int_equal(c.frames, COUNT);
    assert_int_equal(c.skipped[CAPTURE_OTHER],
                     made.kind[PKTGEN_ARP] + made.kind[PKTGEN_IPV6] + made.kind[PKTGEN_VLAN]);
    assert_int_equal(c.skipped[CAPTURE_CUT] + c.skipped[CAPTURE_TOO_LONG] + c.padded, 0);

    struct trie *trie = trie_create(&f->routes);
    struct fwd_hop hops[9];
    forward_make_hops(hops, 8, 8);
    uint32_t verdict[FWD_VERDICTS] = {0};
    for (uint32_t i = 0; i < c.count; i++)
        verdict[forward_reference(c.bytes + c.packets[i].offset, c.packets[i].length, trie, hops) &
                0xFF]++;
    assert_int_equal(verdict[FWD_FORWARD], made.ordinary + made.kind[PKTGEN_OPTIONS]);
    assert_int_equal(verdict[FWD_NO_ROUTE], made.kind[PKTGEN_NO_ROUTE]);
    assert_int_equal(verdict[FWD_TTL_EXPIRED], made.kind[PKTGEN_TTL_EXPIRED]);
    assert_int_equal(verdict[FWD_BAD_CHECKSUM], made.kind[PKTGEN_BAD_CHECKSUM]);
    assert_int_equal(verdict[FWD_TOO_SHORT], made.kind[PKTGEN_BAD_LENGTH]);
    assert_int_equal(verdict[FWD_BAD_HEADER], made.kind[PKTGEN_BAD_VERSION]);
    for (uint32_t k = 0; k < PKTGEN_KINDS; k++) { /* 5 % to 9 %, within 4 standard deviations */
        uint32_t mean = (uint32_t)((uint64_t)COUNT * o.fraction[k] / TRAFFIC_MILLION);
        assert_in_range(made.kind[k], mean - 180, mean + 180);
    }
    trie_destroy(trie);
    capture_free(&c);
}

static void same_options_same_file(void **state)
{
    struct fixture *f = *state;
    struct traffic_options o = pktgen_defaults();
    o.count = 1000;
    size_t size[3] = {0};
    char *bytes[3];
    for (int i = 0; i < 3; i++) {
        o.seed = i < 2 ? 42 : 43;
        bytes[i] = scratch_read(generate(f, &o, NULL).text, &size[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    assert_true(size[0] != size[2] || memcmp(bytes[0], bytes[2], size[0]) != 0);
    for (int i = 0; i < 3; i++)
        free(bytes[i]);
}

static void constant_gaps_keep_the_rate(void **state)
{
    struct fixture *f = *state;
    struct traffic_options o = plain();
    struct traffic_summary made;
    struct capture c;
    struct error err = {0};
    o.gaps = TRAFFIC_CONSTANT;
    o.rate_pps = 3000000; /* 333 1/3 ns */
    o.start_ns = UINT64_C(1700000000123456789);
    struct scratch_path path = generate(f, &o, &made);
    assert_true(capture_read(path.text, &ipv4_frames, 0, &c, &err));
    for (uint32_t i = 0; i < c.count; i++)
        assert_int_equal(c.packets[i].timestamp_ns, o.start_ns + (uint64_t)i * 1000 / 3);
    assert_int_equal(made.duration_ns, (COUNT - 1) * UINT64_C(1000) / 3);
    capture_free(&c);
}

static void poisson_gaps_have_mean_and_variance(void **state)
{
    struct fixture *f = *state;
    struct traffic_options o = plain();
    struct capture c;
    struct error err = {0};
    o.rate_pps = 1000000;
    struct scratch_path path = generate(f, &o, NULL);
    assert_true(capture_read(path.text, &ipv4_frames, 0, &c, &err));
    double sum = 0, squares = 0;
    uint32_t short_gaps = 0;
    for (uint32_t i = 1; i < c.count; i++) {
        double gap = (double)(c.packets[i].timestamp_ns - c.packets[i - 1].timestamp_ns);
        sum += gap;
        squares += gap * gap;
        short_gaps += gap < 693; /* the median of an exponential is ln 2 means */
    }
    double n = COUNT - 1, mean = sum / n, variance = squares / n - mean * mean;
    assert_in_range((unsigned)mean, 970, 1030);
    assert_in_range((unsigned)variance, 900000, 1100000);
    assert_in_range(short_gaps, COUNT * 48 / 100, COUNT * 52 / 100);
    capture_free(&c);
}

static void sizes_are_as_asked(void **state)
{
    struct fixture *f = *state;
    struct traffic_options o = plain();
    struct capture c;
    struct error err = {0};
    o.sizes = TRAFFIC_IMIX;
    assert_true(capture_read(generate(f, &o, NULL).text, &ipv4_frames, 0, &c, &err));
    uint32_t small = 0, medium = 0, large = 0;
    for (uint32_t i = 0; i < c.count; i++) {
        small += c.packets[i].length == 60;
        medium += c.packets[i].length == 590;
        large += c.packets[i].length == 1514;
    }
    assert_int_equal(small + medium + large, COUNT);
    assert_in_range(small, COUNT * 56 / 100, COUNT * 60 / 100);
    assert_in_range(medium, COUNT * 31 / 100, COUNT * 35 / 100);
    capture_free(&c);

    o.sizes = TRAFFIC_RANGE;
    o.min_frame = 100;
    o.max_frame = 103;
    assert_true(capture_read(generate(f, &o, NULL).text, &ipv4_frames, 0, &c, &err));
    uint32_t seen[4] = {0};
    for (uint32_t i = 0; i < c.count; i++) {
        assert_in_range(c.packets[i].length, 96, 99);
        seen[c.packets[i].length - 96]++;
    }
    assert_true(seen[0] && seen[1] && seen[2] && seen[3]);
    assert_int_equal(c.longest, 99);
    capture_free(&c);

    o.sizes = TRAFFIC_FIXED;
    o.min_frame = 1518;
    assert_true(capture_read(generate(f, &o, NULL).text, &ipv4_frames, 0, &c, &err));
    assert_int_equal(c.size, (size_t)COUNT * 1514);
    capture_free(&c);
}

static void rejects_impossible_options(void **state)
{
    struct fixture *f = *state;
    struct scratch_path path = scratch_path(&f->directory, "never.pcap");
    for (int i = 0; i < 9; i++) {
        struct traffic_options o = plain();
        const char *message = NULL;
        struct error err = {0};
        switch (i) {
        case 0:
            o.count = 0, message = "count";
            break;
        case 1:
            o.rate_pps = 0, message = "rate is 0";
            break;
        case 2:
            o.rate_pps = UINT64_C(1000000001), message = "rate is 1000000001";
            break;
        case 3:
            o.min_frame = 63, message = "frame size is 63";
            break;
        case 4:
            o.min_frame = 1519, message = "frame size is 1519";
            break;
        case 5:
            o.sizes = TRAFFIC_RANGE, o.min_frame = 200, o.max_frame = 199, message = "largest";
            break;
        case 6:
            o.sizes = TRAFFIC_RANGE, o.max_frame = 1519, message = "largest frame size is 1519";
            break;
        case 7:
            o.fraction[0] = 600000, o.fraction[1] = 400001, message = "add up to 1000001";
            break;
        default:
            o.fraction[0] = 0, message = "no routes";
            break;
        }
        struct route_list none = {0};
        assert_false(pktgen_write(path.text, &o, i == 8 ? &none : &f->routes, NULL, &err));
        if (!strstr(err.text, message))
            fail_msg("\"%s\" lacks \"%s\"", err.text, message);
        assert_int_not_equal(access(path.text, F_OK), 0);
    }
}

/* A failure part of the way leaves no file; an unwritable path is named. */
static void failures_leave_no_file(void **state)
{
    struct fixture *f = *state;
    struct scratch_path path = scratch_path(&f->directory, "never.pcap");
    struct route everything = {{0, 0}, 1, 0};
    struct route_list list = {.routes = &everything, .count = 1, .n_hops = 1};
    struct traffic_options o = plain();
    struct error err = {0};
    o.fraction[PKTGEN_NO_ROUTE] = 500000;
    assert_false(pktgen_write(path.text, &o, &list, NULL, &err));
    assert_non_null(strstr(err.text, "no unicast address without a route"));
    assert_int_not_equal(access(path.text, F_OK), 0);

    err = (struct error){0};
    assert_false(pktgen_write("no/such/dir/x.pcap", &o, &f->routes, NULL, &err));
    assert_non_null(strstr(err.text, "no/such/dir/x.pcap"));
    if (access("/dev/full", W_OK) == 0) {
        err = (struct error){0};
        struct scratch_path link = scratch_path(&f->directory, "full.pcap");
        assert_int_equal(symlink("/dev/full", link.text), 0);
        assert_false(pktgen_write(link.text, &o, &f->routes, NULL, &err));
        assert_non_null(strstr(err.text, "full.pcap: cannot be written"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_match_the_kinds),
        cmocka_unit_test(same_options_same_file),
        cmocka_unit_test(constant_gaps_keep_the_rate),
        cmocka_unit_test(poisson_gaps_have_mean_and_variance),
        cmocka_unit_test(sizes_are_as_asked),
        cmocka_unit_test(rejects_impossible_options),
        cmocka_unit_test(failures_leave_no_file),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
