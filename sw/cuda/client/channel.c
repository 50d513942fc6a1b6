#include "sw/cuda/client/channel.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "sw/cuda/client/core.h"
#include "sw/cuda/client/start.h"
#include "sw/cuda/socket.h"

#ifndef PR_SET_PTRACER
#define PR_SET_PTRACER 0x59616d61
#endif

#define LIST_WAIT_S 1 /* for a thread that connects, which may wait for the simulator */

/* The process's connection; one per process, like the program's own context. */
static struct {
    pthread_mutex_t lock; /* connecting, the list of channels */
    bool tried, own;
    atomic_bool connected;
    atomic_int failure; /* CUresult that every call gets, once the simulator is gone */
    int control, life_line;
    pid_t pid; /* whose the simulator is */
    uint8_t *window;
    struct wire_device device;
    struct thread_channel *channels; /* of all threads */
    pthread_key_t key;               /* closes a thread's channel when the thread ends */
} process = {.lock = PTHREAD_MUTEX_INITIALIZER, .control = -1, .life_line = -1};

struct thread_channel {
    int fd;
    uint64_t host_ns, clock_ns;
    struct thread_channel *next;
};

static _Thread_local struct thread_channel *mine;

/* --- bytes ------------------------------------------------------------------------------------ */

static bool skip(int fd, uint64_t bytes)
{
    uint8_t sink[4096];
    while (bytes) {
        size_t some = bytes < sizeof sink ? (size_t)bytes : sizeof sink;
        if (!socket_read(fd, sink, some))
            return false;
        bytes -= some;
    }
    return true;
}

/* --- life of the connection ------------------------------------------------------------------- */

static CUresult lost(void)
{
    int none = 0;
    if (atomic_compare_exchange_strong(&process.failure, &none, CUDA_ERROR_DEVICE_UNAVAILABLE))
        fprintf(stderr, "evgpu: the simulator has ended; all further calls return an error\n");
    return (CUresult)atomic_load(&process.failure);
}

static void close_channel(void *user)
{
    struct thread_channel *channel = user;
    pthread_mutex_lock(&process.lock);
    struct thread_channel **at = &process.channels;
    while (*at && *at != channel)
        at = &(*at)->next;
    if (*at)
        *at = channel->next;
    pthread_mutex_unlock(&process.lock);
    close(channel->fd);
    free(channel);
    mine = NULL;
}

static void before_fork(void)
{
    pthread_mutex_lock(&process.lock);
}

static void after_fork_parent(void)
{
    pthread_mutex_unlock(&process.lock);
}

/* A context does not survive fork: the child may not use it, and must not hold its channels. */
static void after_fork_child(void)
{
    for (struct thread_channel *c = process.channels; c; c = c->next)
        close(c->fd);
    process.channels = NULL;
    mine = NULL;
    if (process.life_line >= 0)
        close(process.life_line);
    process.life_line = -1;
    if (atomic_load(&process.connected))
        atomic_store(&process.failure, CUDA_ERROR_NOT_INITIALIZED);
    if (process.own) {
        close(process.control);
        process.own = false;
    }
    pthread_mutex_unlock(&process.lock);
}

/* A thread whose channel is shut ends, and takes it out of the list. In a signal handler the list
 * is only tried for: the thread that it has interrupted may hold it. */
static void close_channels(bool in_handler)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += in_handler ? 0 : LIST_WAIT_S;
    bool locked = !(in_handler ? pthread_mutex_trylock(&process.lock)
                               : pthread_mutex_timedlock(&process.lock, &until));
    atomic_store(&process.failure, CUDA_ERROR_DEINITIALIZED);
    /* A thread that waits for host functions would keep a channel open that is only closed. */
    for (struct thread_channel *c = process.channels; c; c = c->next)
        shutdown(c->fd, SHUT_RDWR);
    if (locked)
        pthread_mutex_unlock(&process.lock);
}

/* A signal ends the process: the simulator, which is the program's own, first writes what it has
 * found. The second signal does not wait for that. */
