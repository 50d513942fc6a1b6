/* Included by every unit test: cmocka, and the headers that its own header asks for. */
#ifndef EVGPU_TESTS_UNIT_H
#define EVGPU_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#endif
