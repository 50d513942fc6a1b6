/* Clustering by k-means, as Rodinia's kmeans does it: the points are turned once so that a feature
 * of neighbouring points lies side by side; then every launch gives each point to the nearest
 * centre, and the host moves the centres. Blocks of 256 threads, a thread for each point. Features
 * are read through a texture, centres lie in constant memory. */
#define CENTRE_VALUES 4096 /* clusters x features at most: 16 KiB */

__constant__ float kmeans_centres[CENTRE_VALUES];

/* turned[feature][point] = features[point][feature]. A grid of one dimension. */
extern "C" __global__ void kmeans_turn(const float *__restrict__ features, float *turned,
                                       unsigned points, unsigned count)
{
    unsigned point = blockIdx.x * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    for (unsigned f = 0; f < count; f++)
        turned[point + points * f] = features[point * count + f];
}

/* membership[point]: the centre with the least square distance, the first of equal ones. A grid of
 * two dimensions. */
extern "C" __global__ void kmeans_assign(cudaTextureObject_t turned, unsigned points,
                                         unsigned count, unsigned clusters, unsigned *membership)
{
    unsigned block = gridDim.x * blockIdx.y + blockIdx.x;
    unsigned point = block * blockDim.x + threadIdx.x;
    if (point >= points)
        return;
    float least = 3.40282347e+38f; /* the greatest float */
    unsigned nearest = 0;
    for (unsigned c = 0; c < clusters; c++) {
        float distance = 0.0f;
        for (unsigned f = 0; f < count; f++) {
            float apart = tex1Dfetch<float>(turned, (int)(point + points * f)) -
                          kmeans_centres[c * count + f];
            distance = fmaf(apart, apart, distance);
        }
        if (distance < least) {
            least = distance;
            nearest = c;
        }
    }
    membership[point] = nearest;
}
