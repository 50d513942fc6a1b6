/* Speckle reducing anisotropic diffusion, as the second version of Rodinia's srad does it: a launch
 * of each kernel for an iteration, blocks of 16 x 16 threads, tiles in shared memory. The image is
 * `rows` x `columns`, row-major, both multiples of 16; its edges repeat outwards. Neighbours beyond
 * an edge are read at the edge; the benchmark reads outside the image there and drops what it gets.
 *
 * Every a * b + c is one fused operation, so that the host (sw/apps/srad/srad.c) gives the same
 * bits; a part is in double precision, as in the benchmark. */
#define SIDE 16

/* Differences to the four neighbours, and the coefficient of diffusion in 0 .. 1, of every pixel.
 */
extern "C" __global__ void srad_coefficient(const float *__restrict__ image, float *north,
                                            float *south, float *west, float *east,
                                            float *coefficient, unsigned columns, float speckle)
{
    __shared__ float tile[SIDE][SIDE], result[SIDE][SIDE];
    __shared__ float above[SIDE][SIDE], below[SIDE][SIDE];
    __shared__ float left[SIDE][SIDE], right[SIDE][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned corner = columns * SIDE * blockIdx.y + SIDE * blockIdx.x; /* of the block */
    unsigned pixel = corner + columns * y + x;
    bool first_row = blockIdx.y == 0, last_row = blockIdx.y == gridDim.y - 1;
    bool first_column = blockIdx.x == 0, last_column = blockIdx.x == gridDim.x - 1;

    above[y][x] = image[first_row ? corner + x : corner + x - columns];
    below[y][x] = image[corner + columns * (last_row ? SIDE - 1 : SIDE) + x];
    __syncthreads();
    left[y][x] = image[first_column ? corner + columns * y : corner + columns * y - 1];
    right[y][x] = image[corner + columns * y + (last_column ? SIDE - 1 : SIDE)];
    __syncthreads();
    tile[y][x] = image[pixel];
    __syncthreads();

    float here = tile[y][x];
    float n = (y == 0 ? above[y][x] : tile[y - 1][x]) - here;
    float s = (y == SIDE - 1 ? below[y][x] : tile[y + 1][x]) - here;
    float w = (x == 0 ? left[y][x] : tile[y][x - 1]) - here;
    float e = (x == SIDE - 1 ? right[y][x] : tile[y][x + 1]) - here;

    float gradient = fmaf(e, e, fmaf(w, w, fmaf(s, s, n * n))) / (here * here);
    float laplacian = (n + s + w + e) / here;
    float over = (float)fma(-1.0 / 16.0, (double)(laplacian * laplacian), 0.5 * (double)gradient);
    float under = (float)fma(0.25, (double)laplacian, 1.0);
    float variation = over / (under * under);
    float apart = (variation - speckle) / fmaf(speckle, speckle, speckle);
    float c = (float)(1.0 / (1.0 + (double)apart));
    result[y][x] = c < 0.0f ? 0.0f : c > 1.0f ? 1.0f : c;
    __syncthreads();

    coefficient[pixel] = result[y][x];
    east[pixel] = e;
    west[pixel] = w;
    south[pixel] = s;
    north[pixel] = n;
}

extern "C" __global__ void
srad_update(float *image, const float *__restrict__ north, const float *__restrict__ south,
            const float *__restrict__ west, const float *__restrict__ east,
            const float *__restrict__ coefficient, unsigned columns, float lambda)
{
    __shared__ float tile[SIDE][SIDE], result[SIDE][SIDE];
    __shared__ float here[SIDE][SIDE], below[SIDE][SIDE], right[SIDE][SIDE];
    unsigned x = threadIdx.x, y = threadIdx.y;
    unsigned corner = columns * SIDE * blockIdx.y + SIDE * blockIdx.x;
    unsigned pixel = corner + columns * y + x;
    bool last_row = blockIdx.y == gridDim.y - 1, last_column = blockIdx.x == gridDim.x - 1;

    tile[y][x] = image[pixel];
    __syncthreads();
    below[y][x] = coefficient[corner + columns * (last_row ? SIDE - 1 : SIDE) + x];
    __syncthreads();
    right[y][x] = coefficient[corner + columns * y + (last_column ? SIDE - 1 : SIDE)];
    __syncthreads();
    here[y][x] = coefficient[pixel];
    __syncthreads();

    float c = here[y][x];
    float c_south = y == SIDE - 1 ? below[y][x] : here[y + 1][x];
    float c_east = x == SIDE - 1 ? right[y][x] : here[y][x + 1];
    float divergence = fmaf(c_east, east[pixel],
                            fmaf(c, west[pixel], fmaf(c_south, south[pixel], c * north[pixel])));
    result[y][x] = (float)fma(0.25 * (double)lambda, (double)divergence, (double)tile[y][x]);
    __syncthreads();
    image[pixel] = result[y][x];
}
