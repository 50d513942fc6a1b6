/* Sequences of letters: random ones, and FASTA. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/rng.h"
#include "sw/apps/mummer/mummer.h"

static void make(struct sequences *s, uint32_t count, uint32_t letters)
{
    s->count = count;
    s->codes = ALLOC_ARRAY(uint8_t, (size_t)count * letters + 1);
    s->starts = ALLOC_ARRAY(uint32_t, (size_t)count + 1);
    for (uint32_t i = 0; i <= count; i++)
        s->starts[i] = i * letters;
}

void sequences_random(uint64_t seed, uint32_t letters, struct sequences *sequences)
{
    struct rng rng;
    rng_seed(&rng, seed);
    make(sequences, 1, letters);
    for (uint32_t i = 0; i < letters; i++)
        sequences->codes[i] = (uint8_t)rng_below(&rng, 4);
}

void sequences_reads(uint64_t seed, const struct sequences *reference, uint32_t count,
                     uint32_t letters, struct sequences *sequences)
{
    struct rng rng;
    uint32_t all = reference->starts[reference->count];
    rng_seed(&rng, seed);
    make(sequences, count, letters);
    for (uint32_t q = 0; q < count; q++) {
        uint32_t from = rng_below(&rng, all > letters ? all - letters + 1 : 1);
        for (uint32_t i = 0; i < letters; i++) {
            uint8_t code = reference->codes[(from + i) % all];
            if (rng_below(&rng, 50) == 0)
                code = (uint8_t)rng_below(&rng, 4);
            sequences->codes[(size_t)q * letters + i] = code < 4 ? code : MUMMER_UNKNOWN;
        }
    }
}

static uint8_t code_of(char letter, uint8_t other)
{
    switch (letter) {
    case 'A':
    case 'a':
        return 0;
    case 'C':
    case 'c':
        return 1;
    case 'G':
    case 'g':
        return 2;
    case 'T':
    case 't':
        return 3;
    default:
        return other;
    }
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '*' || c == '-';
}

static bool parse_letters(const char *path, uint32_t line, const char *text, uint8_t other,
                          struct sequences *s, struct error *err)
{
    size_t bytes = strcspn(text, "\n");
    for (size_t i = 0; i < bytes; i++) {
        if (text[i] == '\r' || text[i] == ' ' || text[i] == '\t')
            continue;
        if (!is_letter(text[i]))
            return error_set(err, "%s:%u: '%c' (0x%02x) is not a letter of a sequence", path, line,
                             text[i] >= ' ' && text[i] < 127 ? text[i] : '?',
                             (unsigned)(unsigned char)text[i]);
        if (s->count == 0)
            return error_set(err, "%s:%u: letters precede the first line with '>'", path, line);
        s->codes[s->starts[s->count]++] = code_of(text[i], other);
    }
    return true;
}

bool sequences_parse(const char *path, const char *text, uint8_t other, struct sequences *sequences,
                     struct error *err)
{
    struct sequences s = {.starts = ALLOC_ARRAY(uint32_t, 1)};
    size_t bytes = strlen(text);
    bool good = bytes <= UINT32_MAX || error_set(err, "%s: the file exceeds 4 GiB", path);
    s.codes = ALLOC_ARRAY(uint8_t, bytes + 1);
    for (uint32_t line = 1; good && *text; line++) {
        if (*text == '>') {
            s.starts = alloc_resize(s.starts, (size_t)s.count + 2, sizeof *s.starts);
            s.count++;
            s.starts[s.count] = s.starts[s.count - 1];
        } else {
            good = parse_letters(path, line, text, other, &s, err);
        }
        text += strcspn(text, "\n");
        text += *text != 0;
    }
    if (good && s.starts[s.count] == 0)
        good = error_set(err, "%s: no letters", path);
    if (good)
        *sequences = s;
    else
        sequences_free(&s);
    return good;
}

void sequences_join(struct sequences *sequences)
{
    struct sequences one;
    uint32_t at = 0;
    make(&one, 1, sequences->starts[sequences->count] + sequences->count - 1);
    for (uint32_t i = 0; i < sequences->count; i++) {
        uint32_t letters = sequences->starts[i + 1] - sequences->starts[i];
        if (i)
            one.codes[at++] = MUMMER_GAP;
        memcpy(one.codes + at, sequences->codes + sequences->starts[i], letters);
        at += letters;
    }
    sequences_free(sequences);
    *sequences = one;
}

void sequences_free(struct sequences *sequences)
{
    free(sequences->codes);
    free(sequences->starts);
    *sequences = (struct sequences){0};
}
