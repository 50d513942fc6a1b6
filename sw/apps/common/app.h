/* The common part of our own CUDA programs: options, the driver API with PTX kernels, so that
 * gcc alone builds them, and the comparison of results. An application is
 *
 *     enum { NODES, DEGREE };
 *     struct app_option options[] = {
 *         [NODES] = {"nodes", "nodes (Rodinia: 65536)", .number = 4096, .min = 1, .max = 99999},
 *         ...};
 *     struct app app = {.name = "bfs", .doc = "...", .options = options, .count = 2};
 *     app_start(&app, argc, argv);
 *     ...
 *     return app_end(&app, app_equal(&app, "distance", got, want, nodes));
 *
 * A function that cannot do its work ends the program with one line on stderr. */
#ifndef EVGPU_SW_APP_H
#define EVGPU_SW_APP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sw/cuda/include/cuda.h"

#define APP_WRONG     1 /* exit status: a result differs from the host reference */
#define APP_BAD_INPUT 2 /* options or an input file */
#define APP_NO_GPU    3 /* a call of the driver API has failed */

enum app_option_kind { APP_NUMBER, APP_FLAG, APP_CHOICE, APP_TEXT };

/* --NAME VALUE, or --NAME alone for a flag. Holds the default, and after app_start what was given.
 */
struct app_option {
    const char *name;
    const char *help;
    enum app_option_kind kind;
    uint32_t number;            /* APP_NUMBER; APP_FLAG: 0 or 1; APP_CHOICE: index in `choices` */
    uint32_t min, max;          /* APP_NUMBER: the values allowed */
    const char *const *choices; /* APP_CHOICE: ends with NULL */
    const char *text;           /* APP_TEXT: may be NULL */
};

struct app_held; /* host and device memory that app_end frees */

struct app {
    const char *name; /* its folder in sw/apps */
    const char *doc;  /* for --help: what it does, where its structure and sizes come from */
    struct app_option *options;
    size_t count;
    /* From here on app_start's; the seed is that of --seed, which every application has. */
    uint32_t seed;
    bool quiet; /* only what is wrong is printed */
    struct app_held *held;
    CUcontext context;
    CUmodule module;
};

/* Reads the options. Arguments without a name are for the options in the order of the table,
 * without flags and choices. The GPU is asked for only with the first kernel or buffer. */
void app_start(struct app *app, int argc, char **argv);

/* Prints the verdict, frees everything that the app holds; the exit status. */
int app_end(struct app *app, bool right);

/* Ends the program with "NAME: TEXT" on stderr. */
void app_fail(const struct app *app, int status, const char *format, ...)
    __attribute__((noreturn, format(printf, 3, 4)));

/* Ends the program when a call has failed. */
#define APP_CALL(call) app_check((call), #call)
void app_check(CUresult result, const char *call);

/* --- memory ---------------------------------------------------------------------------------- */

/* Host memory of zeros, until app_end. */
void *app_memory(struct app *app, size_t count, size_t size);
#define APP_ARRAY(app, type, count) ((type *)app_memory((app), (count), sizeof(type)))

/* The same, pinned, so that the GPU copies from and to it without the host. */
void *app_pinned(struct app *app, size_t count, size_t size);

/* A whole file with a zero behind it, until app_end. */
char *app_file(struct app *app, const char *path, size_t *bytes);

/* Device memory with these contents (NULL: undefined), until app_end. */
CUdeviceptr app_buffer(struct app *app, const void *data, size_t bytes);

/* Device memory with full/empty bits, all empty, until app_end. A machine without it ends the
 * program. */
CUdeviceptr app_empty_buffer(struct app *app, size_t bytes);

/* --- kernels --------------------------------------------------------------------------------- */

/* A kernel of sw/apps/NAME/FILE.ptx, found below the current directory or in the build directory
 * that holds this program. All kernels of an application are of one file. */
CUfunction app_kernel(struct app *app, const char *file, const char *kernel);

/* Dimensions that are 0 count as 1. */
struct app_launch {
    CUfunction kernel;
    uint32_t grid[3], block[3];
    uint32_t shared; /* bytes of dynamic shared memory */
    CUstream stream;
};

/* Arguments: APP_ARGS(&a, &b). */
#define APP_ARGS(...) ((void *[]){__VA_ARGS__})
void app_launch(const struct app_launch *launch, void **arguments);

/* Blocks of so many threads, without dynamic shared memory, that are on the whole GPU at a time. */
uint32_t app_resident_blocks(CUfunction kernel, uint32_t threads);

/* --- results --------------------------------------------------------------------------------- */

/* False, with the first element that differs on stdout. WHAT names the array. Words: integers as
 * they are, floats bit by bit. */
bool app_equal(const struct app *app, const char *what, const uint32_t *got, const uint32_t *want,
               size_t count);
bool app_equal_floats(const struct app *app, const char *what, const float *got, const float *want,
                      size_t count);

/* |got - want| <= absolute + relative * |want|; not a number is never near. */
bool app_near(const struct app *app, const char *what, const float *got, const float *want,
              size_t count, double relative, double absolute);

/* A line "figure NAME VALUE UNIT" on stdout, which the experiment runner reads. */
void app_figure(const char *name, double value, const char *unit);

#endif
