/* Around calls of nvcc's parts, which give nothing back before it ends: what they leave is no leak
 * of the test. */
#ifndef EVGPU_TESTS_LEAKS_H
#define EVGPU_TESTS_LEAKS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__AFL_COMPILER)
#include <sanitizer/lsan_interface.h>
#define KEEP_BEGIN() __lsan_disable()
#define KEEP_END()   __lsan_enable()
#else
#define KEEP_BEGIN()
#define KEEP_END()
#endif

#endif
