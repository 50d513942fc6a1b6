/* A C program whose only CUDA is behind one extern "C" function, linked by gcc. */
#include "check.h"
#include "network.h"

int main(void)
{
    static float input[IN], weights[IN * WIDTH], hidden[WIDTH], want[WIDTH];
    unsigned seed = 3;
    for (int i = 0; i < IN; i++)
        input[i] = next_float(&seed);
    for (int i = 0; i < IN * WIDTH; i++)
        weights[i] = next_float(&seed) * 0.02f - 0.01f;
    forward_on_host(input, weights, want);
    forward_on_gpu(input, weights, hidden);
    int ok = 1;
    for (int h = 0; h < WIDTH; h++)
        ok = ok && near(hidden[h], want[h], 1e-5);
    return verdict("backprop", ok);
}
