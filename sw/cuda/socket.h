/* Bytes and descriptors over the sockets between a program and the simulator (protocol.h); both
 * ends use it. A call goes on where a signal has interrupted it. No symbol of it leaves the client
 * library. */
#ifndef EVGPU_CUDA_SOCKET_H
#define EVGPU_CUDA_SOCKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/uio.h>

#pragma GCC visibility push(hidden)

/* All `bytes`, or false: the other end is gone. */
bool socket_read(int fd, void *data, uint64_t bytes);
bool socket_write(int fd, const void *data, uint64_t bytes);

/* The parts one after the other; changes the array. */
bool socket_write_parts(int fd, struct iovec *parts, size_t n);

/* One byte or more, with the descriptor `pass` beside the first. */
bool socket_write_fd(int fd, const void *data, uint64_t bytes, int pass);

/* The same to read; *passed is -1 when no descriptor has come. */
bool socket_read_fd(int fd, void *data, uint64_t bytes, int *passed);

/* The descriptor that has come with a message of one byte, -1: none has come. Does not wait;
 * *what: the byte; *closed: none will come. */
int socket_take_fd(int fd, char *what, bool *closed);

#pragma GCC visibility pop

#endif
