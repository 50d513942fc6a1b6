/* The caller writes a piece's number into a word of each thread that has a part of it; the thread
 * claims the part, does it, and writes the number into another word. A claim is an atomic exchange
 * of a word that nobody else touches unless the thread does not come.
 *
 * A thread that goes to sleep lets the operating system put a barrier between the caller's
 * instructions (membarrier), so that the caller needs none: it writes the number and looks whether
 * the thread sleeps. */
#include "base/threads/team.h"

#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/threads/pace.h"

#define SPINS 2000u /* of a thread that waits before it lets others have the processor */
/* The same after a long part: to wake up takes longer than another thread takes for that part. */
#define SPINS_LONG 200000u
#define YIELDS     200u /* of that before it sleeps */
#define PATIENCE   400u /* spins of the caller before it looks for parts that nobody has begun */
#define LATE       8u /* parts of a spell that nobody has begun in time: it is a bad one (pace.h) */
#define QUIT       UINT64_MAX

/* Of one thread. Each line is written by one side. */
struct post {
    _Alignas(CACHE_LINE) _Atomic uint64_t piece; /* the last one with a part for it */
    _Atomic uint32_t asleep;                     /* the thread sleeps, or is about to */
    uint64_t letter[TEAM_LETTER / 8];
    _Alignas(CACHE_LINE) _Atomic uint64_t claimed;
    _Alignas(CACHE_LINE) _Atomic uint64_t done;
    uint64_t answer[TEAM_ANSWER / 8];
    _Alignas(CACHE_LINE) pthread_t thread;
    struct team *team;
    uint32_t number;
};

_Static_assert(sizeof(struct post) == 4 * CACHE_LINE, "a letter and an answer take a line each");

struct team {
    struct post *post; /* [threads] */
    uint32_t threads;
    bool fence; /* the operating system has no membarrier */
    uint64_t piece;
    bool always;   /* pieces are done together whatever they cost */
    uint32_t late; /* parts of this spell that nobody has begun in time */
    struct pace pace;
    /* Of the piece under way; the same every time, or a line more travels. */
    _Alignas(CACHE_LINE) void (*work)(void *user, uint32_t thread);
    void *user;
    uint32_t spins; /* of a thread that waits for the next one */
};

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void pause_a_bit(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

/* Does the thread's part of a piece, unless somebody else has begun it. Numbers only grow: a thread
 * that comes when its piece has long been over finds a later claim, and has nothing to do. Returns
 * how long to spin for the next piece; 0: it has done nothing. */
static uint32_t do_part(struct team *t, uint32_t number, uint64_t piece)
{
    struct post *p = &t->post[number];
    uint64_t before = atomic_load_explicit(&p->claimed, memory_order_relaxed);
    if (before >= piece || !atomic_compare_exchange_strong(&p->claimed, &before, piece))
        return 0;
    uint32_t spins = t->spins;
    t->work(t->user, number);
    atomic_store_explicit(&p->done, piece, memory_order_release);
    return spins;
}

/* --- the other threads ------------------------------------------------------------------------ */

static void sleep_until_woken(struct post *p, uint64_t piece)
{
    atomic_store(&p->asleep, 1);
    if (!p->team->fence)
        syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED, 0, 0);
    while (atomic_load(&p->piece) == piece && atomic_load(&p->asleep))
        syscall(SYS_futex, &p->asleep, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0);
    atomic_store(&p->asleep, 0);
}

/* The number of the next piece. */
static uint64_t wait_for_piece(struct post *p, uint64_t piece, uint32_t most)
{
    for (uint32_t spins = 0;; spins++) {
        uint64_t now = atomic_load_explicit(&p->piece, memory_order_acquire);
        if (now != piece)
            return now;
        if (spins < most)
            pause_a_bit();
        else if (spins < most + YIELDS)
            sched_yield();
        else {
            sleep_until_woken(p, piece);
            spins = 0;
        }
    }
}

static void *run_thread(void *user)
{
    struct post *p = user;
    uint32_t spins = SPINS;
    for (uint64_t piece = 0; (piece = wait_for_piece(p, piece, spins)) != QUIT;) {
        uint32_t next = do_part(p->team, p->number, piece);
        spins = next ? next : spins;
    }
    return NULL;
}

/* --- the caller ------------------------------------------------------------------------------- */

