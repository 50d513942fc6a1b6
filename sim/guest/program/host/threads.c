#include "sim/guest/program/host/threads.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

/* --- one of them ------------------------------------------------------------------------------ */

void thread_add(struct program *p, int fd)
{
    struct host_thread *t = ALLOC(struct host_thread);
    t->program = p;
    t->fd = fd;
    t->number = p->threads.count;
    t->wake = CYCLE_NEVER;
    t->clock = machine_cycle(p->machine);
    t->pid = lives_owner(fd);
    lives_join(p, t->pid, -1);
    ARRAY_RESERVE(p->threads.list, p->threads.count, p->threads.capacity);
    p->threads.list[p->threads.count++] = t;
}

static bool is_request(const struct host_thread *t)
{
    const struct wire_request *r = &t->request;
    if (r->magic == WIRE_MAGIC && r->version == WIRE_VERSION && r->payload < WIRE_MAX_PAYLOAD)
        return true;
    fprintf(stderr,
            "evgpu: the program %s: a message on its channel is no request of this version, so the "
            "channel is closed; rebuild library and simulator if both are evgpu's\n",
            t->program->name);
    return false;
}

/* A request with its payload; false when the channel is closed or speaks another language. */
static bool read_request(struct host_thread *t)
{
    const struct wire_request *r = &t->request;
    free(t->payload);
    t->payload = NULL;
    if (!channel_read(t, &t->request, sizeof t->request) || !is_request(t))
        return false;
    if (!r->payload)
        return true;
    t->payload = malloc((size_t)r->payload + 1);
    if (!t->payload)
        return false;
    t->payload[r->payload] = 0;
    return channel_read(t, t->payload, r->payload);
}

static uint64_t later(uint64_t clock, uint64_t cycles)
{
    return cycles < CYCLE_NEVER - 1 - clock ? clock + cycles : CYCLE_NEVER - 1;
}

void thread_receive(struct host_thread *t)
{
    struct program *p = t->program;
    /* Nobody speaks while it waits: this is the end. */
    if (t->state != HOST_RUNNING || !read_request(t)) {
        thread_close(t);
        return;
    }
    if (t->request.op == WIRE_HELLO)
        t->tid = (pid_t)t->request.a[1];
    uint64_t now = machine_cycle(p->machine);
    if (t->clock < now)
        t->clock = now;
    t->clock = later(t->clock, call_cycles(p, t->request.host_ns));
    t->state = HOST_ASKING;
    t->calls++;
}

bool thread_take_driver(struct host_thread *t)
{
    struct program *p = t->program;
    struct program_threads *all = &p->threads;
    struct error err = {0};
    if (t->has_driver_thread)
        return true;
    if (all->n_free_driver) {
        t->driver_thread = all->free_driver[--all->n_free_driver];
        t->has_driver_thread = true;
    } else {
        t->has_driver_thread = guest_thread(p->guest, &t->driver_thread, &err);
    }
    return t->has_driver_thread;
}

/* Nothing of it is in the driver: the next one may have its place there. */
static void give_driver(struct host_thread *t)
{
    struct program_threads *all = &t->program->threads;
    if (!t->has_driver_thread)
        return;
    ARRAY_RESERVE(all->free_driver, all->n_free_driver, all->cap_free_driver);
    all->free_driver[all->n_free_driver++] = t->driver_thread;
    t->has_driver_thread = false;
}

void thread_close(struct host_thread *t)
{
    struct program *p = t->program;
    if (t->state == HOST_GONE)
        return;
    close(t->fd);
    t->fd = -1;
    if (t->state == HOST_RUNNING)
        give_driver(t);
    t->state = HOST_GONE;
    t->resume = NULL;
    t->ready = NULL;
    host_function_over(t, machine_cycle(p->machine)); /* it may have ended within one */
    commands_forget_thread(p, t);
    free(t->payload);
    t->payload = NULL;
}

/* --- all of them ------------------------------------------------------------------------------ */

uint32_t threads_count(const struct program *p)
{
    return p->threads.count;
}

struct host_thread *threads_at(const struct program *p, uint32_t number)
{
    return p->threads.list[number];
}

struct host_thread *threads_find(const struct program *p, pid_t pid, pid_t tid)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        struct host_thread *t = p->threads.list[i];
        if (t->state != HOST_GONE && t->pid == pid && t->tid == tid)
            return t;
    }
    return NULL;
}

/* The cycle in which it has something to do. */
static uint64_t time_of(const struct host_thread *t)
{
    return t->state == HOST_ASKING ? t->clock : t->state == HOST_WAITING ? t->wake : CYCLE_NEVER;
}

struct host_thread *threads_next(const struct program *p, uint64_t cycle)
{
    struct host_thread *best = NULL;
    uint64_t best_time = 0;
    for (uint32_t i = 0; i < p->threads.count; i++) {
        struct host_thread *t = p->threads.list[i];
        uint64_t time = time_of(t);
        if (time > cycle)
            continue;
        if (!best || time < best_time || (time == best_time && t->tid < best->tid)) {
            best = t;
            best_time = time;
        }
    }
    return best;
}

uint64_t threads_next_event(const struct program *p)
{
    uint64_t next = CYCLE_NEVER;
    for (uint32_t i = 0; i < p->threads.count; i++) {
        uint64_t time = time_of(p->threads.list[i]);
        next = time < next ? time : next;
    }
    return next;
}

bool threads_any_open(const struct program *p)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        if (p->threads.list[i]->state != HOST_GONE)
            return true;
    }
    return false;
}

bool threads_any_in_call(const struct program *p)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        if (p->threads.list[i]->state == HOST_ASKING || p->threads.list[i]->state == HOST_WAITING)
            return true;
    }
    return false;
}

void threads_signal(const struct program *p, int signal_number)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        const struct host_thread *t = p->threads.list[i];
        if (t->state != HOST_GONE && t->pid)
            kill(t->pid, signal_number);
    }
}

void threads_close_all(struct program *p)
{
    for (uint32_t i = 0; i < p->threads.count; i++)
        thread_close(p->threads.list[i]);
}

void threads_close_of(struct program *p, pid_t pid)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        if (p->threads.list[i]->pid == pid)
            thread_close(p->threads.list[i]);
    }
}

void threads_give_drivers(struct program *p)
{
    for (uint32_t i = 0; i < p->threads.count; i++) {
        if (p->threads.list[i]->state == HOST_GONE)
            give_driver(p->threads.list[i]);
    }
}

void threads_clear(struct program *p)
{
    threads_give_drivers(p);
    for (uint32_t i = 0; i < p->threads.count; i++) {
        struct host_thread *t = p->threads.list[i];
        free(t->marks);
        free(t->text);
        free(t->payload);
        free(t);
    }
    p->threads.count = 0;
}

void threads_free(struct program *p)
{
    free(p->threads.list);
    free(p->threads.free_driver);
}
