/* Macros that stand for a pragma: "#define UNROLL #pragma unroll". nvcc's own front end reads what
 * the preprocessor has written, and finds a pragma there; for clang it is none. */
#ifndef EVGPU_NVCC_PRAGMAS_H
#define EVGPU_NVCC_PRAGMAS_H

/* The text with _Pragma in their place, in as many lines; the text itself: there is none. */
char *pragmas_mend(char *bytes);

#endif
