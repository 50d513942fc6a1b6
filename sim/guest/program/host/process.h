/* The process of a program: its start, its control channel, its end. Owner: process.c. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_PROCESS_H
#define EVGPU_GUEST_PROGRAM_HOST_PROCESS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

struct program;
struct program_options;

struct program_process {
    char *command;       /* NULL: attached */
    char *library;       /* folder of the client library, or NULL */
    char *applications;  /* folder where the command is looked for behind PATH, or NULL */
    bool silent;         /* says nothing */
    char title[64];      /* file that an attached process runs; empty: not known */
    int control;         /* control channel; -1: closed */
    pid_t child;         /* 0: none */
    int status;          /* for exit(): 128 + n when signal n has ended it */
    bool exited;         /* no channel of it is open, and it has been waited for */
    bool reaped, killed; /* waited for; a signal has ended it */
    char death[160];     /* how it died; empty: in order */
};

void process_init(struct program *p, const struct program_options *options);
void process_free(struct program *p);

bool process_start(struct program *p, struct error *err);
/* The next process may start. */
void process_reset(struct program *p);

/* Takes the messages of the process, and its end, waiting up to `ms` of real time for the first. */
void process_receive(struct program *p, int ms);

/* An attached process is gone. */
void process_over(struct program *p);
/* Closes its channels, asks it to end, and after some time kills it. */
void process_end(struct program *p);
/* Kills it, as if it had ended with status 0. */
void process_dismiss(struct program *p);

/* Takes the title of an attached process from the file that `pid` runs. */
void process_take_title(struct program *p, pid_t pid);

const char *process_title(const struct program *p); /* or the guest's name */
bool process_exited(const struct program *p);
int process_status(const struct program *p);
const char *process_death(const struct program *p); /* "was ended by ..."; NULL: in order */

uint64_t process_now_ms(void); /* real time */

#endif
