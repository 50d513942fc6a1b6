/* Device memory: sparse, zeroed, allocated first fit, refused with a reason. */
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/rng.h"
#include "sim/mem/image/image.h"
#include "tests/unit.h"

static void test_bounds(void **state)
{
    (void)state;
    struct image image;
    assert_true(image_create(&image, 1 << 20, NULL));
    assert_false(image_valid(&image, 0, 1));
    assert_false(image_valid(&image, IMAGE_HEAP_BASE, 1));
    uint64_t a = image_alloc(&image, 100, 256);
    assert_true(a >= IMAGE_HEAP_BASE && a % 256 == 0);
    assert_int_equal(image.allocated, 100);
    assert_true(image_valid(&image, a, 100));
    assert_false(image_valid(&image, a, 101));
    assert_false(image_valid(&image, a + 99, UINT64_MAX));
    assert_false(image_valid(&image, UINT64_MAX, 2));
    assert_false(image_valid(&image, IMAGE_HEAP_BASE - 1, 2));
    assert_int_equal(image_alloc(&image, 1, 3), 0);
    assert_int_equal(image_alloc(&image, 1, 0), 0);
    assert_int_equal(image_alloc(&image, 1 << 20, 1), 0);
    assert_int_equal(image_alloc(&image, UINT64_MAX, 1), 0);
    assert_int_equal(image_alloc(&image, 1, 1ull << 63), 0);
    uint64_t rest = image.bytes - (a + 256);
    assert_true(image_alloc(&image, rest, 1) != 0); /* to the last byte */
    assert_int_equal(image_alloc(&image, 1, 1), 0);
    assert_int_equal(image.allocated, 100 + rest);
    assert_true(image_release(&image, a));
    assert_int_equal(image.allocated, rest);
    image_destroy(&image);
}

/* A block at the top does not move the others, before it and after it. */
static void test_top(void **state)
{
    (void)state;
    struct image plain, image;
    assert_true(image_create_shared(&plain, 1ull << 45, 1 << 20, NULL));
    assert_true(image_create_shared(&image, 1ull << 45, 1 << 20, NULL));
    assert_int_equal(image_alloc(&image, 300, 256), image_alloc(&plain, 300, 256));
    assert_int_equal(image_alloc_top(&image, 1 << 20, 1536), 0);
    assert_int_equal(image_alloc_top(&image, UINT64_MAX, 1536), 0);
    uint64_t top = image_alloc_top(&image, 98304, 1536), end = (1ull << 45) + (1 << 20);
    assert_true(top % 1536 == 0 && top + 98304 <= end && top + 98304 + 1536 > end);
    uint64_t a = image_alloc(&image, 5000, 256), b = image_alloc(&image, 10, 16);
    assert_int_equal(a, image_alloc(&plain, 5000, 256));
    assert_int_equal(b, image_alloc(&plain, 10, 16));
    assert_true(image_release(&image, a) && image_release(&plain, a));
    assert_int_equal(image_alloc(&image, 4000, 256), image_alloc(&plain, 4000, 256));
    assert_int_equal(image_alloc(&image, 1 << 20, 1), 0);
    assert_int_equal(image_alloc(&image, end - top, 1), image_alloc(&plain, end - top, 1));
    image_destroy(&image);
    image_destroy(&plain);
}

/* Memory that another mapping of its file sees, at addresses of its own, zero again when released.
 */
static void test_shared(void **state)
{
    (void)state;
    struct image image;
    uint64_t start = 1ull << 45;
    assert_true(image_create_shared(&image, start, 1 << 24, NULL));
    uint64_t a = image_alloc(&image, 20000, 4096);
    assert_true(a >= start + IMAGE_HEAP_BASE && a % 4096 == 0);
    assert_false(image_valid(&image, start, 1));
    assert_false(image_valid(&image, IMAGE_HEAP_BASE, 1));
    assert_true(image_valid(&image, a, 20000));
    uint8_t *other = mmap(NULL, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED, image.file, 0);
    assert_true(other != MAP_FAILED);
    memset(image.base + a, 0x5a, 20000);
    assert_int_equal(other[a - start + 19999], 0x5a);
    other[a - start] = 1;
    assert_int_equal(image.base[a], 1);
    assert_true(image_release(&image, a));
    assert_int_equal(image_alloc(&image, 20000, 4096), a);
    for (uint32_t i = 0; i < 20000; i++)
        assert_int_equal(image.base[a + i], 0);
    assert_int_equal(image_alloc(&image, 1 << 24, 1), 0);
    munmap(other, 1 << 24);
    image_destroy(&image);
}

static uint64_t pages_of(const struct image *image)
{
    struct stat file;
    assert_int_equal(fstat(image->file, &file), 0);
    return (uint64_t)file.st_blocks * 512 / 4096;
}

