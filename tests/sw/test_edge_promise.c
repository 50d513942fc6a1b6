/* Admission of promises: what is kept is given, what is not is refused with a reason, and nothing
 * has changed then. */
#include "sw/edge/edge.h"
#include "sw/edge/edge_promise.h"
#include "tests/unit.h"

enum { PLACES = 64, SERIAL_NS = 10 };

/* 100,000 events per second of 10 us each: one place, and its burst's. */
static const struct edge_promise usual = {
    .p99_ns = 50000, .rate = 100000, .burst = 2, .worst_ns = 40000, .event_ns = 10000};
static const struct edge_promise none = {.p99_ns = 0};

static uint32_t admit(struct edge_book *book, const char *name, uint32_t priority,
                      struct edge_promise promise)
{
    struct edge_error err = {.set = false};
    uint32_t entry = 99;
    bool ok = edge_book_admit(book, name, priority, &promise, &entry, &err);
    if (!ok)
        fail_msg("%s", err.text);
    return entry;
}

static void refuse(struct edge_book *book, const char *name, uint32_t priority,
                   struct edge_promise promise, const char *reason)
{
    struct edge_error err = {.set = false};
    uint32_t entry;
    assert_false(edge_book_admit(book, name, priority, &promise, &entry, &err));
    if (!strstr(err.text, reason))
        fail_msg("'%s' does not say '%s'", err.text, reason);
}

static void test_own_time(void **state)
{
    (void)state;
    struct edge_book *book = edge_book_create(PLACES, SERIAL_NS);
    struct edge_promise p = usual;
    p.p99_ns = 39999;
    refuse(book, "a", 3, p, "at least 40.0 us could be promised");
    p.p99_ns = 40000;
    admit(book, "a", 3, p);
    p.worst_ns = 0;
    refuse(book, "b", 3, p, "measured under full contention");
    p = usual;
    p.rate = 0;
    refuse(book, "b", 3, p, "needs the rate of its events");
    edge_book_destroy(book);
}

/* Events of the same or a higher priority come in between: burst + rate x p99 of them. */
static void test_earlier_promises(void **state)
{
    struct edge_book *book = edge_book_create(PLACES, SERIAL_NS);
    struct edge_promise tight = usual, many = usual;
    (void)state;
    tight.p99_ns = 40060; /* room for six events of others */
    admit(book, "tight", 2, tight);
    many.burst = 2; /* and 100,000 /s in 40.06 us: 4.006, that is 5 */
    refuse(book, "third", 3, many, "break the promise given to tight");
    many.burst = 1;
    uint32_t entry = admit(book, "third", 3, many);
    refuse(book, "fourth", 2, many, "break the promise given to tight");
    edge_book_withdraw(book, entry); /* what is gone counts no more */
    admit(book, "fourth", 2, many);
    many.burst = 9; /* a lower priority does not come in between, but is disturbed itself */
    many.p99_ns = 60000;
    admit(book, "low", 1, many);
    edge_book_destroy(book);
}

static void test_places(void **state)
{
    struct edge_book *book = edge_book_create(PLACES, SERIAL_NS);
    struct edge_promise p = usual; /* 48 of the 64 places are for promises */
    (void)state;
    p.p99_ns = 10000000;
    p.rate = 4600000;
    admit(book, "a", 3, p); /* 46 + 2 */
    p.rate = 1;
    p.burst = 1;
    refuse(book, "b", 3, p, "0.0 of 48.0 are free for promises");
    edge_book_destroy(book);
}

static void test_order(void **state)
{
    struct edge_book *book = edge_book_create(PLACES, SERIAL_NS);
    (void)state;
    uint32_t plain = admit(book, "plain", 2, none);
    refuse(book, "promised", 2, usual, "must be lower");
    uint32_t promised = admit(book, "promised", 3, usual);
    refuse(book, "other", 3, none, "must be lower");
    admit(book, "other", 2, none);
    edge_book_withdraw(book, promised);
    edge_book_withdraw(book, plain);
    admit(book, "highest", 3, none);
    edge_book_destroy(book);
}

/* The table of event kernels has as many rows; the one after them is refused there. */
static void test_full(void **state)
{
    struct edge_book *book = edge_book_create(PLACES, SERIAL_NS);
    (void)state;
    for (uint32_t i = 0; i < 33; i++)
        admit(book, "plain", 0, none);
    edge_book_withdraw(book, 32); /* nothing was entered */
    edge_book_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_time), cmocka_unit_test(test_earlier_promises),
        cmocka_unit_test(test_places),   cmocka_unit_test(test_order),
        cmocka_unit_test(test_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
