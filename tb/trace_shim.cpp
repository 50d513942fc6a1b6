#include "tb/trace_shim.h"

#include "verilated_fst_c.h"

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

void fst_close(void *fst)
{
    file_of(fst)->close();
}

} // extern "C"
