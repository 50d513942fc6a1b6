/* Surface functions, for references and objects: an access is one suld or sust (PTX ISA, surface
 * instructions). The coordinate x counts bytes. Included by evgpu_cuda.h, behind the toolkit's
 * types. */
#ifndef EVGPU_SW_EVGPU_CUDA_SURFACE_H
#define EVGPU_SW_EVGPU_CUDA_SURFACE_H

namespace evgpu_surf
{

/* The bits of an element, by its size. */
template <int Bytes> struct bits;
template <> struct bits<1> {
    unsigned short a;
};
template <> struct bits<2> {
    unsigned short a;
};
template <> struct bits<4> {
    unsigned a;
};
template <> struct bits<8> {
    unsigned long long a;
};
template <> struct bits<16> {
    unsigned long long a, b;
};

template <int Bytes> struct access;

#define EVGPU_SURF_DEVICE    __device__ static __inline__ __attribute__((always_inline))
#define EVGPU_SURF_LIST(...) __VA_ARGS__
/* One instruction in the three modes; a program's mode is mostly a constant. */
#define EVGPU_SURF_ASM(front, back, outputs, inputs)                                               \
    if (mode == cudaBoundaryModeTrap)                                                              \
        asm volatile(front ".trap " back                                                           \
                     : EVGPU_SURF_LIST outputs                                                     \
                     : EVGPU_SURF_LIST inputs                                                      \
                     : "memory");                                                                  \
    else if (mode == cudaBoundaryModeClamp)                                                        \
        asm volatile(front ".clamp " back                                                          \
                     : EVGPU_SURF_LIST outputs                                                     \
                     : EVGPU_SURF_LIST inputs                                                      \
                     : "memory");                                                                  \
    else                                                                                           \
        asm volatile(front ".zero " back                                                           \
                     : EVGPU_SURF_LIST outputs                                                     \
                     : EVGPU_SURF_LIST inputs                                                      \
                     : "memory");
#define EVGPU_SURF_SHAPE(name, shape, type, data, object, at, out, in, parameters, values...)      \
    EVGPU_SURF_DEVICE void read##name(Bits &v, cudaSurfaceObject_t o, EVGPU_SURF_LIST parameters,  \
                                      cudaSurfaceBoundaryMode mode){EVGPU_SURF_ASM(                \
        "suld.b." shape "." type, data ", [" object ", {" at "}];", out,                           \
        ("l"(o), values))} EVGPU_SURF_DEVICE void write##name(Bits v, cudaSurfaceObject_t o,       \
                                                              EVGPU_SURF_LIST parameters,          \
                                                              cudaSurfaceBoundaryMode mode)        \
    {                                                                                              \
        EVGPU_SURF_ASM("sust.b." shape "." type, "[" object ", {" at "}], " data ";", (),          \
                       (EVGPU_SURF_LIST in, "l"(o), values))                                       \
    }
#define EVGPU_SURF_SHAPES(bytes, type, data, out, in, object, p, q, r)                             \
    template <> struct access<bytes> {                                                             \
        typedef bits<bytes> Bits;                                                                  \
        EVGPU_SURF_SHAPE(1, "1d", type, data, object, p, out, in, (int x), "r"(x))                 \
        EVGPU_SURF_SHAPE(2, "2d", type, data, object, p ", " q, out, in, (int x, int y), "r"(x),   \
                         "r"(y))                                                                   \
        EVGPU_SURF_SHAPE(3, "3d", type, data, object, p ", " q ", " r ", " r, out, in,             \
                         (int x, int y, int z), "r"(x), "r"(y), "r"(z))                            \
        EVGPU_SURF_SHAPE(1_layer, "a1d", type, data, object, p ", " q, out, in,                    \
                         (int x, int layer), "r"(layer), "r"(x))                                   \
        EVGPU_SURF_SHAPE(2_layer, "a2d", type, data, object, p ", " q ", " r ", " r, out, in,      \
                         (int x, int y, int layer), "r"(layer), "r"(x), "r"(y))                    \
    };
