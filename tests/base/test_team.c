#include "base/threads/team.h"

#include <sched.h>

#include "base/alloc.h"
#include "base/rng.h"
#include "tests/unit.h"

struct job {
    uint64_t *from, *to;
    uint32_t threads, done[TEAM_THREADS];
    struct team *team;
};

struct letter {
    uint64_t factor;
};

struct answer {
    uint64_t sum;
};

/* A part reads what others have written in the piece before. */
static void work(void *user, uint32_t thread)
{
    struct job *job = user;
    const struct letter *letter = team_letter(job->team, thread);
    struct answer *answer = team_answer(job->team, thread);
    uint32_t next = (thread + 1) % job->threads;
    job->done[thread]++;
    job->to[thread] = job->from[thread] * letter->factor + job->from[next];
    answer->sum = job->to[thread] + letter->factor;
    if (job->to[thread] % 61 == 0)
        sched_yield(); /* a part that takes long, while others go on */
}

/* Pieces with parts for some threads by chance. The same with `alone`, by the caller. */
static uint64_t run(uint32_t threads, uint32_t pieces, bool alone)
{
    struct job job = {.threads = threads, .team = team_create(threads)};
    uint64_t hash = 0;
    struct rng chance;
    rng_seed(&chance, threads);
    job.from = ALLOC_ARRAY(uint64_t, threads);
    job.to = ALLOC_ARRAY(uint64_t, threads);
    assert_int_equal(team_threads(job.team), threads);
    for (uint32_t n = 0; n < pieces; n++) {
        uint64_t parts = rng_u64(&chance) & (threads == 64 ? UINT64_MAX : (1ull << threads) - 1);
        for (uint32_t i = 0; i < threads; i++)
            ((struct letter *)team_letter(job.team, i))->factor = n + i + 1;
        memset(job.done, 0, sizeof job.done);
        for (uint32_t i = 0; alone && i < threads; i++)
            if (parts >> i & 1)
                work(&job, i);
        if (!alone)
            team_run(job.team, parts, work, &job);
        for (uint32_t i = 0; i < threads; i++) {
            assert_int_equal(job.done[i], parts >> i & 1);
            if (parts >> i & 1)
                hash = hash * 31 + ((struct answer *)team_answer(job.team, i))->sum + job.to[i];
        }
        uint64_t *swap = job.from;
        job.from = job.to;
        job.to = swap;
    }
    free(job.from);
    free(job.to);
    team_destroy(job.team);
    return hash;
}

static void every_part_is_done_once(void **state)
{
    static const uint32_t threads[] = {1, 2, 3, 7, TEAM_THREADS};
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        uint32_t pieces = 20000 / threads[i];
        assert_int_equal(run(threads[i], pieces, true), run(threads[i], pieces, false));
    }
}

static void count(void *user, uint32_t thread)
{
    (void)thread;
    ++*(uint32_t *)user;
}

/* Between two pieces the threads fall asleep. */
static void threads_that_sleep_are_woken(void **state)
{
    struct team *team = team_create(2);
    uint32_t done = 0;
    (void)state;
    for (uint32_t i = 0; i < 20; i++) {
        for (uint32_t n = 0; n < 600; n++)
            sched_yield();
        team_run(team, 2, count, &done);
    }
    assert_int_equal(done, 20);
    team_destroy(team);
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
        cmocka_unit_test(threads_that_sleep_are_woken),
        cmocka_unit_test(a_team_without_work_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
