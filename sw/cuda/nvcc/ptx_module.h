/* A PTX text cut into its declarations, and names changed in such a text. */
#ifndef EVGPU_NVCC_PTX_MODULE_H
#define EVGPU_NVCC_PTX_MODULE_H

#include <stdbool.h>

#include "sw/cuda/nvcc/list.h"

enum ptx_kind {
    PTX_HEADER, /* .version, .target, .address_size */
    PTX_FILE,   /* .file NUMBER "NAME" */
    PTX_DEBUG,  /* .section */
    PTX_VARIABLE,
    PTX_FUNCTION,
    PTX_ENTRY,
};

enum ptx_linkage { PTX_LOCAL, PTX_EXTERN, PTX_VISIBLE, PTX_WEAK, PTX_COMMON };

struct ptx_item {
    enum ptx_kind kind;
    enum ptx_linkage linkage;
    bool shared;      /* a variable in .shared */
    const char *name; /* of a variable or function; otherwise "" */
    const char *text; /* up to and with its ';' or '}' or end of line */
    size_t length;
    size_t head; /* length without a function's body; `length` where it has none */
};

struct ptx_module {
    struct ptx_item *items;
    size_t count;
};

/* `text` must outlive the module. `file` is for messages. */
struct ptx_module ptx_parse(const char *text, const char *file);

/* Adds the identifiers of an initialiser. */
void ptx_names(const char *text, struct list *names);

/* The text with every identifier from[i] replaced by to[i]; where `files` is not NULL, file numbers
 * of .loc lines go through it: number n becomes files[n], for n < n_files. */
char *ptx_rename(const char *from_text, size_t length, const struct list *from,
                 const struct list *to, const unsigned *files, size_t n_files);

#endif
