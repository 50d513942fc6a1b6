#include "tests/fuzz/inputs.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/file.h"
#include "tests/fuzz/fuzz.h"

#define MOST_WORDS   2048u
#define LONGEST_WORD 24u

static struct {
    struct fuzz_input *inputs;
    uint32_t count, capacity;
    struct fuzz_input *words; /* of the inputs, for mutants: they point into them */
    uint32_t n_words, words_capacity;
} all;

/* --- the corpus ------------------------------------------------------------------------------- */

void fuzz_seed(const void *data, size_t size)
{
    ARRAY_RESERVE(all.inputs, all.count, all.capacity);
    struct fuzz_input *input = &all.inputs[all.count++];
    input->data = alloc_array(size + 1, 1);
    input->size = size;
    memcpy(input->data, data, size);
}

void fuzz_seed_text(const char *text)
{
    fuzz_seed(text, strlen(text));
}

void fuzz_seed_file(const char *path)
{
    struct error err = {0};
    size_t size;
    uint8_t *data = read_file(path, &size, &err);
    fuzz_expect(data != NULL, err.text);
    fuzz_seed(data, size < FUZZ_LONGEST ? size : FUZZ_LONGEST);
    free(data);
}

static uint32_t hex(char c)
{
    return isdigit((unsigned char)c) ? (uint32_t)(c - '0') : (uint32_t)(tolower(c) - 'a' + 10);
}

/* Takes the escapes out of a line. */
static size_t unescape(char *line)
{
    size_t n = 0;
    for (const char *at = line; *at; at++) {
        if (*at != '\\') {
            line[n++] = *at;
            continue;
        }
        at++;
        if (*at == 'x' && isxdigit((unsigned char)at[1]) && isxdigit((unsigned char)at[2])) {
            line[n++] = (char)(hex(at[1]) << 4 | hex(at[2]));
            at += 2;
        } else {
            fuzz_expect(*at == 'n' || *at == 't' || *at == '\\', "an escape of the corpus");
            line[n++] = *at == 'n' ? '\n' : *at == 't' ? '\t' : '\\';
        }
    }
    return n;
}

void inputs_print(FILE *to, const uint8_t *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (data[i] == '\n')
            fputs("\\n", to);
        else if (data[i] == '\t')
            fputs("\\t", to);
        else if (data[i] == '\\')
            fputs("\\\\", to);
        else if (data[i] >= ' ' && data[i] < 127 && !(i == 0 && data[i] == '#'))
            fputc(data[i], to);
        else
            fprintf(to, "\\x%02x", data[i]);
    }
    fputc('\n', to);
}

static void read_corpus(void)
{
    char path[128], *line = NULL;
    size_t room = 0;
    snprintf(path, sizeof path, "tests/fuzz/corpus/%s.txt", fuzz_target.name);
    FILE *file = fopen(path, "r");
    while (file && getline(&line, &room, file) > 0) {
        line[strcspn(line, "\n")] = '\0';
        if (*line != '#')
            fuzz_seed(line, unescape(line));
    }
    free(line);
    if (file)
        fclose(file);
}

/* Words and numbers of the inputs: a mutant that has them gets further. */
static void find_words(const struct fuzz_input *input)
{
    for (size_t i = 0; i < input->size && all.n_words < MOST_WORDS;) {
        size_t n = 0;
        while (i + n < input->size && n < LONGEST_WORD &&
               (isalnum(input->data[i + n]) || strchr("_.%-", input->data[i + n])) &&
               input->data[i + n])
            n++;
        if (n > 1) {
            ARRAY_RESERVE(all.words, all.n_words, all.words_capacity);
            all.words[all.n_words++] = (struct fuzz_input){input->data + i, n};
        }
        i += n + 1;
    }
}

void inputs_load(void)
{
    read_corpus();
    if (fuzz_target.seeds)
        fuzz_target.seeds();
    fuzz_expect(all.count > 0, "the target has inputs");
    for (uint32_t i = 0; i < all.count; i++)
        find_words(&all.inputs[i]);
}

void inputs_free(void)
{
    for (uint32_t i = 0; i < all.count; i++)
        free(all.inputs[i].data);
    free(all.inputs);
    free(all.words);
    memset(&all, 0, sizeof all);
}

uint32_t inputs_count(void)
{
    return all.count;
}

const struct fuzz_input *inputs_at(uint32_t index)
{
    return &all.inputs[index];
}

/* --- mutants ---------------------------------------------------------------------------------- */

