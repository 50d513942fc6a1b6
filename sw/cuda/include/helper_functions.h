/* What sample programs include for everything that is not CUDA's. Our own; a program's copy comes
 * first. */
#ifndef EVGPU_CUDA_HELPER_FUNCTIONS_H
#define EVGPU_CUDA_HELPER_FUNCTIONS_H

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include <exception.h>
#include <helper_image.h>
#include <helper_string.h>
#include <helper_timer.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

#endif
