#include "tb/trace_shim.h"

#include "verilated_fst_c.h"
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

void fst_close(void *fst)
{
    file_of(fst)->close();
}

const void *rtl_variable(const char *scope, const char *name, uint32_t *bytes)
{
    const VerilatedScope *at = Verilated::defaultContextp()->scopeFind(scope);
    const VerilatedVar *found = at ? at->varFind(name) : nullptr;
    *bytes = found ? found->entSize() : 0;
    return found ? found->datap() : nullptr;
}

} // extern "C"
