/* The namespaces around a place in a source: managed variables of one name in two of them need two
 * labels (managed.h). */
#ifndef EVGPU_NVCC_NAMESPACES_H
#define EVGPU_NVCC_NAMESPACES_H

/* Those in which `end` is, each with its length in front, as in a mangled name: "1a3bee". */
char *namespaces_at(const char *begin, const char *end);

#endif
