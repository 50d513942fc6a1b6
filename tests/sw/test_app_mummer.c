/* Sequences, suffix tree and check of mummer, against the plainest way to say the same. */
#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/mummer/mummer.h"
#include "tests/unit.h"

/* Few different letters, so that everything repeats. */
static void few_letters(struct rng *rng, struct sequences *s, uint32_t letters, uint32_t alphabet)
{
    sequences_random(1, letters, s);
    for (uint32_t i = 0; i < letters; i++)
        s->codes[i] = (uint8_t)rng_below(rng, alphabet);
}

static struct match longest(const struct sequences *reference, const uint8_t *letters,
                            uint32_t count)
{
    struct match best = {0, 0};
    for (uint32_t at = 0; at < reference->starts[1]; at++) {
        uint32_t length = 0;
        while (length < count && at + length < reference->starts[1] && letters[length] < 4 &&
               reference->codes[at + length] == letters[length])
            length++;
        if (length > best.length)
            best = (struct match){at, length};
    }
    return best;
}

static void checked_matches_are_the_longest(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 5);
    for (uint32_t round = 0; round < 200; round++) {
        struct sequences reference, queries;
        uint32_t least = 1 + rng_below(&rng, 4), result_at[6], results = 0;
        struct match got[5 * 20];
        few_letters(&rng, &reference, 1 + rng_below(&rng, 60), 1 + round % 5);
        sequences_reads(round, &reference, 5, 1 + rng_below(&rng, 20), &queries);
        mummer_places(&queries, least, result_at);
        for (uint32_t q = 0; q < 5; q++)
            for (uint32_t s = 0; s < result_at[q + 1] - result_at[q]; s++) {
                uint32_t from = queries.starts[q] + s;
                struct match m =
                    longest(&reference, queries.codes + from, queries.starts[q + 1] - from);
                got[results++] = m.length >= least ? m : (struct match){0, 0};
            }
        assert_int_equal(results, result_at[5]);
        struct error err = {0};
        assert_true(mummer_check(&reference, &queries, least, got, &err));
        for (uint32_t i = 0; i < results; i++) {
            struct match right = got[i];
            got[i].length++;
            assert_false(mummer_check(&reference, &queries, least, got, &err));
            got[i] = (struct match){0, 0};
            assert_true(right.length == 0 || !mummer_check(&reference, &queries, least, got, &err));
            got[i] = (struct match){reference.starts[1] - right.length + 1, right.length};
            assert_false(mummer_check(&reference, &queries, least, got, &err));
            got[i] = right;
        }
        sequences_free(&reference);
        sequences_free(&queries);
    }
}

/* Every suffix leads from the root to a leaf, letter by letter; a link leads to the node of one
 * letter less. */
static void trees_have_every_suffix(void **state)
{
    (void)state;
    struct rng rng;
    rng_seed(&rng, 6);
    for (uint32_t round = 0; round < 100; round++) {
        struct sequences reference;
        struct suffix_tree tree;
        few_letters(&rng, &reference, 1 + rng_below(&rng, 200), 1 + round % 4);
        uint32_t all = reference.starts[1];
        suffix_tree_build(&reference, &tree);
        assert_true(tree.count <= 2 * (all + 1));
        for (uint32_t suffix = 0; suffix < all; suffix++) {
            uint32_t node = 0, at = suffix;
            while (at < all) {
                uint32_t child = tree.children[node][reference.codes[at]];
                assert_true(child > node);
                const struct tree_node *n = &tree.nodes[child];
                assert_int_equal(n->depth, tree.nodes[node].depth + n->end - n->first);
                for (uint32_t i = n->first; i < n->end && i < all; i++)
                    assert_int_equal(reference.codes[i], reference.codes[at++]);
                if (n->end > all)
                    break;
                /* What the kernel relies on: the edge's letters lie where its path does. */
                assert_memory_equal(reference.codes + n->end - n->depth, reference.codes + suffix,
                                    n->depth);
                assert_int_equal(tree.nodes[n->link].depth, n->depth - 1);
                node = child;
            }
        }
        suffix_tree_free(&tree);
        sequences_free(&reference);
    }
}

static void fasta_is_read(void **state)
{
    (void)state;
    struct sequences s;
    struct error err = {0};
    assert_true(sequences_parse("f", ">one\nAcg\r\nt N\n\n>none\n>two\nTT", MUMMER_GAP, &s, &err));
    assert_int_equal(s.count, 3);
    assert_memory_equal(s.starts, ((uint32_t[]){0, 5, 5, 7}), 4 * sizeof(uint32_t));
    assert_memory_equal(s.codes, ((uint8_t[]){0, 1, 2, 3, MUMMER_GAP, 3, 3}), 7);
    sequences_join(&s);
    assert_int_equal(s.count, 1);
    assert_memory_equal(s.starts, ((uint32_t[]){0, 9}), 2 * sizeof(uint32_t));
    assert_memory_equal(s.codes, ((uint8_t[]){0, 1, 2, 3, 4, 4, 4, 3, 3}), 9);
    sequences_free(&s);

    static const char *const bad[][2] = {
        {"", "f: no letters"},
        {">a\n", "f: no letters"},
        {"\nACG\n", "f:2: letters precede the first line with '>'"},
        {">a\nAC5\n", "f:2: '5' (0x35) is not a letter of a sequence"},
        {">a\nA\x01", "f:2: '?' (0x01) is not a letter of a sequence"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct error){0};
        assert_false(sequences_parse("f", bad[i][0], MUMMER_GAP, &s, &err));
        assert_string_equal(err.text, bad[i][1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checked_matches_are_the_longest),
        cmocka_unit_test(trees_have_every_suffix),
        cmocka_unit_test(fasta_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
