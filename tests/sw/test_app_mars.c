/* Inputs and checks of the MapReduce applications: what is wrong is found. */
#include "base/error.h"
#include "sw/apps/invertedIndex/invertedIndex.h"
#include "sw/apps/pageViewCount/pageViewCount.h"
#include "sw/apps/pageViewRank/pageViewRank.h"
#include "tests/unit.h"

static void views_are_of_distinct_lines(void **state)
{
    (void)state;
    const char *text = "b\t1\t1\na\t1\t1\nb\t1\t2\nb\t1\t1\nab\t1\t1\n";
    struct weblog log;
    struct error err = {0};
    uint32_t count;
    assert_true(weblog_parse("log", text, strlen(text), &log, &err));
    assert_int_equal(log.count, 5);
    struct page_views *views = page_views_reference(&log, &count);
    assert_int_equal(count, 3);
    assert_true(views[0].url.bytes == 1 && *views[0].url.at == 'a' && views[0].views == 1);
    assert_true(views[1].url.bytes == 2 && views[1].views == 1);
    assert_true(views[2].url.bytes == 1 && *views[2].url.at == 'b' && views[2].views == 2);

    struct page_views swapped[] = {views[2], views[0], views[1]};
    assert_true(page_views_check(&log, swapped, 3, &err));
    assert_false(page_views_check(&log, swapped, 2, &err));
    assert_string_equal(err.text, "2 pages, but the host has 3");
    err = (struct error){0};
    swapped[2].views++;
    assert_false(page_views_check(&log, swapped, 3, &err));
    assert_string_equal(err.text, "page 2 is b with 3 views, but the host has b with 2");
    free(views);
    weblog_free(&log);
}

static void generated_logs_repeat_lines(void **state)
{
    (void)state;
    size_t bytes;
    struct weblog log;
    struct error err = {0};
    char *text = weblog_generate(4, 1000, 8, &bytes);
    uint32_t count, distinct = 0;
    assert_true(weblog_parse("log", text, bytes, &log, &err));
    assert_int_equal(log.count, 1000);
    struct page_views *views = page_views_reference(&log, &count);
    for (uint32_t i = 0; i < count; i++)
        distinct += views[i].views;
    assert_int_equal(count, 8);
    assert_in_range(distinct, 700, 800);
    free(views);
    weblog_free(&log);
    free(text);
}

static void bad_lines_are_refused(void **state)
{
    (void)state;
    static const char *const bad_log[] = {"\n",     "a\n",        "a\tb\n", "\tb\tc\n",
                                          "a\t\tc", "a\tb\tc\td", "a b c\n"};
    static const char *const bad_pages[] = {"\n",     "a\n",     "\t1\n",           "a\t\n",
                                            "a\t-1x", "a\t1 \n", "a\t4294967296\n", "a\tb\t1\n"};
    for (size_t i = 0; i < sizeof bad_log / sizeof *bad_log; i++) {
        struct weblog log;
        struct error err = {0};
        assert_false(weblog_parse("x", bad_log[i], strlen(bad_log[i]), &log, &err));
        assert_string_equal(err.text, "x:1: expected URL, IP and cookie, separated by tabs");
    }
    for (size_t i = 0; i < sizeof bad_pages / sizeof *bad_pages; i++) {
        struct page_list list;
        struct error err = {0};
        assert_false(pages_parse("x", bad_pages[i], strlen(bad_pages[i]), &list, &err));
        assert_string_equal(err.text, "x:1: expected URL and views, separated by a tab");
    }
}

