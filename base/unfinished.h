/* Files that are being written under names of their own (base/output.h): a signal that ends the
 * process removes them. */
#ifndef EVGPU_BASE_UNFINISHED_H
#define EVGPU_BASE_UNFINISHED_H

/* From the first one on, SIGINT, SIGTERM and SIGHUP remove what is noted and then end the process,
 * unless it has chosen something else for them. The name stays until it is forgotten. */
void unfinished_note(char *path);
void unfinished_forget(const char *path); /* NULL: none */

#endif
