/* What every point would save or lose if point x became a centre: the kernel of Rodinia's
 * streamcluster. Blocks of 512 threads, a thread for each point; coordinates lie side by side for
 * neighbouring points, those of x are read by all at once. */
struct point {
    float weight;
    unsigned long long first; /* the host's */
    long long centre;         /* the point that it belongs to */
    float cost;               /* weight times square distance to that */
};

/* `savings` has a row of centres + 1 values for each point, zeros at first. A point nearer to x
 * than to its centre is marked in `moves` and puts at the row's end by how much its cost changes
 * (below 0); another one puts at its centre's place, place[c] for point c, what it would save by
 * moving all the same (0 or below), if that centre were closed. */
extern "C" __global__ void streamcluster_cost(unsigned points, unsigned dimensions, unsigned x,
                                              struct point *all, unsigned centres,
                                              const float *__restrict__ coordinates, float *savings,
                                              const unsigned *__restrict__ place,
                                              unsigned char *moves)
{
    unsigned i = blockDim.x * (blockIdx.x + gridDim.x * blockIdx.y) + threadIdx.x;
    if (i >= points)
        return;
    float distance = 0.0f;
    for (unsigned d = 0; d < dimensions; d++) {
        float apart = coordinates[d * points + i] - coordinates[d * points + x];
        distance = fmaf(apart, apart, distance);
    }
    float *row = savings + (size_t)i * (centres + 1);
    float cost = distance * all[i].weight;
    if (cost < all[i].cost) {
        moves[i] = 1;
        row[centres] += cost - all[i].cost;
    } else {
        row[place[all[i].centre]] += all[i].cost - cost;
    }
}
