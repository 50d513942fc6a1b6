/* Shapes that host and device share: how the elements of a transform lie in memory. */
#ifndef EVGPU_CUDA_FFT_SHAPE_H
#define EVGPU_CUDA_FFT_SHAPE_H

#define FFT_THREADS 128
#define FFT_RANK    3 /* dimensions at most; a transform of fewer has sizes of 1 in front */

/* Element (b, i, j, k) lies at b * dist + ((i * pitch[1] + j) * pitch[2] + k) * stride. */
struct fft_layout {
    long long dist, stride;
    long long pitch[FFT_RANK]; /* of the array around the data; the first does not matter */
};

/* Lines of n elements, `step` elements apart, in a packed array; before each step lines the array
 * begins anew. `count`: elements of the array. */
struct fft_lines {
    unsigned int n, step, count;
};

/* One factor of n: `radix`, after the factors whose product is `done`. */
struct fft_factor {
    unsigned int radix, done;
};

#endif
