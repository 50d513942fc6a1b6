/* Result table and statistics file of `evgpu run`. */
#ifndef EVGPU_CLI_RUN_RUN_REPORT_H
#define EVGPU_CLI_RUN_RUN_REPORT_H

#include <jansson.h>

#include "sim/system/machine.h"

void run_report_print(struct machine *m, double wall);

/* Simulated quantities only: equal runs give equal files, whatever the tile back end. */
json_t *run_report_json(struct machine *m, const char *end);

/* Where the time went, on the error stream: of `all` guests, or else not of programs that failed
 * nor of services beside one, so that what a program said stays the last. done: the run came to its
 * end; verified: with every result right. */
void run_report_profiles(struct machine *m, bool all, bool done, bool verified);

/* With --timing, on the error stream: names of kernels of which there were none; and `untimed`, for
 * an attached program, whose own times are all that its user sees, what these do not contain. */
void run_report_timing(struct machine *m, bool untimed);

/* What --check has found, on the error stream; false: nothing. An attached program (its socket, or
 * -1) learns of it by a byte. */
bool run_report_mistakes(struct machine *m, int attached);

#endif
