#include <helper_math.h>

#include "vectors.h"

bool on_host()
{
    return vectors_hold();
}
