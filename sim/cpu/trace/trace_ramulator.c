/* Ramulator's CPU traces: a line "BUBBLES READ [WRITE-BACK]" is BUBBLES instructions without memory
 * access, a load, and a store for the write-back, which Ramulator counts as an instruction too.
 * Numbers are decimal or 0x. Registers, branches and instruction addresses are not in such a file.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/cpu/trace/trace_internal.h"

enum { LINE_MAX_BYTES = 255 };

struct ramulator {
    struct trace_input *in;
    uint64_t line;        /* the last one read, from 1 */
    uint64_t bubbles;     /* still to come of this line, as are */
    uint64_t load, store; /* these; 0: none */
    size_t length;
    char text[LINE_MAX_BYTES + 1];
};

void *ramulator_open(struct trace_input *in)
{
    struct ramulator *r = ALLOC(struct ramulator);
    r->in = in;
    return r;
}

static void ramulator_close(void *self)
{
    struct ramulator *r = self;
    trace_input_close(r->in);
    free(r);
}

static bool ramulator_restart(void *self, struct error *err)
{
    struct ramulator *r = self;
    *r = (struct ramulator){.in = r->in};
    return trace_input_rewind(r->in, err);
}

static bool bad_line(const struct ramulator *r, struct error *err)
{
    return error_set(err,
                     "%s: line %llu: '%.60s' is not \"BUBBLES READ-ADDRESS [WRITE-BACK-ADDRESS]\"",
                     trace_input_path(r->in), (unsigned long long)r->line, r->text);
}

/* The next line without its end, in r->text. False at the end of the file or with an error. */
static bool next_line(struct ramulator *r, struct error *err)
{
    bool ended = false;
    r->length = 0;
    r->line++;
    while (!ended) {
        const uint8_t *bytes;
        size_t n = trace_input_peek(r->in, &bytes, LINE_MAX_BYTES, err);
        if (err->set) {
            error_prefix(err, "%s: line %llu", trace_input_path(r->in),
                         (unsigned long long)r->line);
            return false;
        }
        if (!n)
            break;
        const uint8_t *newline = memchr(bytes, '\n', n);
        ended = newline != NULL;
        size_t take = newline ? (size_t)(newline - bytes) : n;
        bool fits = r->length + take <= LINE_MAX_BYTES;
        if (fits) {
            memcpy(r->text + r->length, bytes, take);
            r->length += take;
        }
        r->text[r->length] = 0;
        if (!fits)
            return bad_line(r, err);
        trace_input_skip(r->in, take + ended);
    }
    r->text[r->length] = 0;
    if (memchr(r->text, 0, r->length)) /* what stands behind it would not be looked at */
        return bad_line(r, err);
    return ended || r->length;
}

static uint32_t digit_of(char c)
{
    return c >= '0' && c <= '9'         ? (uint32_t)(c - '0')
           : isxdigit((unsigned char)c) ? (uint32_t)((c | 32) - 'a') + 10
                                        : 99;
}

/* A number and the blanks behind it. */
static bool number(const char **text, uint64_t *value)
{
    const char *p = *text;
    uint64_t base = p[0] == '0' && (p[1] | 32) == 'x' ? 16 : 10;
    p += base == 16 ? 2 : 0;
    const char *first = p;
    for (*value = 0; digit_of(*p) < base; p++) {
        if (*value > (UINT64_MAX - digit_of(*p)) / base)
            return false;
        *value = *value * base + digit_of(*p);
    }
    if (p == first || (*p && !isspace((unsigned char)*p)))
        return false;
    while (isspace((unsigned char)*p))
        p++;
    *text = p;
    return true;
}

/* The next line that is not blank. Address 0 becomes 1, which lies in the same line of every cache:
 * 0 means "none" in an instruction. */
static bool next_request(struct ramulator *r, struct error *err)
{
    const char *p;
    do {
        if (!next_line(r, err))
            return false;
        for (p = r->text; isspace((unsigned char)*p); p++)
            ;
    } while (!*p);
    uint64_t load, store;
    if (!number(&p, &r->bubbles) || !number(&p, &load))
        return bad_line(r, err);
    r->load = load ? load : 1;
    r->store = 0;
    if (*p) {
        if (!number(&p, &store) || *p)
            return bad_line(r, err);
        r->store = store ? store : 1;
    }
    return true;
}

static uint32_t ramulator_read(void *self, struct cpu_instruction *out, uint32_t n,
                               struct error *err)
{
    struct ramulator *r = self;
    for (uint32_t i = 0; i < n; i++) {
        if (!r->bubbles && !r->load && !r->store && !next_request(r, err))
            return i;
        out[i] = (struct cpu_instruction){0};
        if (r->bubbles) {
            r->bubbles--;
        } else if (r->load) {
            out[i].load[0] = r->load;
            r->load = 0;
        } else {
            out[i].store[0] = r->store;
            r->store = 0;
        }
    }
    return n;
}

const struct cpu_trace_kind ramulator_kind = {ramulator_read, ramulator_restart, ramulator_close};
