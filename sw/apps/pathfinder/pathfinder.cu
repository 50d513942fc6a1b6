/* Cheapest way through a grid, row by row, in pyramids of rows (Rodinia pathfinder).
 *
 * sums[c] = wall[r][c] + the least of the sums of the row before at c - 1, c, c + 1. One launch takes
 * `rows` rows, the first of which is at `wall`: a block has the sums of 256 neighbouring columns in
 * shared memory, advances them row after row with two barriers each, and loses one column of trust
 * at either side every time. So 256 - 2 * rows columns of a block are written, and blocks overlap by
 * 2 * rows. Block 256; grid of ceil(columns / (256 - 2 * rows)); 0 < rows < 128. */
#define BLOCK 256

extern "C" __global__ void pathfinder(const int *__restrict__ wall, const int *__restrict__ from,
                                      int *__restrict__ to, int columns, int rows)
{
    __shared__ int before[BLOCK];
    __shared__ int sums[BLOCK];
    int x = threadIdx.x;
    int kept = BLOCK - 2 * rows;
    int column = (int)blockIdx.x * kept - rows + x;
    bool inside = column >= 0 && column < columns;
    /* Neighbours that lie outside of the grid are the column itself. */
    int left = column == 0 ? x : x - 1;
    int right = column == columns - 1 ? x : x + 1;
    if (inside)
        before[x] = from[column];
    __syncthreads();
    for (int row = 0; row < rows; row++) {
        bool valid = inside && x > row && x < BLOCK - 1 - row;
        if (valid) {
            int least = min(before[x], min(before[left], before[right]));
            sums[x] = least + wall[row * columns + column];
        }
        __syncthreads();
        if (valid)
            before[x] = sums[x];
        __syncthreads();
    }
    if (inside && x >= rows && x < BLOCK - rows)
        to[column] = before[x];
}
