/* A function on a stack of its own. Nothing runs on the caller's stack meanwhile, so that its pages
 * can be replaced by others with the same contents. */
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "sw/cuda/client/channel.h"

#define STACK_BYTES (64u * 1024)

/* At the beginning of pages whose end is the stack. */
struct visit {
    ucontext_t caller, there;
    bool (*run)(const void *what);
    bool result;
    _Alignas(16) uint8_t what[256];
};

/* makecontext() hands over numbers of 32 bits. */
static void enter(unsigned int high, unsigned int low)
{
    struct visit *v = (struct visit *)(uintptr_t)((uint64_t)high << 32 | low);
    v->result = v->run(v->what);
}

bool evc_on_other_stack(bool (*run)(const void *what), const void *what, size_t bytes)
{
    struct visit *v = mmap(NULL, sizeof *v + STACK_BYTES, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (v == MAP_FAILED || bytes > sizeof v->what)
        return false;
    v->run = run;
    memcpy(v->what, what, bytes);
    getcontext(&v->there);
    v->there.uc_link = &v->caller;
    v->there.uc_stack.ss_sp = v + 1;
    v->there.uc_stack.ss_size = STACK_BYTES;
    makecontext(&v->there, (void (*)(void))(uintptr_t)enter, 2, (unsigned int)((uintptr_t)v >> 32),
                (unsigned int)(uintptr_t)v);
    bool result = swapcontext(&v->caller, &v->there) == 0 && v->result;
    munmap(v, sizeof *v + STACK_BYTES);
    return result;
}
