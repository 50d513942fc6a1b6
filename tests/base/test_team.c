#include "base/team.h"

#include <sched.h>

#include "base/alloc.h"
#include "tests/unit.h"

struct job {
    uint32_t count;
    uint32_t *done;       /* by part: how often */
    const uint64_t *from; /* of the piece before */
    uint64_t *to;
};

static void work(void *user, uint32_t part)
{
    struct job *job = user;
    job->done[part]++;
    uint32_t next = (part + 1) % job->count;
    job->to[part] = job->from[part] * 6364136223846793005u + job->from[next];
    if (part % 97 == 0)
        sched_yield(); /* a part that takes long, while others go on */
}

/* Pieces of all sizes, each of which reads what the one before has written in other parts. */
static void run(uint32_t threads, uint32_t most, uint32_t pieces, uint64_t *result)
{
    struct team *team = team_create(threads);
    assert_int_equal(team_threads(team), threads);
    uint64_t *a = ALLOC_ARRAY(uint64_t, most), *b = ALLOC_ARRAY(uint64_t, most);
    for (uint32_t i = 0; i < most; i++)
        a[i] = b[i] = i;
    for (uint32_t n = 0; n < pieces; n++) {
        uint32_t count = n * 7 % (most + 1);
        struct job job = {count, ALLOC_ARRAY(uint32_t, most), n % 2 ? b : a, n % 2 ? a : b};
        team_run(team, count, work, &job);
        for (uint32_t i = 0; i < most; i++)
            assert_int_equal(job.done[i], i < count);
        free(job.done);
    }
    memcpy(result, a, most * sizeof *a);
    free(a);
    free(b);
    team_destroy(team);
}

static void every_part_is_done_once(void **state)
{
    enum { MOST = 300, PIECES = 400 };
    static const uint32_t threads[] = {2, 3, 7, TEAM_THREADS};
    uint64_t one[MOST], several[MOST];
    (void)state;
    run(1, MOST, PIECES, one);
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        run(threads[i], MOST, PIECES, several);
        assert_memory_equal(one, several, sizeof one);
    }
}

static void as_many_parts_as_there_may_be(void **state)
{
    uint64_t *result = ALLOC_ARRAY(uint64_t, TEAM_PARTS);
    (void)state;
    run(5, TEAM_PARTS, 9, result);
    free(result);
}

static void a_team_without_work_ends(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 50; i++)
        team_destroy(team_create(1 + i % 9));
    team_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_is_done_once),
        cmocka_unit_test(as_many_parts_as_there_may_be),
        cmocka_unit_test(a_team_without_work_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
