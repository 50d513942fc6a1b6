/* A convolution layer as cuda-convnet's filterActs_YxX kernels compute it (conv_layer.h has the
 * layout of the arrays). Block 32 x 4: 32 * IMAGES images times 4 * FILTERS filters at one module.
 * A step brings 4 pixels of CACHED colours into shared memory, of these images and these filters,
 * and every thread multiplies and adds IMAGES x FILTERS values. Grid: images, then modules times
 * blocks of filters. */
#define BLOCK_X 32
#define BLOCK_Y 4

/* What a kernel is told of the layer. Parameters are read where they are needed, as hardware has
 * them as operands: a register for each would halve the blocks on a core. */
#define PARAMETER(TYPE, SUFFIX, LETTER, KERNEL, NAME, NUMBER)                                      \
    __device__ __forceinline__ static TYPE NAME()                                                  \
    {                                                                                              \
        TYPE value;                                                                                \
        asm volatile("ld.param." SUFFIX " %0, [" KERNEL "_param_" NUMBER "];"                      \
                     : "=" LETTER(value));                                                         \
        return value;                                                                              \
    }
#define POINTER(KERNEL, NAME, NUMBER)                                                              \
    PARAMETER(__attribute__((address_space(1))) float *, "u64", "l", #KERNEL, NAME, #NUMBER)
#define NUMBER(KERNEL, NAME, NUMBER) PARAMETER(unsigned, "u32", "r", #KERNEL, NAME, #NUMBER)
#define LAYER(KERNEL, GROUP_COLOURS, GROUPS)                                                       \
    struct layer_of_##KERNEL {                                                                     \
        POINTER(KERNEL, image_values, 0)                                                           \
        POINTER(KERNEL, filter_values, 1)                                                          \
        POINTER(KERNEL, target_values, 2)                                                          \
        NUMBER(KERNEL, images, 3)                                                                  \
        NUMBER(KERNEL, filters, 4)                                                                 \
        NUMBER(KERNEL, image_side, 5)                                                              \
        NUMBER(KERNEL, filter_side, 6)                                                             \
        NUMBER(KERNEL, padding, 7)                                                                 \
        NUMBER(KERNEL, stride, 8)                                                                  \
        NUMBER(KERNEL, modules_side, 9)                                                            \
        __device__ static unsigned group_colours()                                                 \
        {                                                                                          \
            return GROUP_COLOURS;                                                                  \
        }                                                                                          \
        __device__ static unsigned groups()                                                        \
        {                                                                                          \
            return GROUPS;                                                                         \
        }                                                                                          \
    };

/* 4 pixels from `pixel` on of CACHED colours from `colour` on, for the block's filters from `first`
 * on; zeros beyond the last pixel. */
template <class L, unsigned FILTERS, unsigned CACHED>
__device__ static void load_filters(unsigned first, unsigned colour, unsigned pixel,
                                    float to[BLOCK_Y * CACHED][BLOCK_Y * FILTERS])
{
    unsigned thread = threadIdx.y * BLOCK_X + threadIdx.x,
             pixels = L::filter_side() * L::filter_side();
    unsigned row = thread / (BLOCK_Y * FILTERS), column = thread % (BLOCK_Y * FILTERS);
    if (row >= BLOCK_Y)
        return;
#pragma unroll
    for (unsigned c = 0; c < CACHED; c++)
        to[row + c * BLOCK_Y][column] =
            pixel + row < pixels
                ? L::filter_values()[((colour + c) * pixels + pixel + row) * L::filters() + first +
                                     column]
                : 0.0f;
}

/* The same pixels of the block's images under the filter; zeros in the padding, beyond the last
 * pixel, and beyond the last image. A row of threads loads one pixel. */
template <class L, unsigned IMAGES, unsigned CACHED>
__device__ static void load_images(unsigned module, unsigned colour, unsigned pixel,
                                   float to[BLOCK_Y * CACHED][BLOCK_X * IMAGES])
{
    unsigned first = blockIdx.x * BLOCK_X * IMAGES + threadIdx.x;
    unsigned at = pixel + threadIdx.y;
    unsigned y = module / L::modules_side() * L::stride() + at / L::filter_side() - L::padding();
    unsigned x = module % L::modules_side() * L::stride() + at % L::filter_side() - L::padding();
    bool inside =
        at < L::filter_side() * L::filter_side() && y < L::image_side() && x < L::image_side();
#pragma unroll
    for (unsigned i = 0; i < IMAGES; i++)
#pragma unroll
        for (unsigned c = 0; c < CACHED; c++)
            to[threadIdx.y + c * BLOCK_Y][threadIdx.x + i * BLOCK_X] =
                inside && (IMAGES > 1 || first < L::images())
                    ? L::image_values()[(((colour + c) * L::image_side() + y) * L::image_side() +
                                         x) *
                                            L::images() +
                                        first + i * BLOCK_X]
                    : 0.0f;
}

template <class L, unsigned IMAGES, unsigned FILTERS, unsigned CACHED>
__device__ static void filter_acts()
{
    __shared__ float some_filters[BLOCK_Y * CACHED][BLOCK_Y * FILTERS];
    __shared__ float some_images[BLOCK_Y * CACHED][BLOCK_X * IMAGES];
    unsigned blocks = L::filters() / (BLOCK_Y * FILTERS);
    unsigned module = blockIdx.y / blocks, first = blockIdx.y % blocks * (BLOCK_Y * FILTERS);
    unsigned group = first / (L::filters() / L::groups());
    float sum[FILTERS][IMAGES] = {};

    for (unsigned colour = 0; colour < L::group_colours(); colour += CACHED)
        for (unsigned pixel = 0; pixel < L::filter_side() * L::filter_side(); pixel += BLOCK_Y) {
            load_filters<L, FILTERS, CACHED>(first, colour, pixel, some_filters);
            load_images<L, IMAGES, CACHED>(module, group * L::group_colours() + colour, pixel,
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
    unsigned modules = L::modules_side() * L::modules_side();
#pragma unroll
    for (unsigned i = 0; i < IMAGES; i++)
#pragma unroll
        for (unsigned f = 0; f < FILTERS; f++)
            if (IMAGES > 1 || image < L::images())
                L::target_values()[((first + threadIdx.y + f * BLOCK_Y) * modules + module) *
                                       L::images() +
                                   image + i * BLOCK_X] = sum[f][i];
}
