/* The number of a policy in its table, by name. */
#ifndef EVGPU_TESTS_MEM_POLICY_NUMBER_H
#define EVGPU_TESTS_MEM_POLICY_NUMBER_H

#include <stdint.h>
#include <string.h>

/* `name` is one of the tables' functions: the name of number `index`, NULL after the last. */
static inline uint32_t policy_number(const char *(*name)(uint32_t index), const char *wanted)
{
    uint32_t index = 0;
    while (name(index) && strcmp(name(index), wanted) != 0)
        index++;
    return index;
}

#endif
