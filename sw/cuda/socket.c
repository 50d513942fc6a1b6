#include "sw/cuda/socket.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

union descriptor_room {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

bool socket_read(int fd, void *data, uint64_t bytes)
{
    uint8_t *to = data;
    while (bytes) {
        ssize_t got = recv(fd, to, (size_t)bytes, 0);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        bytes -= (uint64_t)got;
    }
    return true;
}

bool socket_write(int fd, const void *data, uint64_t bytes)
{
    const uint8_t *from = data;
    while (bytes) {
        ssize_t sent = send(fd, from, (size_t)bytes, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        from += sent;
        bytes -= (uint64_t)sent;
    }
    return true;
}

bool socket_write_parts(int fd, struct iovec *parts, size_t n)
{
    while (n) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = n};
        ssize_t sent = sendmsg(fd, &message, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        size_t left = (size_t)sent;
        while (n && left >= parts->iov_len) {
            left -= parts->iov_len;
            parts++;
            n--;
        }
        if (n) {
            parts->iov_base = (uint8_t *)parts->iov_base + left;
            parts->iov_len -= left;
        }
    }
    return true;
}

bool socket_write_fd(int fd, const void *data, uint64_t bytes, int pass)
{
    union descriptor_room space;
    struct iovec part = {.iov_base = (void *)(uintptr_t)data, .iov_len = (size_t)bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space.room,
                             .msg_controllen = sizeof space.room};
    memset(&space, 0, sizeof space);
    struct cmsghdr *c = CMSG_FIRSTHDR(&message);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(sizeof pass);
    memcpy(CMSG_DATA(c), &pass, sizeof pass);
    ssize_t sent;
    do
        sent = sendmsg(fd, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent > 0 && socket_write(fd, (const uint8_t *)data + sent, bytes - (uint64_t)sent);
}

/* One recvmsg(). */
static ssize_t receive(int fd, void *data, uint64_t bytes, int flags, int *passed)
{
    union descriptor_room space;
    struct iovec part = {.iov_base = data, .iov_len = (size_t)bytes};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space.room,
                             .msg_controllen = sizeof space.room};
    ssize_t got = recvmsg(fd, &message, flags | MSG_CMSG_CLOEXEC);
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    *passed = -1;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(passed, CMSG_DATA(c), sizeof *passed);
    return got;
}

bool socket_read_fd(int fd, void *data, uint64_t bytes, int *passed)
{
    ssize_t got;
    do
        got = receive(fd, data, bytes, 0, passed);
    while (got < 0 && errno == EINTR);
    return got > 0 && socket_read(fd, (uint8_t *)data + got, bytes - (uint64_t)got);
}

int socket_take_fd(int fd, char *what, bool *closed)
{
    int passed = -1;
    ssize_t got = receive(fd, what, 1, MSG_DONTWAIT, &passed);
    *closed = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    return passed;
}