/* Zeros are zeros, wherever pages are there already; those that are not stay away. */
static void test_zero(void **state)
{
    (void)state;
    const uint32_t page = 4096, pages = 1000;
    struct image image;
    assert_true(image_create_shared(&image, 1ull << 45, 1 << 24, NULL));
    uint64_t a = image_alloc(&image, pages * page, page);
    image_zero(&image, a, pages * page);
    assert_int_equal(pages_of(&image), 0);
    static const uint32_t touched[] = {1, 2, 3, 17, 300, 301, 998, 999};
    for (uint32_t i = 0; i < sizeof touched / sizeof touched[0]; i++)
        memset(image.base + a + touched[i] * page, 0x5a, page);
    assert_int_equal(pages_of(&image), 8);
    image_zero(&image, a + page + 100,
               997 * page + 50); /* all but 100 bytes of 1, and 150 of 998 */
    assert_int_equal(pages_of(&image), 8);
    for (uint32_t i = 0; i < pages * page; i++) {
        bool left = (i >= page && i < page + 100) || i >= 998 * page + 150;
        if (image.base[a + i] != (left ? 0x5a : 0))
            fail_msg("byte %u of page %u", i % page, i / page);
    }
    memset(image.base + a, 0x5a, 3 * page);
    image_zero(&image, a + 1, 100);
    assert_int_equal(image.base[a], 0x5a);
    assert_int_equal(image.base[a + 1], 0);
    assert_int_equal(image.base[a + 101], 0x5a);
    image_destroy(&image);
    assert_true(image_create(&image, 1 << 24, NULL)); /* without a file */
    a = image_alloc(&image, 1 << 20, page);
    memset(image.base + a, 0x5a, 1 << 20);
    image_zero(&image, a, 1 << 20);
    for (uint32_t i = 0; i < 1 << 20; i++)
        assert_int_equal(image.base[a + i], 0);
    image_destroy(&image);
}

static void test_reuse(void **state)
{
    (void)state;
    struct image image;
    assert_true(image_create(&image, 1 << 24, NULL));
    uint64_t a = image_alloc(&image, 10000, 128);
    uint64_t b = image_alloc(&image, 10000, 128);
    uint64_t c = image_alloc(&image, 10000, 128);
    memset(image.base + b, 0xff, 10000);
    assert_false(image_release(&image, b + 1));
    assert_true(image_release(&image, b));
    assert_false(image_release(&image, b));
    uint64_t d = image_alloc(&image, 5000, 128);
    assert_int_equal(d, b); /* first fit */
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(image.base[d + i], 0);
    uint64_t e = image_alloc(&image, 10000, 128); /* does not fit in what is left there */
    assert_true(e > c);
    assert_true(image_release(&image, a));
    assert_true(image_release(&image, d));
    assert_int_equal(image_alloc(&image, 20000, 128), a); /* neighbours joined */
    assert_true(image_release(&image, e));
    assert_int_equal(image.brk, c + 10000);
    image_destroy(&image);
}

/* Blocks never overlap, keep their contents, and are zero when new. */
static void test_random(void **state)
{
    (void)state;
    struct image image;
    struct rng rng;
    rng_seed(&rng, 1);
    assert_true(image_create(&image, 1 << 20, NULL));
    struct {
        uint64_t at, bytes;
        uint8_t mark;
    } block[64] = {{0}};
    uint32_t full = 0;
    for (uint32_t n = 0; n < 20000; n++) {
        uint32_t i = rng_below(&rng, 64);
        if (block[i].at) {
            for (uint64_t j = 0; j < block[i].bytes; j += 61)
                assert_int_equal(image.base[block[i].at + j], block[i].mark);
            assert_true(image_release(&image, block[i].at));
            block[i].at = 0;
            continue;
        }
        uint64_t align = 1ull << rng_below(&rng, 13);
        block[i].bytes = 1 + rng_below(&rng, 40000);
        block[i].at = image_alloc(&image, block[i].bytes, align);
        full += block[i].at == 0;
        if (!block[i].at)
            continue;
        assert_int_equal(block[i].at % align, 0);
        assert_true(image_valid(&image, block[i].at, block[i].bytes));
        for (uint64_t j = 0; j < block[i].bytes; j++)
            assert_int_equal(image.base[block[i].at + j], 0);
        block[i].mark = (uint8_t)(1 + n % 255);
        memset(image.base + block[i].at, block[i].mark, block[i].bytes);
    }
    assert_true(full > 0);
    image_destroy(&image);
}

static uint64_t resident_kib(void)
{
    unsigned long long total = 0;
    unsigned long long resident = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%llu %llu", &total, &resident), 2);
    fclose(f);
    return resident * 4;
}

static void test_sparse(void **state)
{
    (void)state;
    struct image image;
    assert_true(image_create(&image, 64ull << 30, NULL));
    uint64_t before = resident_kib();
    uint64_t a = image_alloc(&image, 40ull << 30, 4096);
    assert_true(a != 0);
    for (uint64_t i = 0; i < 16; i++)
        image.base[a + (i << 31)] = 1;
    assert_true(resident_kib() < before + 8192);
    memset(image.base + a, 1, 64 << 20);
    assert_true(image_release(&image, a));
    assert_true(resident_kib() < before + 8192);
    image_destroy(&image);
}

static void test_refused(void **state)
{
    (void)state;
    struct image image;
    struct error err = {0};
    assert_false(image_create(&image, UINT64_MAX / 2, &err));
    assert_non_null(strstr(err.text, "device memory of"));
    image_destroy(&image); /* harmless */
    err.set = false;
    assert_false(image_create(&image, 1000, &err));
    assert_true(err.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),  cmocka_unit_test(test_top),
        cmocka_unit_test(test_shared),  cmocka_unit_test(test_reuse),
        cmocka_unit_test(test_random),  cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
