// Counted checks; all parts of a program count together. With an argument a program ends after the
// first part.
#ifndef EVGPU_TESTS_CHECKS_H
#define EVGPU_TESTS_CHECKS_H

#include <cstdio>

inline int failures, checks;

// The first failures say where they are, by up to two numbers.
inline void expect(bool ok, const char *what, double a = 0, double b = 0)
{
    checks++;
    if (!ok && failures++ < 20)
        printf("wrong: %s: %.9g, %.9g\n", what, a, b);
}

// Prints it; what main returns.
inline int verdict()
{
    printf("%d checks, %d failures\n%s\n", checks, failures, failures ? "FAILED" : "PASSED");
    return failures != 0;
}

#endif
