/* A fuzz target: one format that evgpu reads from outside, as a test program.
 *
 *   test_NAME                     its inputs and mutants of them, always the same: what `make test`
 *                                 runs
 *   test_NAME FILE...             each file as an input, to look at a crash
 *   test_NAME --unpack FOLDER     the inputs as files, for AFL++
 *   test_NAME --seconds N FOLDER  fresh mutants for so long; an input that crashes or hangs is kept
 *                                 in FOLDER. Under AFL++ (`make fuzz`) it does the mutating.
 *
 * Inputs are the lines of corpus/NAME.txt, with C's escapes \n \t \\ and \xHH, and what the target
 * makes itself. A fault that was found is a line of it. */
#ifndef EVGPU_TESTS_FUZZ_H
#define EVGPU_TESTS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct fuzz_target {
    const char *name;
    /* Reads one input; leaves nothing behind. */
    void (*one)(const uint8_t *data, size_t size);
    /* Adds inputs that are easy to make; NULL: none. */
    void (*seeds)(void);
    uint32_t mutants; /* that `make test` tries */
};

extern const struct fuzz_target fuzz_target; /* of the program */

/* For `seeds`. */
void fuzz_seed(const void *data, size_t size);
void fuzz_seed_text(const char *text);
void fuzz_seed_file(const char *path);

/* A file with these bytes in the target's own folder; the path is good until the program ends, its
 * contents until the next call with the name. */
const char *fuzz_file(const char *name, const void *data, size_t size);

/* The folder. */
const char *fuzz_folder(void);

/* What does not hold is a crash. */
void fuzz_expect(bool holds, const char *what);

/* A reader succeeds without an error or fails with one. */
void fuzz_check(bool ok, const struct error *err);

/* The parts of an input between lines that are "--": at most `most`. */
struct fuzz_part {
    const uint8_t *data;
    size_t size;
};
uint32_t fuzz_parts(const uint8_t *data, size_t size, struct fuzz_part *parts, uint32_t most);

#endif
