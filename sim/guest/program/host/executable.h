/* The file that a program's command names. */
#ifndef EVGPU_GUEST_PROGRAM_HOST_EXECUTABLE_H
#define EVGPU_GUEST_PROGRAM_HOST_EXECUTABLE_H

#include <stdbool.h>

/* The command is words and blanks: it needs no shell between us and the program. */
bool executable_is_plain(const char *command);

#endif
