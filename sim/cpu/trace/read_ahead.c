#include "sim/cpu/trace/read_ahead.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/alloc.h"

enum { BLOCKS = 4 }; /* one of them is in use, one is being filled */

struct read_ahead {
    size_t (*produce)(void *user, uint8_t *to, size_t room, struct error *err);
    void *user;
    size_t room;
    pthread_t thread;
    pthread_mutex_t lock; /* for what follows */
    pthread_cond_t changed;
    uint8_t *block[BLOCKS]; /* a ring */
    size_t bytes[BLOCKS];
    uint32_t head, count; /* filled ones, the one in use among them */
    bool in_use, ended, stop;
    struct error err;
};

static void *work(void *argument)
{
    struct read_ahead *a = argument;
    pthread_mutex_lock(&a->lock);
    while (!a->stop && !a->ended) {
        if (a->count == BLOCKS) {
            pthread_cond_wait(&a->changed, &a->lock);
            continue;
        }
        uint32_t at = (a->head + a->count) % BLOCKS;
        struct error err = {0};
        pthread_mutex_unlock(&a->lock);
        size_t n = a->produce(a->user, a->block[at], a->room, &err);
        pthread_mutex_lock(&a->lock);
        a->bytes[at] = n;
        a->count += n > 0;
        a->ended = !n || err.set;
        a->err = err;
        pthread_cond_signal(&a->changed);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

static void release(struct read_ahead *a)
{
    for (uint32_t i = 0; i < BLOCKS; i++)
        free(a->block[i]);
    pthread_mutex_destroy(&a->lock);
    pthread_cond_destroy(&a->changed);
    free(a);
}

struct read_ahead *read_ahead_start(size_t (*produce)(void *user, uint8_t *to, size_t room,
                                                      struct error *err),
                                    void *user, size_t room, struct error *err)
{
    struct read_ahead *a = ALLOC(struct read_ahead);
    a->produce = produce;
    a->user = user;
    a->room = room;
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->changed, NULL);
    for (uint32_t i = 0; i < BLOCKS; i++)
        a->block[i] = alloc_array(room, 1);
    if (!pthread_create(&a->thread, NULL, work, a))
        return a;
    error_set(err, "cannot start a thread");
    release(a);
    return NULL;
}

void read_ahead_stop(struct read_ahead *a)
{
    if (!a)
        return;
    pthread_mutex_lock(&a->lock);
    a->stop = true;
    pthread_cond_signal(&a->changed);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
    release(a);
}

size_t read_ahead_take(struct read_ahead *a, const uint8_t **block, struct error *err)
{
    size_t n = 0;
    pthread_mutex_lock(&a->lock);
    if (a->in_use) {
        a->head = (a->head + 1) % BLOCKS;
        a->count--;
        a->in_use = false;
        pthread_cond_signal(&a->changed);
    }
    while (!a->count && !a->ended)
        pthread_cond_wait(&a->changed, &a->lock);
    if (a->count) {
        a->in_use = true;
        *block = a->block[a->head];
        n = a->bytes[a->head];
    } else if (a->err.set) {
        error_set(err, "%s", a->err.text);
    }
    pthread_mutex_unlock(&a->lock);
    return n;
}