EVGPU_SURF_SHAPES(1, "b8", "{%0}", ("=h"(v.a)), ("h"(v.a)), "%1", "%2", "%3", "%4")
EVGPU_SURF_SHAPES(2, "b16", "{%0}", ("=h"(v.a)), ("h"(v.a)), "%1", "%2", "%3", "%4")
EVGPU_SURF_SHAPES(4, "b32", "{%0}", ("=r"(v.a)), ("r"(v.a)), "%1", "%2", "%3", "%4")
EVGPU_SURF_SHAPES(8, "b64", "{%0}", ("=l"(v.a)), ("l"(v.a)), "%1", "%2", "%3", "%4")
EVGPU_SURF_SHAPES(16, "v2.b64", "{%0, %1}", ("=l"(v.a), "=l"(v.b)), ("l"(v.a), "l"(v.b)), "%2",
                  "%3", "%4", "%5")
#undef EVGPU_SURF_SHAPES
#undef EVGPU_SURF_SHAPE
#undef EVGPU_SURF_ASM

/* In device code a reference is its object already; only the type system does not know. */
template <class Reference> EVGPU_SURF_DEVICE cudaSurfaceObject_t object(Reference reference)
{
    cudaSurfaceObject_t object;
    asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
    return object;
}

} // namespace evgpu_surf

#define EVGPU_SURF_FUNCTIONS(name, shape, Type, parameters, arguments)                             \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE T name##read(cudaSurfaceObject_t object, EVGPU_SURF_LIST parameters,         \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                              \
        evgpu_surf::bits<sizeof(T)> v;                                                             \
        T result;                                                                                  \
        evgpu_surf::access<sizeof(T)>::read##shape(v, object, EVGPU_SURF_LIST arguments, mode);    \
        __builtin_memcpy(&result, &v, sizeof result);                                              \
        return result;                                                                             \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE void name##read(T *result, cudaSurfaceObject_t object,                       \
                                      EVGPU_SURF_LIST parameters,                                  \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                              \
        *result = name##read<T>(object, EVGPU_SURF_LIST arguments, mode);                          \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE void name##write(T value, cudaSurfaceObject_t object,                        \
                                       EVGPU_SURF_LIST parameters,                                 \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
    {                                                                                              \
        evgpu_surf::bits<sizeof(T)> v;                                                             \
        __builtin_memcpy(&v, &value, sizeof value);                                                \
        evgpu_surf::access<sizeof(T)>::write##shape(v, object, EVGPU_SURF_LIST arguments, mode);   \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE T name##read(surface<void, Type> reference, EVGPU_SURF_LIST parameters,      \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)            \
    {                                                                                              \
        return name##read<T>(evgpu_surf::object(reference), EVGPU_SURF_LIST arguments, mode);      \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE void name##read(T *result, surface<void, Type> reference,                    \
                                      EVGPU_SURF_LIST parameters,                                  \
                                      cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)         \
    {                                                                                              \
        *result = name##read<T>(evgpu_surf::object(reference), EVGPU_SURF_LIST arguments, mode);   \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_SURF_DEVICE void name##write(T value, surface<void, Type> reference,                     \
                                       EVGPU_SURF_LIST parameters,                                 \
                                       cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap)        \
    {                                                                                              \
        name##write<T>(value, evgpu_surf::object(reference), EVGPU_SURF_LIST arguments, mode);     \
    }
EVGPU_SURF_FUNCTIONS(surf1D, 1, cudaSurfaceType1D, (int x), (x))
EVGPU_SURF_FUNCTIONS(surf2D, 2, cudaSurfaceType2D, (int x, int y), (x, y))
EVGPU_SURF_FUNCTIONS(surf3D, 3, cudaSurfaceType3D, (int x, int y, int z), (x, y, z))
EVGPU_SURF_FUNCTIONS(surf1DLayered, 1_layer, cudaSurfaceType1DLayered, (int x, int layer),
                     (x, layer))
EVGPU_SURF_FUNCTIONS(surf2DLayered, 2_layer, cudaSurfaceType2DLayered, (int x, int y, int layer),
                     (x, y, layer))
#undef EVGPU_SURF_FUNCTIONS
#undef EVGPU_SURF_LIST
#undef EVGPU_SURF_DEVICE

#endif
