#include "tb/trace_shim.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace
{

/* Of the file that is being closed: the FST writer checks nothing that it writes, and its functions
 * have no argument through which this could go. */
struct fst_closing {
    int cause; /* errno of the first failure, 0: none */
};
thread_local fst_closing *closing;

void note_failure(int cause)
{
    if (closing && !closing->cause)
        closing->cause = cause ? cause : EIO;
}

/* The writer maps what it has written before; to touch a part that did not fit would be a SIGBUS.
 * The failure is the stream's, found at its end. */
void *map_written(void *address, size_t bytes, int protection, int flags, int file, off_t offset)
{
    struct stat status;
    if (fstat(file, &status) == 0 && status.st_size - offset >= static_cast<off_t>(bytes))
        return mmap(address, bytes, protection, flags, file, offset);
    void *memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory != MAP_FAILED)
        static_cast<void>(!pread(file, memory, bytes, offset));
    return memory;
}

/* A stream knows only that a write failed: the next one says why. */
int close_written(FILE *file)
{
    if (ferror(file)) {
        errno = 0;
        clearerr(file);
        if (fputc(0, file) == EOF || fflush(file))
            note_failure(errno);
        else
            note_failure(EIO);
    }
    int result = fclose(file);
    if (result)
        note_failure(errno);
    return result;
}

} // namespace

#define mmap   map_written
#define fclose close_written
#include "verilated_fst_c.cpp"
#undef mmap
#undef fclose

#include "verilated_sym_props.h"

static VerilatedFstC *file_of(void *fst)
{
    return static_cast<VerilatedFstC *>(fst);
}

extern "C" {

void *fst_create(void)
{
    return new VerilatedFstC;
}

void fst_destroy(void *fst)
{
    delete file_of(fst);
}

bool fst_open(void *fst, const char *path)
{
    file_of(fst)->open(path);
    return file_of(fst)->isOpen();
}

bool fst_is_open(const void *fst)
{
    return static_cast<const VerilatedFstC *>(fst)->isOpen();
}

void fst_dump(void *fst, uint64_t time_ps)
{
    file_of(fst)->dump(time_ps);
}

int fst_close(void *fst)
{
    fst_closing now = {0};
    closing = &now;
    file_of(fst)->close();
    closing = nullptr;
    return now.cause;
}

const void *rtl_variable(const char *scope, const char *name, uint32_t *bytes)
{
    const VerilatedScope *at = Verilated::defaultContextp()->scopeFind(scope);
    const VerilatedVar *found = at ? at->varFind(name) : nullptr;
    *bytes = found ? found->entSize() : 0;
    return found ? found->datap() : nullptr;
}

} // extern "C"
