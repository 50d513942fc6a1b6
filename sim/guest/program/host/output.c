#include "sim/guest/program/host/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/gpu/device_output.h"
#include "sim/guest/program/internal.h"

/* What a program's kernels have printed goes to the program with the next answer, so that it stands
 * in its own output in order; failed assertions go to the error stream, which both have. */

static void keep(void *user, bool is_error, const char *text, size_t bytes)
{
    struct program *p = user;
    struct program_output *o = &p->output;
    if (is_error) {
        fwrite(text, 1, bytes, stderr);
        return;
    }
    if (o->bytes + bytes > o->room) {
        o->room = 2 * (o->bytes + bytes);
        o->text = alloc_resize(o->text, o->room, 1);
    }
    memcpy(o->text + o->bytes, text, bytes);
    o->bytes += bytes;
}

uint32_t output_collect(struct program *p)
{
    guest_take_output(p->guest, &(struct output_reader){keep, p});
    return (uint32_t)p->output.bytes;
}

bool output_send(const struct host_thread *t)
{
    const struct program_output *o = &t->program->output;
    return channel_write(t, o->text, o->bytes);
}

void output_drop(struct program *p)
{
    output_collect(p);
    output_forget(p);
}

void output_forget(struct program *p)
{
    p->output.bytes = 0;
}

void output_free(struct program *p)
{
    free(p->output.text);
}
