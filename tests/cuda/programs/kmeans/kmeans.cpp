#include <vector>

#include "check.h"

extern "C" void assign_on_gpu(const float *features, const float *clusters, int points, int clusters_n,
                              int features_n, int *membership);

int main()
{
    const int points = 2000, clusters = 5, features = 8;
    std::vector<float> data(points * features), centres(clusters * features);
    std::vector<int> membership(points, -1);
    unsigned seed = 11;
    for (size_t i = 0; i < data.size(); i++)
        data[i] = next_float(&seed);
    for (size_t i = 0; i < centres.size(); i++)
        centres[i] = next_float(&seed);
    assign_on_gpu(data.data(), centres.data(), points, clusters, features, membership.data());
    int wrong = 0;
    for (int p = 0; p < points; p++) {
        float best = 3.4e38f;
        int index = -1;
        for (int c = 0; c < clusters; c++) {
            float sum = 0;
            for (int f = 0; f < features; f++) {
                float d = data[p * features + f] - centres[c * features + f];
                sum += d * d;
            }
            if (sum < best) {
                best = sum;
                index = c;
            }
        }
        wrong += membership[p] != index;
    }
    /* Sums may round otherwise where two centres are nearly as far. */
    return verdict("kmeans", wrong <= 2);
}
