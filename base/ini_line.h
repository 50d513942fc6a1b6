/* Lines of INI files for inih, which takes them for texts. */
#ifndef EVGPU_BASE_INI_LINE_H
#define EVGPU_BASE_INI_LINE_H

/* As fgets() of a FILE, which is `stream`, but a NUL becomes '?': it would hide what stands behind
 * it, so that half of a number is taken for a whole one. */
char *ini_line(char *text, int size, void *stream);

#endif
