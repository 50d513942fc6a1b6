/* Inside of libnvrtc.
 *
 * program.c   the calls of nvrtc.h
 * compile.c   one compilation: files, nvcc, its log and its PTX
 * options.c   NVRTC's options as nvcc's
 * names.c     name expressions: to source text, and from PTX
 * words.c     lists of words and texts that grow */
#ifndef EVGPU_CUDA_NVRTC_PROGRAM_H
#define EVGPU_CUDA_NVRTC_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>

#include "sw/cuda/include/nvrtc.h"

struct words {
    char **at; /* each of its own, and behind the last NULL */
    size_t count;
};

struct header {
    char *name, *text;
};

struct expression {
    char *text, *lowered; /* NULL before compilation */
};

struct _nvrtcProgram {
    char *source, *name;
    struct header *headers;
    size_t n_headers;
    struct expression *expressions;
    size_t n_expressions;
    char *macros;        /* directives for those of the options; NULL: not compiled yet */
    char *ptx, *log;     /* of the last compilation; NULL: none, or it failed */
    bool compiled;       /* tried, with success or without */
    bool real;           /* for sm_NN */
    bool default_device; /* functions without qualifiers are device functions */
};

/* words.c: memory that is not there ends the process, as in nvcc. */
char *words_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void words_add(struct words *words, char *word); /* takes it */
void words_free(struct words *words);
/* The text, which it frees, with each `old` replaced; `with` may be empty. */
char *words_replace(char *text, const char *old, const char *with);

/* options.c: nvcc's words for them; false with the program's log set. */
bool options_translate(nvrtcProgram prog, int count, const char *const *options,
                       struct words *words);

/* names.c: source text behind the program's, to be freed. */
char *names_source(const struct _nvrtcProgram *prog);
/* Takes the names from the PTX and that source's variables out of it. False: one is not there. */
bool names_take(nvrtcProgram prog);

/* compile.c */
nvrtcResult compile_program(nvrtcProgram prog, int count, const char *const *options);
/* What nvcc prints for the words, to be freed; NULL: it cannot be started or fails. */
char *compile_ask(const char *word);

#endif