static void on_signal(int number)
{
    if (process.own && process.pid == getpid()) {
        char status = (char)(WIRE_SIGNAL + number);
        close_channels(true);
        send(process.control, &status, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
        evc_wait_end(process.control);
    }
    raise(number);
}

/* What the program has chosen to do with a signal stays. */
static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction old,
        catch = {.sa_handler = on_signal, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (!sigaction(numbers[i], NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
            old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &catch, NULL);
    }
}

__attribute__((destructor)) static void end_process(void)
{
    evc_host_unregister_all();
    close_channels(false);
    bool mistakes = process.own && evc_wait_end(process.control);
    process.own = false;
    if (mistakes) { /* --check found some: the program's status says so */
        fflush(NULL);
        _exit(EXIT_FAILURE);
    }
}

/* Our end of a new channel; -1: there is none. */
static int new_channel(enum wire_channel what)
{
    int ends[2];
    char byte = (char)what;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    bool sent = socket_write_fd(process.control, &byte, 1, ends[1]);
    close(ends[1]);
    if (sent)
        return ends[0];
    close(ends[0]);
    return -1;
}

static struct thread_channel *open_channel(void)
{
    if (process.life_line < 0)
        process.life_line = new_channel(WIRE_LIFE_LINE);
    int fd = new_channel(WIRE_THREAD);
    struct thread_channel *channel = fd >= 0 ? calloc(1, sizeof *channel) : NULL;
    if (channel)
        channel->fd = fd;
    else if (fd >= 0)
        close(fd);
    return channel;
}

#define NO_MEMORY (MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE)

/* The file's bytes from `offset` on replace whatever is mapped there. */
static bool place(void *at, size_t bytes, int access, int file, off_t offset)
{
    return mmap(at, bytes, access, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, file, offset) == at;
}

/* The same memory twice: at its device addresses, closed until memory is pinned or managed, so that
 * a stray access of the host is the fault that it is on a real machine; and writable elsewhere. */
static bool map_memory(int file)
{
    size_t bytes = (size_t)process.device.map_bytes;
    size_t all = (size_t)(process.device.far_base + process.device.far_bytes - WIRE_BASE);
    void *at = (void *)(uintptr_t)WIRE_BASE;
    void *same = mmap(at, all, PROT_NONE, NO_MEMORY | MAP_FIXED_NOREPLACE, -1, 0);
    void *window = same == at ? mmap(NULL, all, PROT_NONE, NO_MEMORY, -1, 0) : MAP_FAILED;
    if (window == MAP_FAILED || !place(at, bytes, PROT_NONE, file, 0) ||
        !place(window, bytes, PROT_READ | PROT_WRITE, file, 0)) {
        fprintf(stderr, "evgpu: cannot map %llu bytes of device memory at %p: %s\n",
                (unsigned long long)bytes, at, strerror(errno));
        return false;
    }
    madvise(same, all, MADV_DONTFORK);
    process.window = window;
    return true;
}

static int memory_file = -1;

static CUresult hello(struct thread_channel *channel)
{
    struct wire_request request = {.magic = WIRE_MAGIC,
                                   .version = WIRE_VERSION,
                                   .op = WIRE_HELLO,
                                   .a = {(uint64_t)getpid(), (uint64_t)syscall(SYS_gettid)}};
    struct wire_reply reply;
    int file = -1;
    if (!socket_write(channel->fd, &request, sizeof request) ||
        !socket_read_fd(channel->fd, &reply, sizeof reply, &file))
        return lost();
    if (reply.status || reply.payload != sizeof process.device || file < 0) {
        fprintf(stderr, "evgpu: the simulator refuses this program: library and simulator have "
                        "different versions; rebuild both\n");
        return CUDA_ERROR_SYSTEM_NOT_READY;
    }
    if (!socket_read(channel->fd, &process.device, sizeof process.device))
        return lost();
    channel->clock_ns = reply.clock_ns;
    if (process.window) {
        close(file);
        return CUDA_SUCCESS;
    }
    memory_file = file;
    return map_memory(file) ? CUDA_SUCCESS : CUDA_ERROR_OPERATING_SYSTEM;
}

/* Once per process, with the lock held. */
static void connect_process(void)
{
    int own = 0;
    process.tried = true;
    pthread_key_create(&process.key, close_channel);
    process.control = evc_start(&own);
    pthread_atfork(before_fork, after_fork_parent, after_fork_child); /* we hold the lock */
    process.own = own != 0;
    process.pid = getpid();
    if (own)
        catch_signals();
    if (process.control < 0)
        atomic_store(&process.failure, CUDA_ERROR_DEVICE_UNAVAILABLE);
    /* The simulator looks at /proc to know which threads wait outside the library. */
    prctl(PR_SET_PTRACER, (unsigned long)-1, 0, 0, 0);
}

static CUresult connect_thread(void)
{
    CUresult status = CUDA_SUCCESS;
    pthread_mutex_lock(&process.lock);
    if (!process.tried)
        connect_process();
    if (atomic_load(&process.failure)) {
        status = (CUresult)atomic_load(&process.failure);
    } else {
        struct thread_channel *channel = open_channel();
        status = channel ? hello(channel) : lost();
        if (status && channel) {
            close(channel->fd);
            free(channel);
            atomic_store(&process.failure, status);
        } else if (!status) {
            channel->next = process.channels;
            process.channels = channel;
            pthread_setspecific(process.key, channel);
            mine = channel;
            atomic_store(&process.connected, true);
        }
    }
    pthread_mutex_unlock(&process.lock);
    return status;
}

/* --- host memory ----------------------------------------------------------------------------- */

bool evc_is_mapped(uint64_t address, uint64_t bytes)
{
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), first = address / page * page;
    uint64_t length = address - first + bytes;
    /* msync() rounds up to pages: what goes beyond the end of all addresses would be nothing. */
    if (address > UINT64_MAX - page || bytes > UINT64_MAX - page - address)
        return false;
    return !msync((void *)(uintptr_t)first, (size_t)length, MS_ASYNC) || errno != ENOMEM;
}

