/* What the commands of `evgpu` share. Exit statuses: 0 everything verified, 1 a run failed or a
 * result differs, 2 bad input. */
#ifndef EVGPU_CLI_CLI_H
#define EVGPU_CLI_CLI_H

#include <argp.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/data_file.h"
#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "sim/system/config.h"
#include "sim/system/run_loop.h"
#include "tb/tile.h"

enum { EXIT_VERIFIED = 0, EXIT_FAILED = 1, EXIT_BAD_INPUT = 2 };

/* The commands (sim/cli/commands.c) and their options. */
int cmd_run(int argc, char **argv);
extern const struct argp run_argp;
int cmd_kernel(int argc, char **argv);
extern const struct argp kernel_argp;
int cmd_bench(int argc, char **argv);
extern const struct argp bench_argp;
int cmd_experiment(int argc, char **argv);
extern const struct argp experiment_argp;
int cmd_compare(int argc, char **argv);
extern const struct argp compare_argp;
int cmd_stats(int argc, char **argv);
extern const struct argp stats_argp;
int cmd_report(int argc, char **argv);
extern const struct argp report_argp;
int cmd_timeline(int argc, char **argv);
extern const struct argp timeline_argp;
int cmd_wave(int argc, char **argv);
extern const struct argp wave_argp;
int cmd_mesh(int argc, char **argv);
extern const struct argp mesh_argp;
int cmd_cputrace(int argc, char **argv);
extern const struct argp cputrace_argp;
int cmd_pktgen(int argc, char **argv);
extern const struct argp pktgen_argp;
int cmd_routes(int argc, char **argv);
extern const struct argp routes_argp;
int cmd_cuda_home(int argc, char **argv);
extern const struct argp cuda_home_argp;
int cmd_config(int argc, char **argv);
extern const struct argp config_argp;
int cmd_manual(int argc, char **argv);
extern const struct argp manual_argp;

/* Prints "evgpu: text" to the error stream and returns `status`. */
int complain(int status, const struct error *err);

#define MAX_OVERRIDES 64
struct machine_choice {
    const char *config_name;
    const char *overrides[MAX_OVERRIDES];
    const char *options[MAX_OVERRIDES]; /* of which each is, or NULL: of --set */
    uint32_t n_overrides;
    uint32_t threads; /* of the simulator; 0: what EVGPU_THREADS says, else 1 */
};
bool load_machine(const struct machine_choice *choice, struct machine_config *config,
                  struct error *err);

#define SET_HELP "override one key of the machine; may be repeated. `evgpu config` lists the keys"
#define THREADS_HELP                                                                               \
    "threads that simulate; `auto`: as many as processors. No result depends on it (1, or what "   \
    "EVGPU_THREADS says)"
/* "auto", "first" or "off". */
bool parse_native(const char *text, enum native_when *when, struct error *err);
/* A number, or "auto". */
bool parse_threads(const char *what, const char *text, uint32_t *threads, struct error *err);

/* "verilator", "model" or "lockstep". */
bool parse_backend(const char *text, enum tile_backend *backend, struct error *err);

/* These, or "serial:PORT" or "serial+verilator:PORT"; *port then points into `text`. */
bool parse_tiles(const char *text, enum tile_backend *backend, const char **port,
                 struct error *err);

/* For the begin of main. At the end of the process, a standard output that did not take everything
 * is an error, which makes status 0 EXIT_FAILED; no file of the process takes the place of a
 * standard stream that is closed; a file beyond the limit of its size is an error of its writer, no
 * signal. */
void guard_outputs(void);

/* The flag that SIGINT, SIGTERM and SIGHUP set; nohup(1) keeps its meaning. */
const volatile sig_atomic_t *catch_interrupts(void);

double wall_seconds(void);
uint64_t peak_memory_mib(void);

/* A progress line on the error stream, at most every half second. */
struct progress {
    double start, last;
    bool terminal, shown;
    const char *what;
    /* The kernel at work: when it was seen first, and how much of it was done then. */
    uint32_t kernel;
    double kernel_since, kernel_share;
};
void progress_start(struct progress *p, const char *what);
void progress_update(void *p, const struct run_target *target);
void progress_end(struct progress *p);

#endif
