#include "sim/guest/program/host/channel.h"

#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#include "sim/guest/program/internal.h"

#define POLL_MS 100

static bool wait_for(const struct host_thread *t, short what)
{
    struct program *p = t->program;
    struct pollfd wait = {.fd = t->fd, .events = what};
    struct notice notice = notice_begin();
    while (poll(&wait, 1, POLL_MS) <= 0) {
        if (machine_stopped(p->machine) || lives_gone(p, t->pid))
            return false;
        notice_look(p, &notice);
    }
    return !machine_stopped(p->machine);
}

/* Whether it is worth another try after a call that has moved `n` bytes. */
static bool again(const struct host_thread *t, ssize_t n, short what)
{
    if (n > 0 || (n < 0 && errno == EINTR))
        return true;
    return n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK) && wait_for(t, what);
}

bool channel_read(const struct host_thread *t, void *data, uint64_t bytes)
{
    uint8_t *to = data;
    while (bytes) {
        ssize_t n = recv(t->fd, to, (size_t)bytes, MSG_DONTWAIT);
        if (!again(t, n, POLLIN))
            return false;
        to += n > 0 ? n : 0;
        bytes -= n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

bool channel_write(const struct host_thread *t, const void *data, uint64_t bytes)
{
    const uint8_t *from = data;
    while (bytes) {
        ssize_t n = send(t->fd, from, (size_t)bytes, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (!again(t, n, POLLOUT))
            return false;
        from += n > 0 ? n : 0;
        bytes -= n > 0 ? (uint64_t)n : 0;
    }
    return true;
}

bool channel_writable(const struct host_thread *t)
{
    return wait_for(t, POLLOUT);
}
