/* Checks of a program that tests itself: a line and status 1 where one does not hold. */
#ifndef EVGPU_TESTS_CUDA_API_CHECK_H
#define EVGPU_TESTS_CUDA_API_CHECK_H

#include <stdio.h>
#include <stdlib.h>

/* The name of a status, where the library can say it. */
#ifndef STATUS_NAME
#define STATUS_NAME(status) ""
#endif

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            printf("%s:%d: not %s\n", __FILE__, __LINE__, #condition);                             \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* The call returns this error. */
#define GIVES(error, call)                                                                         \
    do {                                                                                           \
        int got_ = (int)(call);                                                                    \
        if (got_ != (int)(error)) {                                                                \
            printf("%s:%d: %s gives %d %s instead of %d\n", __FILE__, __LINE__, #call, got_,       \
                   STATUS_NAME(got_), (int)(error));                                               \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call) GIVES(0, call)

#endif
