/* Bytes to and from a program's channels. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/alloc.h"
#include "sim/guest/program/program_internal.h"

bool channel_read(int fd, void *data, uint64_t bytes)
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

bool channel_write(int fd, const void *data, uint64_t bytes)
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

union descriptor_room {
    struct cmsghdr header;
    char room[CMSG_SPACE(sizeof(int))];
};

bool channel_write_fd(int fd, const void *data, uint64_t bytes, int pass)
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
    return sent > 0 && channel_write(fd, (const uint8_t *)data + sent, bytes - (uint64_t)sent);
}

int channel_accept(int control, bool *closed)
{
    union descriptor_room space;
    char byte;
    int fd = -1;
    struct iovec part = {.iov_base = &byte, .iov_len = 1};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = space.room,
                             .msg_controllen = sizeof space.room};
    ssize_t got = recvmsg(control, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    *closed = got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR);
    struct cmsghdr *c = got > 0 ? CMSG_FIRSTHDR(&message) : NULL;
    if (c && c->cmsg_type == SCM_RIGHTS)
        memcpy(&fd, CMSG_DATA(c), sizeof fd);
    return fd;
}

/* A request with its payload; false when the channel is closed or speaks another language. */
bool channel_request(struct host_thread *t)
{
    struct wire_request *r = &t->request;
    free(t->payload);
    t->payload = NULL;
    if (!channel_read(t->fd, r, sizeof *r) || r->magic != WIRE_MAGIC ||
        r->version != WIRE_VERSION || r->payload >= WIRE_MAX_PAYLOAD)
        return false;
    if (!r->payload)
        return true;
    t->payload = malloc((size_t)r->payload + 1);
    if (!t->payload)
        return false;
    t->payload[r->payload] = 0;
    return channel_read(t->fd, t->payload, r->payload);
}
