/* What a host compiler alone takes from headers for device code and from the driver's. */
#include <cuda.h>

#include <curand_kernel.h>

int states()
{
    curandState *xorwow = nullptr;
    curandStatePhilox4_32_10_t *philox = (curandStatePhilox4_32_10_t *)malloc(sizeof *philox);
    free(philox);
    curandGenerator_t generator = nullptr; /* of curand.h, which the header brings */
    if (generator)
        return 0;
    return (int)sizeof *xorwow;
}