/* The thread looks for a piece again. True: it slept. */
static bool wake(const struct team *t, uint32_t number)
{
    struct post *p = &t->post[number];
    if (t->fence)
        atomic_thread_fence(memory_order_seq_cst);
    else
        atomic_signal_fence(memory_order_seq_cst);
    if (!atomic_load_explicit(&p->asleep, memory_order_relaxed))
        return false;
    atomic_store(&p->asleep, 0);
    syscall(SYS_futex, &p->asleep, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    return true;
}

/* True: the thread slept. */
static bool give(const struct team *t, uint32_t number, uint64_t piece)
{
    atomic_store_explicit(&t->post[number].piece, piece, memory_order_release);
    return wake(t, number);
}

static void start_threads(struct team *t)
{
    sigset_t all, before;
    t->fence = syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED, 0, 0) != 0;
    sigfillset(&all);
    /* Signals are the caller's. */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (uint32_t i = 1; i < t->threads; i++) {
        if (pthread_create(&t->post[i].thread, NULL, run_thread, &t->post[i])) {
            fprintf(stderr, "evgpu: thread %u of %u cannot be made; ask for fewer\n", i + 1,
                    t->threads);
            exit(EXIT_FAILURE);
        }
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct team *team_create(uint32_t threads)
{
    struct team *t = alloc_lines(1, sizeof *t);
    t->threads = threads;
    pace_create(&t->pace, now());
#ifdef __SANITIZE_THREAD__ /* or a busy machine would hide races */
    t->always = true;
#endif
    t->post = alloc_lines(threads, sizeof *t->post);
    for (uint32_t i = 0; i < threads; i++) {
        t->post[i].team = t;
        t->post[i].number = i;
    }
    if (threads > 1)
        start_threads(t);
    return t;
}

void team_destroy(struct team *t)
{
    if (!t)
        return;
    for (uint32_t i = 1; i < t->threads; i++)
        give(t, i, QUIT);
    for (uint32_t i = 1; i < t->threads; i++)
        pthread_join(t->post[i].thread, NULL);
    free(t->post);
    free(t);
}

uint32_t team_threads(const struct team *t)
{
    return t->threads;
}

void *team_letter(struct team *t, uint32_t thread)
{
    return t->post[thread].letter;
}

void *team_answer(struct team *t, uint32_t thread)
{
    return t->post[thread].answer;
}

void team_work_together(struct team *t)
{
    t->always = true;
}

/* `slept`: the thread may take its time. */
static void wait_for(struct team *t, uint32_t thread, bool slept)
{
    struct post *p = &t->post[thread];
    for (uint32_t spins = 1; atomic_load_explicit(&p->done, memory_order_acquire) != t->piece;
         spins++) {
        pause_a_bit();
        if (spins % PATIENCE == 0 && do_part(t, thread, t->piece) && !slept &&
            ++t->late % LATE == 0)
            pace_hurt(&t->pace, now());
        if (spins <= SPINS)
            continue;
        /* It has been suspended within its part. */
        pace_hurt(&t->pace, now());
        sched_yield();
    }
}

/* The other threads have been told; the caller's own part is done. Those that slept, a bit each. */
static uint64_t begin(struct team *t, uint64_t parts)
{
    t->piece++;
    uint64_t slept = 0;
    for (uint64_t left = parts & ~1ull; left; left &= left - 1)
        if (give(t, (uint32_t)__builtin_ctzll(left), t->piece))
            slept |= left & -left;
    if (parts & 1)
        t->work(t->user, 0);
    return slept;
}

static void run_together(struct team *t, uint64_t parts)
{
    uint64_t slept = begin(t, parts);
    for (uint64_t left = parts & ~1ull; left; left &= left - 1)
        wait_for(t, (uint32_t)__builtin_ctzll(left), slept & left & -left);
}

static void run_alone(struct team *t, uint64_t parts)
{
    for (uint64_t left = parts; left; left &= left - 1)
        t->work(t->user, (uint32_t)__builtin_ctzll(left));
}

/* Threads that are to come again look for a piece from here on. */
static void next_spell(struct team *t)
{
    bool alone = t->pace.way == PACE_ALONE;
    pace_turn(&t->pace, now());
    t->late = 0;
    for (uint32_t i = 1; alone && t->pace.way == PACE_TOGETHER && i < t->threads; i++)
        wake(t, i);
}

static void set_work(struct team *t, void (*work)(void *user, uint32_t thread), void *user,
                     uint32_t spins)
{
    if (t->work != work || t->user != user) {
        t->work = work;
        t->user = user;
        t->spins = spins;
    }
}

void team_run(struct team *t, uint64_t parts, void (*work)(void *user, uint32_t thread), void *user)
{
    set_work(t, work, user, SPINS);
    if (pace_over(&t->pace))
        next_spell(t);
    if (pace_next(&t->pace) == PACE_TOGETHER || t->always)
        run_together(t, parts);
    else
        run_alone(t, parts);
}

/* What nobody has begun when the caller's own part is done, the caller does, too. */
void team_run_long(struct team *t, uint64_t parts, void (*work)(void *user, uint32_t thread),
                   void *user)
{
    set_work(t, work, user, SPINS_LONG);
    begin(t, parts);
    for (uint64_t left = parts & ~1ull; left; left &= left - 1) {
        struct post *p = &t->post[__builtin_ctzll(left)];
        do_part(t, (uint32_t)__builtin_ctzll(left), t->piece);
        for (uint32_t spins = 0; atomic_load_explicit(&p->done, memory_order_acquire) != t->piece;
             spins++) {
            pause_a_bit();
            if (spins > SPINS)
                sched_yield();
        }
    }
}
