#include "sim/guest/program/host/lives.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/internal.h"

pid_t lives_owner(int channel)
{
    struct ucred who = {.pid = 0};
    socklen_t length = sizeof who;
    return getsockopt(channel, SOL_SOCKET, SO_PEERCRED, &who, &length) ? 0 : who.pid;
}

static struct life *find(const struct program *p, pid_t pid)
{
    for (uint32_t i = 0; i < p->lives.count; i++) {
        if (p->lives.list[i].pid == pid)
            return &p->lives.list[i];
    }
    return NULL;
}

void lives_join(struct program *p, pid_t pid, int line)
{
    struct program_lives *l = &p->lives;
    struct life *life = pid ? find(p, pid) : NULL;
    if (!life && pid) {
        ARRAY_RESERVE(l->list, l->count, l->capacity);
        life = &l->list[l->count++];
        *life =
            (struct life){.pid = pid, .process = (int)syscall(SYS_pidfd_open, pid, 0), .line = -1};
    }
    if (life && life->line < 0)
        life->line = line;
    else if (line >= 0)
        close(line);
}

uint32_t lives_count(const struct program *p)
{
    return p->lives.count;
}

/* Of the life line only its end counts, whatever comes over it. */
static void watch(const struct life *life, struct pollfd fds[LIFE_POLLS])
{
    fds[0] = (struct pollfd){.fd = life->process, .events = POLLIN};
    fds[1] = (struct pollfd){.fd = life->line};
}

bool lives_gone(const struct program *p, pid_t pid)
{
    struct pollfd fds[LIFE_POLLS];
    const struct life *life = find(p, pid);
    if (!life)
        return false;
    watch(life, fds);
    return poll(fds, LIFE_POLLS, 0) > 0;
}

void lives_watch(const struct program *p, struct pollfd *fds)
{
    for (uint32_t i = 0; i < p->lives.count; i++)
        watch(&p->lives.list[i], fds + LIFE_POLLS * i);
}

static void end(struct program *p, struct life *life)
{
    threads_close_of(p, life->pid);
    if (life->process >= 0)
        close(life->process);
    if (life->line >= 0)
        close(life->line);
}

static void ended(struct program *p, uint32_t left)
{
    bool last = p->lives.count && !left;
    p->lives.count = left;
    if (last)
        context_expire(p);
}

void lives_look(struct program *p, const struct pollfd *fds)
{
    struct program_lives *l = &p->lives;
    uint32_t left = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        if (fds[LIFE_POLLS * i].revents || fds[LIFE_POLLS * i + 1].revents)
            end(p, &l->list[i]);
        else
            l->list[left++] = l->list[i];
    }
    ended(p, left);
}

void lives_end(struct program *p)
{
    for (uint32_t i = 0; i < p->lives.count; i++)
        end(p, &p->lives.list[i]);
    ended(p, 0);
}

void lives_free(struct program *p)
{
    free(p->lives.list);
}
