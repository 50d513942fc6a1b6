/* Sums and extremes of two or three integers, of CUDA C since 12.0 (the DPX functions of its math
 * API); included by evgpu_cuda.h. Names ending in s32, u32 take integers, those in s16x2, u16x2 two
 * halves of a word; _relu: no result is below 0. Sums wrap around. */
#ifndef EVGPU_SW_EVGPU_CUDA_DPX_H
#define EVGPU_SW_EVGPU_CUDA_DPX_H

#define EVGPU_DPX static __inline__ __host__ __device__ __attribute__((unused))

struct evgpu_dpx_max {
    template <class T> EVGPU_DPX T of(T a, T b)
    {
        return a > b ? a : b;
    }
};
struct evgpu_dpx_min {
    template <class T> EVGPU_DPX T of(T a, T b)
    {
        return a < b ? a : b;
    }
};
template <class Extreme> struct evgpu_dpx_of_sum {
    template <class T> EVGPU_DPX T of(T a, T b, T c)
    {
        return Extreme::of((T)((unsigned int)a + (unsigned int)b), c);
    }
};
template <class Extreme> struct evgpu_dpx_of_three {
    template <class T> EVGPU_DPX T of(T a, T b, T c)
    {
        return Extreme::of(Extreme::of(a, b), c);
    }
};
template <class Operation> struct evgpu_dpx_relu {
    template <class T> EVGPU_DPX T of(T a, T b, T c)
    {
        return evgpu_dpx_max::of(Operation::of(a, b, c), (T)0);
    }
};

/* On both halves. */
template <class Operation, class T>
EVGPU_DPX unsigned int evgpu_dpx_pair(unsigned int a, unsigned int b, unsigned int c)
{
    const T low = Operation::of((T)a, (T)b, (T)c);
    const T high = Operation::of((T)(a >> 16), (T)(b >> 16), (T)(c >> 16));
    return (unsigned int)(unsigned short)high << 16 | (unsigned short)low;
}

#define EVGPU_DPX_THREE(name, T, Operation)                                                        \
    EVGPU_DPX T name(const T a, const T b, const T c)                                              \
    {                                                                                              \
        return Operation::of(a, b, c);                                                             \
    }
#define EVGPU_DPX_PAIR(name, T, Operation)                                                         \
    EVGPU_DPX unsigned int name(const unsigned int a, const unsigned int b, const unsigned int c)  \
    {                                                                                              \
        return evgpu_dpx_pair<Operation, T>(a, b, c);                                              \
    }
#define EVGPU_DPX_ALL(name, Operation)                                                             \
    EVGPU_DPX_THREE(name##_s32, int, Operation)                                                    \
    EVGPU_DPX_THREE(name##_u32, unsigned int, Operation)                                           \
    EVGPU_DPX_THREE(name##_s32_relu, int, evgpu_dpx_relu<Operation>)                               \
    EVGPU_DPX_PAIR(name##_s16x2, short, Operation)                                                 \
    EVGPU_DPX_PAIR(name##_u16x2, unsigned short, Operation)                                        \
    EVGPU_DPX_PAIR(name##_s16x2_relu, short, evgpu_dpx_relu<Operation>)
EVGPU_DPX_ALL(__viaddmax, evgpu_dpx_of_sum<evgpu_dpx_max>)
EVGPU_DPX_ALL(__viaddmin, evgpu_dpx_of_sum<evgpu_dpx_min>)
EVGPU_DPX_ALL(__vimax3, evgpu_dpx_of_three<evgpu_dpx_max>)
EVGPU_DPX_ALL(__vimin3, evgpu_dpx_of_three<evgpu_dpx_min>)
#undef EVGPU_DPX_ALL
#undef EVGPU_DPX_PAIR
#undef EVGPU_DPX_THREE

/* Of two, and whether the first was taken: it is where both are equal. */
#define EVGPU_DPX_TWO(name, three)                                                                 \
    EVGPU_DPX int name##_s32_relu(const int a, const int b)                                        \
    {                                                                                              \
        return three##_s32_relu(a, b, b);                                                          \
    }                                                                                              \
    EVGPU_DPX unsigned int name##_s16x2_relu(const unsigned int a, const unsigned int b)           \
    {                                                                                              \
        return three##_s16x2_relu(a, b, b);                                                        \
    }
#define EVGPU_DPX_CHOICE(name, T, Extreme)                                                         \
    EVGPU_DPX T name(const T a, const T b, bool *const first)                                      \
    {                                                                                              \
        *first = Extreme::of(a, b) == a;                                                           \
        return Extreme::of(a, b);                                                                  \
    }
#define EVGPU_DPX_CHOICES(name, T, Extreme)                                                        \
    EVGPU_DPX unsigned int name(const unsigned int a, const unsigned int b, bool *const high,      \
                                bool *const low)                                                   \
    {                                                                                              \
        *high = Extreme::of((T)(a >> 16), (T)(b >> 16)) == (T)(a >> 16);                           \
        *low = Extreme::of((T)a, (T)b) == (T)a;                                                    \
        return evgpu_dpx_pair<evgpu_dpx_of_three<Extreme>, T>(a, b, b);                            \
    }
#define EVGPU_DPX_BOTH(name, Extreme)                                                              \
    EVGPU_DPX_CHOICE(name##_s32, int, Extreme)                                                     \
    EVGPU_DPX_CHOICE(name##_u32, unsigned int, Extreme)                                            \
    EVGPU_DPX_CHOICES(name##_s16x2, short, Extreme)                                                \
    EVGPU_DPX_CHOICES(name##_u16x2, unsigned short, Extreme)
EVGPU_DPX_TWO(__vimax, __vimax3)
EVGPU_DPX_TWO(__vimin, __vimin3)
EVGPU_DPX_BOTH(__vibmax, evgpu_dpx_max)
EVGPU_DPX_BOTH(__vibmin, evgpu_dpx_min)
#undef EVGPU_DPX_BOTH
#undef EVGPU_DPX_CHOICES
#undef EVGPU_DPX_CHOICE
#undef EVGPU_DPX_TWO
#undef EVGPU_DPX

#endif
