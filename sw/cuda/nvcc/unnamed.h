/* Device variables of namespaces without a name: "namespace { __device__ int x; }". clang 14 leaves
 * out those that only the host names or that kernels only write, and the host then finds none. It
 * keeps static ones. */
#ifndef EVGPU_NVCC_UNNAMED_H
#define EVGPU_NVCC_UNNAMED_H

/* The text with such variables static, in as many lines; the same pointer: it has none. */
char *unnamed_mend(char *bytes);

#endif
