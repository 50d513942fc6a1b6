/* Damaged PTX: cut off anywhere, bytes changed, tokens removed, swapped and repeated. The loader
 * either takes it or gives a message with the file and a line; built with sanitizers (SAN=1) this
 * finds any access outside of an array. */
#include "base/rng.h"
#include "tests/ptx/machine.h"

static char *text;
static size_t length;

static int load(void **state)
{
    (void)state;
    text = machine_file("tests/ptx/data/work_O1.ptx", &length);
    return length > 1000 ? 0 : -1;
}

static int unload(void **state)
{
    (void)state;
    free(text);
    return 0;
}

/* The copy has exactly its length, so that a read beyond is seen. */
static bool attempt(const char *damaged, size_t n)
{
    struct error err = {0};
    char *exact = malloc(n ? n : 1);
    assert_non_null(exact);
    memcpy(exact, damaged, n);
    struct module *m = module_parse("c.ptx", exact, n, &err);
    if (!m && (!err.set || strncmp(err.text, "c.ptx:", 6) != 0))
        fail_msg("message: %s", err.text);
    bool ok = m != NULL;
    module_free(m);
    free(exact);
    return ok;
}

static void test_truncated(void **state)
{
    (void)state;
    const char *last = memrchr(text, '}', length);
    uint32_t accepted = 0;
    for (size_t n = 0; n < length; n += 1 + n % 37)
        accepted += attempt(text, n) && n < (size_t)(last - text);
    /* Only right after a whole kernel, or among the directives before the first one. */
    assert_true(accepted < 30);
    assert_true(attempt(text, length));
    assert_false(attempt(text, (size_t)(last - text)));
}

static void test_changed_bytes(void **state)
{
    (void)state;
    static const char interesting[] = "\0\1\xFF{}()[]<>;:,.%@!|+-*/\"'09azAZ_$ \n";
    struct rng rng;
    rng_seed(&rng, 99);
    char *copy = alloc_array(length, 1);
    for (int i = 0; i < 1200; i++) {
        memcpy(copy, text, length);
        for (uint32_t changes = 1 + rng_below(&rng, 3); changes-- > 0;)
            copy[rng_below(&rng, (uint32_t)length)] =
                interesting[rng_below(&rng, sizeof interesting - 1)];
        (void)attempt(copy, length);
    }
    free(copy);
}

/* Pieces between blanks: removed, doubled, exchanged. */
static void test_moved_pieces(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    char *copy = alloc_array(2 * length, 1);
    for (int i = 0; i < 1200; i++) {
        size_t a = rng_below(&rng, (uint32_t)length - 200),
               b = rng_below(&rng, (uint32_t)length - 200);
        size_t n = 1 + rng_below(&rng, 60), out = 0;
        memcpy(copy, text, a);
        out = a;
        memcpy(copy + out, text + b, n);
        out += n;
        size_t rest = a + (rng_chance(&rng, 1, 2) ? n : 0);
        memcpy(copy + out, text + rest, length - rest);
        out += length - rest;
        (void)attempt(copy, out);
    }
    free(copy);
}

/* Every operand replaced by one of another kind. */
static void test_wrong_operands(void **state)
{
    (void)state;
    static const char *const operands[] = {
        "%p1", "%r1",        "%rd1",  "%f1",    "%rs1",  "_",    "{%r1}",   "{%r1,%r2}",   "[%rd1]",
        "-1",  "0f3F800000", "table", "%tid.x", "(%r1)", "!%p1", "%r1|%p1", "work_kernel", ""};
    struct rng rng;
    rng_seed(&rng, 6);
    char *copy = alloc_array(length + 64, 1);
    for (int i = 0; i < 1500; i++) {
        size_t at = rng_below(&rng, (uint32_t)length - 200);
        while (at < length && text[at] != ',' && text[at] != '\t')
            at++;
        size_t end = at + 1;
        while (end < length && text[end] != ',' && text[end] != ';')
            end++;
        const char *operand = operands[rng_below(&rng, sizeof operands / sizeof *operands)];
        size_t n = strlen(operand);
        if (end >= length)
            continue;
        memcpy(copy, text, at + 1);
        memcpy(copy + at + 1, operand, n);
        memcpy(copy + at + 1 + n, text + end, length - end);
        (void)attempt(copy, at + 1 + n + length - end);
    }
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_truncated),
        cmocka_unit_test(test_changed_bytes),
        cmocka_unit_test(test_moved_pieces),
        cmocka_unit_test(test_wrong_operands),
    };
    return cmocka_run_group_tests(tests, load, unload);
}
