/* Temperature of a chip (Rodinia hotspot): every cell changes with its power, its four neighbours
 * and the surroundings. A block of 16 x 16 threads keeps its tile in shared memory and takes
 * `steps` steps in one launch; each makes the part of the tile that is right one cell smaller on
 * every side (a pyramid), so a block writes 16 - 2 * steps cells of each row, and tiles overlap. At
 * the edge of the chip a cell has itself as its neighbour.
 *
 * Grid: ceil(side / (16 - 2 * steps)) in both dimensions; steps 1 to 7. The order of operations is
 * that of sw/apps/hotspot/hotspot.c, so that the results are equal bit by bit. */
#define BLOCK 16

extern "C" __global__ void hotspot(const float *__restrict__ power, const float *__restrict__ from,
                                   float *__restrict__ to, int side, int steps, float step,
                                   float rx, float ry, float rz, float ambient)
{
    __shared__ float heat[BLOCK][BLOCK];
    int inner = BLOCK - 2 * steps, tx = threadIdx.x, ty = threadIdx.y;
    int x = inner * (int)blockIdx.x - steps + tx, y = inner * (int)blockIdx.y - steps + ty;
    bool inside = x >= 0 && x < side && y >= 0 && y < side;
    float own = inside ? power[y * side + x] : 0.0f, here = inside ? from[y * side + x] : 0.0f;
    heat[ty][tx] = here;
    __syncthreads();
    int north = y > 0 ? ty - 1 : ty, south = y < side - 1 ? ty + 1 : ty;
    int west = x > 0 ? tx - 1 : tx, east = x < side - 1 ? tx + 1 : tx;
    for (int k = 1; k <= steps; k++) {
        bool valid = inside && tx >= k && tx < BLOCK - k && ty >= k && ty < BLOCK - k;
        if (valid) {
            float sum = fmaf(fmaf(-2.0f, here, heat[south][tx] + heat[north][tx]), ry, own);
            sum = fmaf(fmaf(-2.0f, here, heat[ty][east] + heat[ty][west]), rx, sum);
            sum = fmaf(ambient - here, rz, sum);
            here = fmaf(step, sum, here);
        }
        __syncthreads();
        heat[ty][tx] = here;
        __syncthreads();
    }
    if (inside && tx >= steps && tx < BLOCK - steps && ty >= steps && ty < BLOCK - steps)
        to[y * side + x] = here;
}
