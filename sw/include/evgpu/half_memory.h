/* Loads and stores with a cache operator, and shuffles, for the 16-bit floats: T is moved as the
 * unsigned integer W of its size. Included by cuda_fp16.h and cuda_bf16.h, for device code. */
#ifndef EVGPU_SW_HALF_MEMORY_H
#define EVGPU_SW_HALF_MEMORY_H

#define EVGPU_16 static __inline__ __device__ __attribute__((unused, always_inline))
#define EVGPU_16_LOAD(name, T, W)                                                                  \
    EVGPU_16 T name(const T *p)                                                                    \
    {                                                                                              \
        const W word = name((const W *)p);                                                         \
        T value;                                                                                   \
        __builtin_memcpy(&value, &word, sizeof value);                                             \
        return value;                                                                              \
    }
#define EVGPU_16_STORE(name, T, W)                                                                 \
    EVGPU_16 void name(T *p, const T value)                                                        \
    {                                                                                              \
        W word;                                                                                    \
        __builtin_memcpy(&word, &value, sizeof word);                                              \
        name((W *)p, word);                                                                        \
    }
#define EVGPU_16_MEMORY(T, W)                                                                      \
    EVGPU_16_LOAD(__ldg, T, W)                                                                     \
    EVGPU_16_LOAD(__ldcg, T, W)                                                                    \
    EVGPU_16_LOAD(__ldca, T, W)                                                                    \
    EVGPU_16_LOAD(__ldcs, T, W)                                                                    \
    EVGPU_16_LOAD(__ldlu, T, W)                                                                    \
    EVGPU_16_LOAD(__ldcv, T, W)                                                                    \
    EVGPU_16_STORE(__stwb, T, W)                                                                   \
    EVGPU_16_STORE(__stcg, T, W)                                                                   \
    EVGPU_16_STORE(__stcs, T, W)                                                                   \
    EVGPU_16_STORE(__stwt, T, W)

#define EVGPU_16_SHUFFLE(name, T, W, O)                                                            \
    EVGPU_16 T name(unsigned int mask, const T v, O offset, int width = 32)                        \
    {                                                                                              \
        W word;                                                                                    \
        T value;                                                                                   \
        __builtin_memcpy(&word, &v, sizeof word);                                                  \
        word = (W)name(mask, (unsigned int)word, offset, width);                                   \
        __builtin_memcpy(&value, &word, sizeof value);                                             \
        return value;                                                                              \
    }
#define EVGPU_16_SHUFFLES(T, W)                                                                    \
    EVGPU_16_SHUFFLE(__shfl_sync, T, W, int)                                                       \
    EVGPU_16_SHUFFLE(__shfl_up_sync, T, W, unsigned int)                                           \
    EVGPU_16_SHUFFLE(__shfl_down_sync, T, W, unsigned int)                                         \
    EVGPU_16_SHUFFLE(__shfl_xor_sync, T, W, int)

#endif
