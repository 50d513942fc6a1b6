#include "network.h"

#include <math.h>

float squash(float x)
{
    return 1.0f / (1.0f + expf(-x));
}

void forward_on_host(const float *input, const float *weights, float *hidden)
{
    for (int h = 0; h < WIDTH; h++) {
        float sum = 0.0f;
        for (int i = 0; i < IN; i++)
            sum += weights[i * WIDTH + h] * input[i];
        hidden[h] = squash(sum);
    }
}
