/* The formats of printf in kernels against those of the C library. */
#include "base/rng.h"
#include "sim/simt/pipeline/print_format.h"
#include "tests/unit.h"

#define BYTES 4096

/* A thread's memory: format at 64, strings at 512, arguments at 1024. */
static uint8_t store[BYTES];

static const uint8_t *at(void *user, uint64_t address, uint64_t bytes)
{
    (void)user;
    return address >= 64 && address < BYTES && bytes <= BYTES - address ? store + address : NULL;
}

static const struct thread_memory memory = {at, NULL};

struct arguments {
    uint64_t next;
    int count;
};

static void start(struct arguments *a, const char *format)
{
    memset(store, 0, sizeof store);
    strcpy((char *)store + 64, format);
    *a = (struct arguments){.next = 1024};
}

static void add(struct arguments *a, const void *value, uint64_t bytes)
{
    a->next = (a->next + bytes - 1) / bytes * bytes;
    memcpy(store + a->next, value, bytes);
    a->next += bytes;
    a->count++;
}

static void expect(const struct arguments *a, const char *text)
{
    char got[BYTES];
    assert_int_equal(print_format(&memory, 64, 1024, got, sizeof got), a->count);
    assert_string_equal(got, text);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void random_directive(struct rng *rng, char out[32], const char *modifier, char type)
{
    static const char flags[] = "#0 +-";
    char *p = out;
    *p++ = '%';
    for (uint32_t n = rng_below(rng, 3); n; n--)
        *p++ = flags[rng_below(rng, 5)];
    if (rng_chance(rng, 1, 2))
        p += sprintf(p, "%u", 1 + rng_below(rng, 30));
    if (rng_chance(rng, 1, 2))
        p += sprintf(p, ".%u", rng_below(rng, 12));
    sprintf(p, "%s%c", modifier, type);
}

static void test_numbers(void **state)
{
    (void)state;
    static const char integers[] = "diouxX", reals[] = "eEfFgGaA";
    struct rng rng;
    rng_seed(&rng, 5);
    for (int n = 0; n < 3000; n++) {
        char directive[32], text[512];
        struct arguments a;
        uint64_t wide = rng_u64(&rng) >> rng_below(&rng, 64);
        uint32_t word = (uint32_t)wide;
        double real;
        memcpy(&real, &wide, sizeof real);
        real = rng_chance(&rng, 1, 2) ? (double)(int32_t)word / 1000 : real;
        switch (n % 3) {
        case 0:
            random_directive(&rng, directive, "", integers[rng_below(&rng, 6)]);
            start(&a, directive);
            add(&a, &word, 4);
            snprintf(text, sizeof text, directive, word);
            break;
        case 1:
            random_directive(&rng, directive, rng_chance(&rng, 1, 2) ? "l" : "ll",
                             integers[rng_below(&rng, 6)]);
            start(&a, directive);
            add(&a, &wide, 8);
            snprintf(text, sizeof text, directive, wide);
            break;
        default:
            random_directive(&rng, directive, "", reals[rng_below(&rng, 8)]);
            start(&a, directive);
            add(&a, &real, 8);
            snprintf(text, sizeof text, directive, real);
            break;
        }
        expect(&a, text);
    }
}
#pragma GCC diagnostic pop

static void test_mixed(void **state)
{
    (void)state;
    struct arguments a;
    start(&a, "[%d|%5s|%-4c|%lld|%*d|%.*f|%p|%p|%hhd|%hu|100%%]");
    strcpy((char *)store + 512, "abc");
    int32_t minus = -7, width = 6, precision = 2, big = 70001, letter = 'q';
    int64_t wide = -1234567890123;
    uint64_t string = 512, null = 0, pointer = 0x7f00;
    double pi = 3.14159;
    add(&a, &minus, 4);
    add(&a, &string, 8);
    add(&a, &letter, 4);
    add(&a, &wide, 8);
    add(&a, &width, 4);
    add(&a, &minus, 4);
    add(&a, &precision, 4);
    add(&a, &pi, 8);
    add(&a, &pointer, 8);
    add(&a, &null, 8);
    add(&a, &big, 4);
    add(&a, &big, 4);
    expect(&a, "[-7|  abc|q   |-1234567890123|    -7|3.14|0x7f00|(nil)|113|4465|100%]");
}

static void test_odd_formats(void **state)
{
    (void)state;
    struct arguments a;
    start(&a, "%y %");
    expect(&a, "%y %");
    int32_t least = INT32_MIN, one = 1; /* as width: the longest there is; as precision: none */
    char wide[1024 + 8];
    start(&a, "%*d|%.*d");
    add(&a, &least, 4);
    add(&a, &one, 4);
    add(&a, &least, 4);
    add(&a, &one, 4);
    snprintf(wide, sizeof wide, "%-1024d|1", 1);
    expect(&a, wide);
    start(&a, "%s");
    uint64_t null = 0;
    add(&a, &null, 8);
    expect(&a, "(null)");
    char got[8];
    assert_int_equal(print_format(&memory, 0, 1024, got, sizeof got), -1);
    assert_int_equal(print_format(&memory, BYTES + 9, 1024, got, sizeof got), -2);
    start(&a, "%d");
    assert_int_equal(print_format(&memory, 64, BYTES, got, sizeof got), -2);
    start(&a, "cut where the buffer ends");
    assert_int_equal(print_format(&memory, 64, 1024, got, sizeof got), 0);
    assert_string_equal(got, "cut whe");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_mixed),
        cmocka_unit_test(test_odd_formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
