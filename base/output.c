#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/unfinished.h"

enum { MOST_TRIES = 1000, ORDINARY_MODE = 0666, NAME_KEPT = 200, MOST_LINKS = 40 };

struct output {
    char *path;    /* as it was given */
    char *target;  /* the file itself, where `path` is a link */
    char *written; /* beside it; NULL: a device or a pipe, in its place */
    FILE *stream;  /* NULL: others write */
};

static bool failed(const char *path, struct error *err)
{
    return error_set(err, "%s: cannot be written: %s", path,
                     errno ? strerror(errno) : "an earlier write failed");
}

/* --- opening --------------------------------------------------------------------------------- */

/* What the link at `path` leads to; NULL: it is none. */
static char *behind_link(const char *path)
{
    char text[PATH_MAX];
    ssize_t n = readlink(path, text, sizeof text - 1);
    if (n <= 0)
        return NULL;
    text[n] = '\0';
    const char *slash = strrchr(path, '/');
    int folder = slash && *text != '/' ? (int)(slash - path) + 1 : 0;
    size_t room = (size_t)folder + (size_t)n + 1;
    char *target = alloc_array(room, 1);
    snprintf(target, room, "%.*s%s", folder, path, text);
    return target;
}

char *output_target(const char *path)
{
    char *real = realpath(path, NULL), *at = alloc_string(real ? real : path), *next = NULL;
    for (int i = 0; !real && i < MOST_LINKS && (next = behind_link(at)); i++) {
        free(at);
        at = next;
    }
    free(real);
    return at;
}

static struct output *create(const char *path)
{
    struct output *out = ALLOC(struct output);
    out->path = alloc_string(path);
    out->target = output_target(path);
    return out;
}

static void release(struct output *out)
{
    unfinished_forget(out->written);
    free(out->path);
    free(out->target);
    free(out->written);
    free(out);
}

/* A descriptor of this process, which may be a file: what it is open for is written, and no other.
 */
static bool is_descriptor(const char *path)
{
    return !strcmp(path, "/dev/stdout") || !strcmp(path, "/dev/stderr") ||
           !strncmp(path, "/dev/fd/", strlen("/dev/fd/"));
}

bool output_in_place(const char *path)
{
    struct stat status;
    return is_descriptor(path) || (stat(path, &status) == 0 && !S_ISREG(status.st_mode));
}

/* A new file beside the target, whose name nobody else has: two processes may write the same
 * target. -1 with errno. */
static int open_beside(struct output *out)
{
    const char *slash = strrchr(out->target, '/');
    const char *name = slash ? slash + 1 : out->target;
    const size_t length = strlen(name);
    /* Of a long name the end only: with what stands before it, it must not exceed NAME_MAX. */
    const char *end = length > NAME_KEPT ? name + length - NAME_KEPT : name;
    size_t room = strlen(out->target) + 48;
    out->written = alloc_array(room, 1);
    for (uint32_t i = 0; i < MOST_TRIES; i++) {
        snprintf(out->written, room, "%.*s.%ld-%u.%s", (int)(name - out->target), out->target,
                 (long)getpid(), i, end);
        int file = open(out->written, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, ORDINARY_MODE);
        if (file >= 0)
            unfinished_note(out->written);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

/* The target's permissions stay; false with errno when it may not be written. */
static bool keep_mode(const struct output *out, int file, const struct stat *status)
{
    return access(out->target, W_OK) == 0 && fchmod(file, status->st_mode & 07777) == 0;
}

/* A device, a pipe, or a file by one of its names there. -1 with errno. */
static int open_in_place(const char *path)
{
    if (strcmp(path, "/dev/stdout") != 0)
        return open(path, O_WRONLY | O_CLOEXEC);
    fflush(stdout); /* what has been printed comes first */
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
}

/* The descriptor to write to, -1 with errno. */
static int open_for(struct output *out)
{
    struct stat status;
    bool there = stat(out->path, &status) == 0;
    if (!there && errno != ENOENT) /* among others, a link to itself */
        return -1;
    if (output_in_place(out->path))
        return open_in_place(out->path);
    int file = open_beside(out);
    if (file < 0) {
        free(out->written);
        out->written = NULL;
    } else if (there && !keep_mode(out, file, &status)) {
        int why = errno;
        unlink(out->written);
        close(file);
        errno = why;
        return -1;
    }
    return file;
}

struct output *output_open(const char *path, struct error *err)
{
    struct output *out = create(path);
    int file = open_for(out);
    out->stream = file < 0 ? NULL : fdopen(file, "w");
    if (out->stream)
        return out;
    failed(path, err);
    release(out);
    return NULL;
}

FILE *output_stream(struct output *out)
{
    return out->stream;
}

struct output *output_reserve(const char *path, struct error *err)
{
    struct output *out = create(path);
    int file = open_for(out);
    if (file >= 0 && out->written) {
        close(file);
        return out;
    }
    if (file >= 0) {
        close(file);
        error_set(err, "%s: must be an ordinary file", path);
    } else {
        failed(path, err);
    }
    release(out);
    return NULL;
}

const char *output_written_path(const struct output *out)
{
    return out->written;
}

/* --- closing --------------------------------------------------------------------------------- */

/* False with errno. Of a write that failed before, the stream has not kept the cause: the next one
 * fails for the same, unless the cause has gone meanwhile, which leaves errno 0. */
static bool close_stream(FILE *stream)
{
    bool ok = !ferror(stream);
    clearerr(stream);
    errno = 0;
    int cause = !ok && (fputc('\n', stream) == EOF || fflush(stream)) ? errno : 0;
    ok = fclose(stream) == 0 && ok;
    errno = cause ? cause : errno;
    return ok;
}

bool output_finish(struct output *out, struct error *err)
{
    bool ok = !out->stream || close_stream(out->stream);
    ok = ok && (!out->written || rename(out->written, out->target) == 0);
    if (!ok) {
        failed(out->path, err);
        if (out->written)
            unlink(out->written);
    }
    release(out);
    return ok;
}

void output_abandon(struct output *out)
{
    if (!out)
        return;
    if (out->stream)
        fclose(out->stream);
    if (out->written)
        unlink(out->written);
    release(out);
}

bool output_close_standard(struct error *err)
{
    return close_stream(stdout) || failed("standard output", err);
}