bool evc_host_memory(const char *what, uint64_t address, uint64_t bytes)
{
    if (evc_is_mapped(address, bytes))
        return true;
    fprintf(stderr, "evgpu: %s: %llu bytes at %p are not all memory of this process\n", what,
            (unsigned long long)bytes, (void *)(uintptr_t)address);
    return false;
}

/* --- calls ------------------------------------------------------------------------------------ */

static bool print_output(int fd, uint32_t bytes)
{
    char text[4096];
    while (bytes) {
        size_t some = bytes < sizeof text ? bytes : sizeof text;
        if (!socket_read(fd, text, some))
            return false;
        fwrite(text, 1, some, stdout);
        bytes -= (uint32_t)some;
    }
    return true;
}

/* The simulator's explanation of an error that is about to be returned. */
static bool take_message(int fd, struct evc_call *call, uint64_t bytes)
{
    char text[1024];
    size_t taken = bytes < sizeof text ? (size_t)bytes : sizeof text - 1;
    if (!socket_read(fd, text, taken) || !skip(fd, bytes - taken))
        return false;
    text[taken] = '\0';
    if (call->message)
        snprintf(call->message, call->message_room, "%s", text);
    else
        fprintf(stderr, "evgpu: %s\n", text);
    evc_note_told();
    return true;
}

static bool receive_reply(struct thread_channel *channel, struct evc_call *call,
                          struct wire_reply *reply)
{
    if (!socket_read(channel->fd, reply, sizeof *reply) ||
        !print_output(channel->fd, reply->output))
        return false;
    channel->clock_ns = reply->clock_ns;
    if (reply->status == WIRE_PUT &&
        !evc_host_memory("copy: destination", reply->v[0], reply->payload))
        return skip(channel->fd, reply->payload);
    if (reply->status == WIRE_PUT)
        return socket_read(channel->fd, (void *)(uintptr_t)reply->v[0], reply->payload);
    if (reply->status && reply->status != WIRE_MOVE && reply->payload)
        return take_message(channel->fd, call, reply->payload);
    size_t taken = reply->payload < call->answer_room ? (size_t)reply->payload : call->answer_room;
    call->answer_bytes = taken;
    return (!taken || socket_read(channel->fd, call->answer, taken)) &&
           skip(channel->fd, reply->payload - taken);
}

/* Perhaps in the middle of a message, of which the other end waits for the rest. */
static CUresult broken(const struct thread_channel *channel)
{
    shutdown(channel->fd, SHUT_RDWR);
    return lost();
}

CUresult evc_call(struct evc_call *call)
{
    if (atomic_load(&process.failure))
        return (CUresult)atomic_load(&process.failure);
    /* It would wait for time, which stands still until the function returns. */
    if (evc_in_host_function() && call->op != WIRE_NEXT_FUNCTION)
        return evc_explain(CUDA_ERROR_NOT_PERMITTED,
                           "a host function of a stream may make no calls of CUDA");
    if (!mine) {
        CUresult status = connect_thread();
        if (status)
            return status;
    }
    struct thread_channel *channel = mine;
    struct wire_request request = {.magic = WIRE_MAGIC,
                                   .version = WIRE_VERSION,
                                   .op = call->op,
                                   .payload = call->head_bytes + call->payload_bytes,
                                   .host_ns = channel->host_ns};
    struct iovec parts[3] = {
        {.iov_base = &request, .iov_len = sizeof request},
        {.iov_base = (void *)(uintptr_t)call->head, .iov_len = call->head_bytes},
        {.iov_base = (void *)(uintptr_t)call->payload, .iov_len = call->payload_bytes}};
    struct wire_reply reply;

    memcpy(request.a, call->a, sizeof request.a);
    channel->host_ns = 0;
    if (!socket_write_parts(channel->fd, parts, 3) || !receive_reply(channel, call, &reply))
        return broken(channel);
    while (reply.status == WIRE_MOVE || reply.status == WIRE_PUT) {
        struct wire_request moved = {
            .magic = WIRE_MAGIC, .version = WIRE_VERSION, .op = WIRE_MOVED};
        if (call->move && reply.status == WIRE_MOVE)
            call->move(call->user);
        if (!socket_write(channel->fd, &moved, sizeof moved) ||
            !receive_reply(channel, call, &reply))
            return broken(channel);
    }
    memcpy(call->v, reply.v, sizeof call->v);
    return (CUresult)reply.status;
}

