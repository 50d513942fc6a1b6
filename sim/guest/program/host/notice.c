#include "sim/guest/program/host/notice.h"

#include <stdio.h>

#include "sim/guest/program/internal.h"

#define FIRST_MS 5000u

struct notice notice_begin(void)
{
    uint64_t now = process_now_ms();
    return (struct notice){.since_ms = now, .next_ms = now + FIRST_MS};
}

static const char *doing(const struct program *p)
{
    return threads_any_open(p) ? "runs outside the library" : "has not called the library yet";
}

void notice_look(const struct program *p, struct notice *n)
{
    uint64_t now = process_now_ms();
    if (p->attached || now < n->next_ms)
        return;
    n->next_ms += n->next_ms - n->since_ms;
    fprintf(stderr,
            "evgpu: waiting for the program %s since %llu s: it %s; simulated time stands still\n",
            p->name, (unsigned long long)(now - n->since_ms) / 1000, doing(p));
}
