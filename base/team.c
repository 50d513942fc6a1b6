/* Each thread has a share of the parts, a range that is taken from the front: one atomic addition
 * on a word that holds the range's end, too. The word also counts the pieces of work, so that a
 * thread that comes late cannot take a part of the next piece for one of the last: whatever it
 * takes is a part of the piece that is under way, which cannot end before that part is done. */
#include "base/team.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"

#define SPINS      512u /* of a thread without work before it lets others have the processor */
#define YIELDS     256u /* of that before it sleeps */
#define QUIT       0xFFFFFFFFu
#define INDEX_BITS 16
#define INDEX_MASK 0xFFFFu

/* Of one thread. The words that others write are in cache lines of their own. */
struct share {
    _Alignas(CACHE_LINE) _Atomic uint64_t range; /* piece << 32 | end << 16 | next */
    _Atomic uint32_t asleep;                     /* 1: its thread sleeps, or is about to */
    _Alignas(CACHE_LINE) _Atomic uint64_t done;  /* parts, of all pieces so far */
    pthread_t thread;
    struct team *team;
    uint32_t number;
};

struct team {
    struct share *share; /* [threads]; 0: the caller's */
    uint32_t threads;
    uint32_t piece;
    uint64_t given; /* parts, of all pieces so far */
    void (*work)(void *user, uint32_t part);
    void *user;
};

static void pause_a_bit(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static uint32_t piece_of(uint64_t range)
{
    return (uint32_t)(range >> 32);
}

static bool left(uint64_t range)
{
    return (range & INDEX_MASK) < (range >> INDEX_BITS & INDEX_MASK);
}

/* Does what is left of a share; how many parts that was. */
static uint32_t do_share(struct team *t, struct share *from)
{
    uint32_t count = 0;
    while (left(atomic_load_explicit(&from->range, memory_order_acquire))) {
        uint64_t taken = atomic_fetch_add_explicit(&from->range, 1, memory_order_acq_rel);
        if (!left(taken))
            break;
        t->work(t->user, (uint32_t)(taken & INDEX_MASK));
        count++;
    }
    return count;
}

/* Its own share first, then those of the threads behind it. */
static void do_all(struct team *t, struct share *own)
{
    for (uint32_t i = 0; i < t->threads; i++) {
        uint32_t count = do_share(t, &t->share[(own->number + i) % t->threads]);
        if (count)
            atomic_fetch_add_explicit(&own->done, count, memory_order_release);
    }
}

/* --- the other threads ------------------------------------------------------------------------ */

static void sleep_until_woken(struct share *own, uint32_t piece)
{
    atomic_store(&own->asleep, 1);
    while (piece_of(atomic_load(&own->range)) == piece && atomic_load(&own->asleep))
        syscall(SYS_futex, &own->asleep, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    atomic_store(&own->asleep, 0);
}

/* The next piece's number. */
static uint32_t wait_for_piece(struct share *own, uint32_t piece)
{
    for (uint32_t spins = 0;; spins++) {
        uint32_t now = piece_of(atomic_load_explicit(&own->range, memory_order_acquire));
        if (now != piece)
            return now;
        if (spins < SPINS)
            pause_a_bit();
        else if (spins < SPINS + YIELDS)
            sched_yield();
        else
            sleep_until_woken(own, piece);
    }
}

static void *run_thread(void *user)
{
    struct share *own = user;
    for (uint32_t piece = 0; (piece = wait_for_piece(own, piece)) != QUIT;)
        do_all(own->team, own);
    return NULL;
}

static void wake(struct share *s)
{
    if (!atomic_load(&s->asleep))
        return;
    atomic_store(&s->asleep, 0);
    syscall(SYS_futex, &s->asleep, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* --- the caller ------------------------------------------------------------------------------- */

static void start_threads(struct team *t)
{
    sigset_t all, before;
    sigfillset(&all);
    /* Signals are the caller's. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t i = 1; i < t->threads; i++) {
        if (pthread_create(&t->share[i].thread, NULL, run_thread, &t->share[i])) {
            fprintf(stderr, "evgpu: thread %u of %u cannot be made; ask for fewer\n", i + 1,
                    t->threads);
            exit(EXIT_FAILURE);
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct team *team_create(uint32_t threads)
{
    struct team *t = ALLOC(struct team);
    t->threads = threads;
    t->share = alloc_lines(threads, sizeof *t->share);
    for (uint32_t i = 0; i < threads; i++) {
        t->share[i].team = t;
        t->share[i].number = i;
    }
    start_threads(t);
    return t;
}

void team_destroy(struct team *t)
{
    if (!t)
        return;
    for (uint32_t i = 1; i < t->threads; i++) {
        atomic_store(&t->share[i].range, (uint64_t)QUIT << 32);
        wake(&t->share[i]);
    }
    for (uint32_t i = 1; i < t->threads; i++)
        pthread_join(t->share[i].thread, NULL);
    free(t->share);
    free(t);
}

uint32_t team_threads(const struct team *t)
{
    return t->threads;
}

static uint64_t all_done(const struct team *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < t->threads; i++)
        sum += atomic_load_explicit(&t->share[i].done, memory_order_acquire);
    return sum;
}

static void share_out(struct team *t, uint32_t count)
{
    t->piece = t->piece + 1 == QUIT ? 1 : t->piece + 1;
    t->given += count;
    for (uint32_t i = 0; i < t->threads; i++) {
        uint64_t first = (uint64_t)count * i / t->threads,
                 end = (uint64_t)count * (i + 1) / t->threads;
        /* In this order against the thread's, which looks at the range after it has said that it
         * sleeps. */
        atomic_store(&t->share[i].range, (uint64_t)t->piece << 32 | end << INDEX_BITS | first);
    }
    for (uint32_t i = 1; i < t->threads; i++)
        wake(&t->share[i]);
}

void team_run(struct team *t, uint32_t count, void (*work)(void *user, uint32_t part), void *user)
{
    if (t->threads == 1 || count < 2) {
        for (uint32_t i = 0; i < count; i++)
            work(user, i);
        return;
    }
    t->work = work;
    t->user = user;
    share_out(t, count);
    do_all(t, &t->share[0]);
    for (uint32_t spins = 0; all_done(t) != t->given; spins++) {
        if (spins < SPINS)
            pause_a_bit();
        else
            sched_yield();
    }
}