const struct wire_device *evc_device(void)
{
    if (!mine && connect_thread())
        return NULL;
    return &process.device;
}

bool evc_connected(void)
{
    return atomic_load(&process.connected);
}

void evc_host_time(uint64_t nanoseconds)
{
    if (mine || !connect_thread())
        mine->host_ns += nanoseconds;
}

uint64_t evc_clock(void)
{
    return mine ? mine->clock_ns + mine->host_ns : 0;
}

/* --- memory ----------------------------------------------------------------------------------- */

uint8_t *evc_window(uint64_t address)
{
    return process.window + (address - WIRE_BASE);
}

bool evc_is_device_space(uint64_t address)
{
    return process.window &&
           (address - WIRE_BASE < process.device.map_bytes || evc_is_far(address));
}

bool evc_is_far(uint64_t address)
{
    return address - process.device.far_base < process.device.far_bytes;
}

bool evc_open_window(uint64_t address, uint64_t bytes, uint64_t offset)
{
    return place(evc_window(address), (size_t)bytes, PROT_READ | PROT_WRITE, memory_file,
                 (off_t)offset);
}

void evc_close_window(uint64_t address, uint64_t bytes)
{
    mmap(evc_window(address), (size_t)bytes, PROT_NONE, NO_MEMORY | MAP_FIXED, -1, 0);
}

uint64_t evc_simulator(void)
{
    struct stat file;
    return fstat(memory_file, &file) ? 0 : (uint64_t)file.st_ino;
}

bool evc_expose(uint64_t address, uint64_t bytes, bool readable)
{
    int access = readable ? PROT_READ | PROT_WRITE : PROT_NONE;
    return mprotect((void *)(uintptr_t)address, (size_t)bytes, access) == 0;
}

struct host_pages {
    void *host;
    uint64_t address, bytes;
    int access;
};

/* The kernel copies, for which pages that cannot be read are an error and no signal. */
static bool map_pages(const void *what)
{
    const struct host_pages *p = what;
    off_t offset = (off_t)(p->address - WIRE_BASE);
    for (uint64_t done = 0; done < p->bytes;) {
        ssize_t some = pwrite(memory_file, (const uint8_t *)p->host + done,
                              (size_t)(p->bytes - done), offset + (off_t)done);
        if (some <= 0)
            return false;
        done += (uint64_t)some;
    }
    return place(p->host, (size_t)p->bytes, p->access, memory_file, offset);
}

static bool unmap_pages(const void *what)
{
    const struct host_pages *p = what;
    return evc_place_pages(evc_copy_pages(p->host, p->bytes, p->access), p->host, p->bytes);
}

bool evc_map_host(void *host, uint64_t address, uint64_t bytes, int access)
{
    const struct host_pages pages = {host, address, bytes, access};
    return evc_on_other_stack(map_pages, &pages, sizeof pages);
}

bool evc_unmap_host(void *host, uint64_t bytes, int access)
{
    const struct host_pages pages = {.host = host, .bytes = bytes, .access = access};
    return evc_on_other_stack(unmap_pages, &pages, sizeof pages);
}

void *evc_copy_pages(const void *host, uint64_t bytes, int access)
{
    if (!evc_host_shows(host, bytes, evc_simulator()))
        return NULL;
    /* Not from the heap, which may lie in these very pages. */
    void *copy =
        mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (copy == MAP_FAILED)
        return NULL;
    memcpy(copy, host, (size_t)bytes);
    mprotect(copy, (size_t)bytes, access);
    return copy;
}

bool evc_place_pages(void *copy, void *host, uint64_t bytes)
{
    return copy &&
           mremap(copy, (size_t)bytes, (size_t)bytes, MREMAP_MAYMOVE | MREMAP_FIXED, host) == host;
}

void evc_drop_pages(void *copy, uint64_t bytes)
{
    if (copy)
        munmap(copy, (size_t)bytes);
}
