#include "base/unfinished.h"

#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <unistd.h>

enum { MOST = 16 }; /* what is beyond is not removed */

/* A signal handler has nothing but what is static. */
static _Atomic(char *) noted[MOST];
static atomic_int owner; /* a child of a fork removes nothing */

static void on_signal(int number)
{
    for (int i = 0; i < MOST && owner == getpid(); i++) {
        char *path = atomic_load(&noted[i]);
        if (path)
            unlink(path);
    }
    raise(number); /* which is the default's by now */
}

static void catch_signals(void)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    const struct sigaction catch = {.sa_handler = on_signal,
                                    .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    struct sigaction old;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (!sigaction(numbers[i], NULL, &old) && !(old.sa_flags & SA_SIGINFO) &&
            old.sa_handler == SIG_DFL)
            sigaction(numbers[i], &catch, NULL);
    }
}

void unfinished_note(char *path)
{
    if (atomic_exchange(&owner, getpid()) != getpid())
        catch_signals();
    for (int i = 0; i < MOST; i++) {
        char *none = NULL;
        if (atomic_compare_exchange_strong(&noted[i], &none, path))
            return;
    }
}

void unfinished_forget(const char *path)
{
    for (int i = 0; path && i < MOST; i++) {
        if (atomic_load(&noted[i]) == path)
            atomic_store(&noted[i], NULL);
    }
}