static const char *const numbers[] = {"0",
                                      "1",
                                      "-1",
                                      "255",
                                      "256",
                                      "65535",
                                      "65536",
                                      "2147483648",
                                      "4294967295",
                                      "4294967296",
                                      "9223372036854775807",
                                      "18446744073709551615",
                                      "18446744073709551616",
                                      "0x",
                                      "1e999",
                                      "nan",
                                      "0.1",
                                      "",
                                      "=",
                                      ",",
                                      "\n",
                                      "\"",
                                      "{",
                                      "}"};

static const uint64_t values[] = {0,          1,          2,         7,          8,
                                  0x7F,       0x80,       0xFF,      0x100,      0x7FFF,
                                  0x8000,     0xFFFF,     0x10000,   0x7FFFFFFF, 0x80000000,
                                  UINT32_MAX, 1ull << 32, INT64_MAX, 1ull << 63, UINT64_MAX};

/* Replaces `old` bytes at `at` by `n` others. */
static size_t replace(uint8_t *data, size_t size, size_t at, size_t old, const uint8_t *bytes,
                      size_t n)
{
    if (size - old + n > FUZZ_LONGEST)
        return size;
    memmove(data + at + n, data + at + old, size - at - old);
    memcpy(data + at, bytes, n);
    return size - old + n;
}

static size_t put_word(struct rng *rng, uint8_t *data, size_t size, size_t at)
{
    const char *number = numbers[rng_below(rng, sizeof numbers / sizeof *numbers)];
    struct fuzz_input word = {(uint8_t *)(uintptr_t)number, strlen(number)};
    if (all.n_words && rng_chance(rng, 2, 3))
        word = all.words[rng_below(rng, all.n_words)];
    size_t old = 0;
    if (rng_chance(rng, 2, 3)) /* in the place of one */
        while (at + old < size && isalnum(data[at + old]))
            old++;
    return replace(data, size, at, old, word.data, word.size);
}

static size_t put_value(struct rng *rng, uint8_t *data, size_t size, size_t at)
{
    uint64_t value = values[rng_below(rng, sizeof values / sizeof *values)];
    size_t n = (size_t)1 << rng_below(rng, 4);
    if (rng_chance(rng, 1, 2))
        at -= at % n;
    if (at + n > size)
        return size;
    if (rng_chance(rng, 1, 4))
        value = __builtin_bswap64(value) >> (64 - 8 * n);
    if (rng_chance(rng, 1, 3)) {
        uint64_t old = 0;
        memcpy(&old, data + at, n);
        value = old + rng_below(rng, 17) - 8;
    }
    memcpy(data + at, &value, n);
    return size;
}

/* A piece of an input, or of the mutant itself. */
static size_t splice(struct rng *rng, uint8_t *data, size_t size, size_t at)
{
    uint8_t piece[4096];
    const struct fuzz_input *from = &all.inputs[rng_below(rng, all.count)];
    const struct fuzz_input self = {data, size};
    if (rng_chance(rng, 1, 2))
        from = &self;
    if (!from->size)
        return size;
    size_t begin = rng_below(rng, (uint32_t)from->size);
    size_t most = from->size - begin < sizeof piece ? from->size - begin : sizeof piece;
    size_t n = 1 + rng_below(rng, (uint32_t)(rng_chance(rng, 3, 4) && most > 32 ? 32 : most));
    n = n < most ? n : most;
    memcpy(piece, from->data + begin, n);
    size_t old = rng_chance(rng, 1, 2) ? 0 : (n < size - at ? n : size - at);
    return replace(data, size, at, old, piece, n);
}

static size_t change(struct rng *rng, uint8_t *data, size_t size)
{
    uint8_t byte = (uint8_t)rng_u64(rng);
    size_t at = rng_below(rng, (uint32_t)size + 1), left = size - at;
    switch (rng_below(rng, 8)) {
    case 0:
        if (left)
            data[at] ^= (uint8_t)(1u << rng_below(rng, 8));
        return size;
    case 1:
        if (left)
            data[at] = byte;
        return size;
    case 2:
        return replace(data, size, at, 0, &byte, 1);
    case 3:
        return replace(data, size, at,
                       left ? 1 + rng_below(rng, (uint32_t)(left < 64 ? left : 64)) : 0, &byte, 0);
    case 4:
        return put_value(rng, data, size, at);
    case 5:
        return rng_chance(rng, 1, 8) ? at : size; /* cut off */
    case 6:
        return splice(rng, data, size, at);
    default:
        return put_word(rng, data, size, at);
    }
}

size_t inputs_mutant(struct rng *rng, uint8_t *data)
{
    const struct fuzz_input *input = &all.inputs[rng_below(rng, all.count)];
    size_t size = input->size;
    memcpy(data, input->data, size);
    for (uint32_t n = 1 + rng_below(rng, rng_chance(rng, 1, 4) ? 16 : 3); n; n--)
        size = change(rng, data, size);
    return size;
}
