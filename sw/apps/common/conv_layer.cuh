/* A convolution layer as cuda-convnet's filterActs_YxX kernels compute it (conv_layer.h has the
 * layout of the arrays). Block 32 x 4: 32 * IMAGES images times 4 * FILTERS filters at one module.
 * A step brings 4 pixels of CACHED colours into shared memory, of these images and these filters,
 * and every thread multiplies and adds IMAGES x FILTERS values. Grid: images, then modules times
 * blocks of filters. */
#define BLOCK_X 32
#define BLOCK_Y 4

/* What a kernel is told of the layer. */
struct layer {
    unsigned images, filters, image_side, filter_side, padding, stride, modules_side, group_colours,
        groups;
};

/* 4 pixels from `pixel` on of CACHED colours from `colour` on, for the block's filters from `first`
 * on; zeros beyond the last pixel. */
template <unsigned FILTERS, unsigned CACHED>
__device__ static void load_filters(const layer &l, const float *filters, unsigned first,
                                    unsigned colour, unsigned pixel,
                                    float to[BLOCK_Y * CACHED][BLOCK_Y * FILTERS])
{
    unsigned thread = threadIdx.y * BLOCK_X + threadIdx.x, pixels = l.filter_side * l.filter_side;
    unsigned row = thread / (BLOCK_Y * FILTERS), column = thread % (BLOCK_Y * FILTERS);
    if (row >= BLOCK_Y)
        return;
#pragma unroll
    for (unsigned c = 0; c < CACHED; c++)
        to[row + c * BLOCK_Y][column] =
            pixel + row < pixels
                ? filters[((colour + c) * pixels + pixel + row) * l.filters + first + column]
                : 0.0f;
}

/* The same pixels of the block's images under the filter; zeros in the padding, beyond the last
 * pixel, and beyond the last image. A row of threads loads one pixel. */
template <unsigned IMAGES, unsigned CACHED>
__device__ static void load_images(const layer &l, const float *images, unsigned module,
                                   unsigned colour, unsigned pixel,
                                   float to[BLOCK_Y * CACHED][BLOCK_X * IMAGES])
{
    unsigned first = blockIdx.x * BLOCK_X * IMAGES + threadIdx.x;
    unsigned at = pixel + threadIdx.y;
    unsigned y = module / l.modules_side * l.stride + at / l.filter_side - l.padding;
    unsigned x = module % l.modules_side * l.stride + at % l.filter_side - l.padding;
    bool inside = at < l.filter_side * l.filter_side && y < l.image_side && x < l.image_side;
#pragma unroll
    for (unsigned i = 0; i < IMAGES; i++)
#pragma unroll
        for (unsigned c = 0; c < CACHED; c++)
            to[threadIdx.y + c * BLOCK_Y][threadIdx.x + i * BLOCK_X] =
                inside && (IMAGES > 1 || first < l.images)
                    ? images[(((colour + c) * l.image_side + y) * l.image_side + x) * l.images +
                             first + i * BLOCK_X]
                    : 0.0f;
}

template <unsigned IMAGES, unsigned FILTERS, unsigned CACHED>
__device__ static void filter_acts(const float *images, const float *filters, float *targets,
                                   const layer &l)
{
    __shared__ float some_filters[BLOCK_Y * CACHED][BLOCK_Y * FILTERS];
    __shared__ float some_images[BLOCK_Y * CACHED][BLOCK_X * IMAGES];
    unsigned blocks = l.filters / (BLOCK_Y * FILTERS), modules = l.modules_side * l.modules_side;
    unsigned module = blockIdx.y / blocks, first = blockIdx.y % blocks * (BLOCK_Y * FILTERS);
    unsigned group = first / (l.filters / l.groups);
    float sum[FILTERS][IMAGES] = {};

    for (unsigned colour = 0; colour < l.group_colours; colour += CACHED)
        for (unsigned pixel = 0; pixel < l.filter_side * l.filter_side; pixel += BLOCK_Y) {
            load_filters<FILTERS, CACHED>(l, filters, first, colour, pixel, some_filters);
            load_images<IMAGES, CACHED>(l, images, module, group * l.group_colours + colour, pixel,
                                        some_images);
            __syncthreads();
#pragma unroll
            for (unsigned row = 0; row < BLOCK_Y * CACHED; row++)
#pragma unroll
                for (unsigned f = 0; f < FILTERS; f++)
#pragma unroll
                    for (unsigned i = 0; i < IMAGES; i++)
                        sum[f][i] = fmaf(some_images[row][i * BLOCK_X + threadIdx.x],
                                         some_filters[row][threadIdx.y + f * BLOCK_Y], sum[f][i]);
            __syncthreads();
        }

    unsigned image = blockIdx.x * BLOCK_X * IMAGES + threadIdx.x;
#pragma unroll
    for (unsigned i = 0; i < IMAGES; i++)
#pragma unroll
        for (unsigned f = 0; f < FILTERS; f++)
            if (IMAGES > 1 || image < l.images)
                targets[((first + threadIdx.y + f * BLOCK_Y) * modules + module) * l.images +
                        image + i * BLOCK_X] = sum[f][i];
}