static void ranks_are_checked(void **state)
{
    (void)state;
    const char *text = "a\t5\nb\t7\nc\t5";
    struct page_list list;
    struct error err = {0};
    assert_true(pages_parse("pages", text, strlen(text), &list, &err));
    struct page got[] = {{7, 4}, {5, 8}, {5, 0}};
    uint32_t starts[] = {0, 1, 3};
    assert_true(pages_check(&list, got, 3, starts, 2, &err));

    assert_false(pages_check(&list, got, 2, starts, 2, &err));
    assert_string_equal(err.text, "2 pages, but the host has 3");
    err = (struct error){0};
    struct page rising[] = {{5, 0}, {7, 4}, {5, 8}}, twice[] = {{7, 4}, {5, 0}, {5, 0}};
    assert_false(pages_check(&list, rising, 3, starts, 2, &err));
    assert_string_equal(err.text, "position 0 has 5 views, but the host has 7");
    err = (struct error){0};
    assert_false(pages_check(&list, twice, 3, starts, 2, &err));
    assert_string_equal(err.text, "position 2 is page 0 with 5 views, but the host has 8 with 5");
    err = (struct error){0};
    assert_false(pages_check(&list, got, 3, (uint32_t[]){0, 2, 3}, 2, &err));
    assert_string_equal(err.text, "a group begins at position 1, which is not group start 1 of 2");
    err = (struct error){0};
    assert_false(pages_check(&list, got, 3, (uint32_t[]){0, 1, 2, 3}, 3, &err));
    assert_string_equal(err.text, "3 groups up to position 3, but the host has 2 up to 3");
    pages_free(&list);
}

static struct posting posting_at(const char *at, uint32_t bytes, uint32_t document)
{
    return (struct posting){{at, bytes}, document};
}

static void links_are_found_and_checked(void **state)
{
    (void)state;
    char text[] = "<a href=\"u\"> < a  href = \"v\" <a href=\"cut\n"
                  "<a name=\"no\"> <ahref=\"u\">\"<<a href=\"gone\">\n"
                  "<a href=\"v\">";
    uint32_t starts[] = {0, (uint32_t)strlen(text) - 12, (uint32_t)strlen(text)};
    struct documents documents = {
        .text = text, .bytes = strlen(text), .starts = starts, .count = 2};
    struct error err = {0};
    uint32_t count;
    struct posting *want = postings_reference(&documents, &count);
    assert_int_equal(count, 4);
    static const char names[] = "uuvv";
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(want[i].url.bytes, 1);
        assert_int_equal(*want[i].url.at, names[i]);
        assert_int_equal(want[i].document, i == 3);
    }
    struct posting got[] = {want[3], want[2], want[0], want[1]};
    assert_true(postings_check(&documents, got, 4, (uint32_t[]){0, 2, 4}, 2, &err));
    assert_false(postings_check(&documents, got, 4, (uint32_t[]){0, 1, 2, 4}, 3, &err));
    assert_string_equal(err.text, "a URL begins at posting 2, which is not group start 1 of 3");
    err = (struct error){0};
    assert_false(postings_check(&documents, got, 3, (uint32_t[]){0, 2, 3}, 2, &err));
    assert_string_equal(err.text, "3 postings, but the host has 4");
    err = (struct error){0};
    struct posting torn[] = {want[3], want[0], want[1], want[2]};
    assert_false(postings_check(&documents, torn, 4, (uint32_t[]){0, 1, 3, 4}, 3, &err));
    assert_string_equal(err.text, "3 groups of 2 URLs");
    err = (struct error){0};
    got[0] = posting_at(want[3].url.at, 1, 0);
    assert_false(postings_check(&documents, got, 4, (uint32_t[]){0, 2, 4}, 2, &err));
    assert_string_equal(err.text, "posting 3 is v in document 0, but the host has v in 1");
    free(want);
}

static void pieces_are_whole_lines(void **state)
{
    (void)state;
    struct documents documents;
    uint32_t count, at = 0;
    documents_generate(9, 5, 3000, 10, &documents);
    struct piece *pieces = documents_pieces(&documents, &count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(pieces[i].offset, at);
        assert_true(at >= documents.starts[pieces[i].document]);
        at += pieces[i].bytes;
        assert_int_equal(documents.text[at - 1], '\n');
        assert_true(at <= documents.starts[pieces[i].document + 1]);
        assert_true(pieces[i].bytes >= INDEX_PIECE ||
                    at == documents.starts[pieces[i].document + 1]);
    }
    assert_int_equal(at, documents.bytes);
    free(pieces);
    documents_free(&documents);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(views_are_of_distinct_lines),
        cmocka_unit_test(generated_logs_repeat_lines),
        cmocka_unit_test(bad_lines_are_refused),
        cmocka_unit_test(ranks_are_checked),
        cmocka_unit_test(links_are_found_and_checked),
        cmocka_unit_test(pieces_are_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
