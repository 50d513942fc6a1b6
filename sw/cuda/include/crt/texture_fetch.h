/* Texture and surface functions of device code, for references and objects; included by
 * cuda_runtime.h. Each is one tex instruction (PTX ISA 9.7.10): that gives four components as
 * 32-bit values of the kind that the element type says. */
#ifndef EVGPU_CUDA_CRT_TEXTURE_FETCH_H
#define EVGPU_CUDA_CRT_TEXTURE_FETCH_H

#define EVGPU_TEX_DEVICE static __inline__ __attribute__((device, always_inline, unused))

namespace evgpu_tex
{

/* The vector of fetched values for a base type, and its letter in tex. */
struct Signed {
    typedef int4 Four;
};
struct Unsigned {
    typedef uint4 Four;
};
struct Float {
    typedef float4 Four;
};

template <class T> struct Base;
template <> struct Base<char> {
    typedef Signed Kind;
};
template <> struct Base<signed char> {
    typedef Signed Kind;
};
template <> struct Base<short> {
    typedef Signed Kind;
};
template <> struct Base<int> {
    typedef Signed Kind;
};
template <> struct Base<unsigned char> {
    typedef Unsigned Kind;
};
template <> struct Base<unsigned short> {
    typedef Unsigned Kind;
};
template <> struct Base<unsigned int> {
    typedef Unsigned Kind;
};
template <> struct Base<float> {
    typedef Float Kind;
};

/* An element type: its components' type, four of them, how to make one from four fetched values,
 * and the type with float components that a normalised fetch gives. */
template <class T> struct Element;
#define EVGPU_TEX_ELEMENT(T, B, Q, F, one)                                                         \
    template <> struct Element<T> {                                                                \
        typedef Base<B>::Kind Kind;                                                                \
        typedef Q Gathered;                                                                        \
        typedef F Normal;                                                                          \
        template <class Four> EVGPU_TEX_DEVICE T from(Four v)                                      \
        {                                                                                          \
            one;                                                                                   \
        }                                                                                          \
    };
#define EVGPU_TEX_ELEMENTS(B, name)                                                                \
    EVGPU_TEX_ELEMENT(B, B, name##4, float, return static_cast<B>(v.x))                            \
    EVGPU_TEX_ELEMENT(name##1, B, name##4, float1, return make_##name##1(static_cast<B>(v.x)))     \
    EVGPU_TEX_ELEMENT(name##2, B, name##4, float2,                                                 \
                      return make_##name##2(static_cast<B>(v.x), static_cast<B>(v.y)))             \
    EVGPU_TEX_ELEMENT(name##4, B, name##4, float4,                                                 \
                      return make_##name##4(static_cast<B>(v.x), static_cast<B>(v.y),              \
                                            static_cast<B>(v.z), static_cast<B>(v.w)))
EVGPU_TEX_ELEMENT(char, char, char4, float, return static_cast<char>(v.x))
EVGPU_TEX_ELEMENTS(signed char, char)
EVGPU_TEX_ELEMENTS(unsigned char, uchar)
EVGPU_TEX_ELEMENTS(short, short)
EVGPU_TEX_ELEMENTS(unsigned short, ushort)
EVGPU_TEX_ELEMENTS(int, int)
EVGPU_TEX_ELEMENTS(unsigned int, uint)
EVGPU_TEX_ELEMENTS(float, float)
#undef EVGPU_TEX_ELEMENTS
#undef EVGPU_TEX_ELEMENT

/* The type that a fetch from a reference returns, and the kind of the fetch. */
template <class T, enum cudaTextureReadMode mode>
struct Fetch {
    typedef T Result; typedef typename Element<T>::Kind Kind;
};
template <class T> struct Fetch<T, cudaReadModeNormalizedFloat> {
    typedef typename Element<T>::Normal Result;
    typedef Float Kind;
};

/* In device code a reference is its handle already; only the type system does not know. */
template <class Reference> EVGPU_TEX_DEVICE cudaTextureObject_t handle(Reference reference)
{
    cudaTextureObject_t object;
    asm("mov.b64 %0, %1;" : "=l"(object) : "l"(reference));
    return object;
}

#define EVGPU_TEX_ASM(Kind, Four, type, letter, name, parameters, instruction, coordinates,        \
                      values...)                                                                   \
    EVGPU_TEX_DEVICE Four name(Kind, cudaTextureObject_t object EVGPU_TEX_LIST parameters)         \
    {                                                                                              \
        Four v;                                                                                    \
        asm(instruction "." type " {%0, %1, %2, %3}, [%4, " coordinates ";"                        \
            : "=" letter(v.x), "=" letter(v.y), "=" letter(v.z), "=" letter(v.w)                   \
            : "l"(object), values);                                                                \
        return v;                                                                                  \
    }
#define EVGPU_TEX_LIST(...) , __VA_ARGS__
#define EVGPU_TEX_OP(name, parameters, instruction, index, coordinates, values...)                 \
    EVGPU_TEX_ASM(Signed, int4, "s32." index, "r", name, parameters, instruction, coordinates,     \
                  values)                                                                          \
    EVGPU_TEX_ASM(Unsigned, uint4, "u32." index, "r", name, parameters, instruction, coordinates,  \
                  values)                                                                          \
    EVGPU_TEX_ASM(Float, float4, "f32." index, "f", name, parameters, instruction, coordinates,    \
                  values)

EVGPU_TEX_OP(fetch1, (int x), "tex.1d.v4", "s32", "{%5}]", "r"(x))
EVGPU_TEX_OP(at1, (float x), "tex.1d.v4", "f32", "{%5}]", "f"(x))
EVGPU_TEX_OP(at2, (float x, float y), "tex.2d.v4", "f32", "{%5, %6}]", "f"(x), "f"(y))
EVGPU_TEX_OP(at3, (float x, float y, float z), "tex.3d.v4", "f32", "{%5, %6, %7, %7}]", "f"(x),
             "f"(y), "f"(z))
EVGPU_TEX_OP(cube, (float x, float y, float z), "tex.cube.v4", "f32", "{%5, %6, %7, %7}]", "f"(x),
             "f"(y), "f"(z))
EVGPU_TEX_OP(layer1, (int layer, float x), "tex.a1d.v4", "f32", "{%5, %6}]", "r"(layer), "f"(x))
EVGPU_TEX_OP(layer2, (int layer, float x, float y), "tex.a2d.v4", "f32", "{%5, %6, %7, %7}]",
             "r"(layer), "f"(x), "f"(y))
EVGPU_TEX_OP(level1, (float x, float level), "tex.level.1d.v4", "f32", "{%5}], %6", "f"(x),
             "f"(level))
EVGPU_TEX_OP(level2, (float x, float y, float level), "tex.level.2d.v4", "f32", "{%5, %6}], %7",
             "f"(x), "f"(y), "f"(level))
EVGPU_TEX_OP(level3, (float x, float y, float z, float level), "tex.level.3d.v4", "f32",
             "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
EVGPU_TEX_OP(level_cube, (float x, float y, float z, float level), "tex.level.cube.v4", "f32",
             "{%5, %6, %7, %7}], %8", "f"(x), "f"(y), "f"(z), "f"(level))
EVGPU_TEX_OP(level_layer1, (int layer, float x, float level), "tex.level.a1d.v4", "f32",
             "{%5, %6}], %7", "r"(layer), "f"(x), "f"(level))
EVGPU_TEX_OP(level_layer2, (int layer, float x, float y, float level), "tex.level.a2d.v4", "f32",
             "{%5, %6, %7, %7}], %8", "r"(layer), "f"(x), "f"(y), "f"(level))
EVGPU_TEX_OP(grad1, (float x, float dx, float dy), "tex.grad.1d.v4", "f32", "{%5}], {%6}, {%7}",
             "f"(x), "f"(dx), "f"(dy))
EVGPU_TEX_OP(grad2, (float x, float y, float2 dx, float2 dy), "tex.grad.2d.v4", "f32",
             "{%5, %6}], {%7, %8}, {%9, %10}", "f"(x), "f"(y), "f"(dx.x), "f"(dx.y), "f"(dy.x),
             "f"(dy.y))
EVGPU_TEX_OP(grad3, (float x, float y, float z, float4 dx, float4 dy), "tex.grad.3d.v4", "f32",
             "{%5, %6, %7, %7}], {%8, %9, %10, %10}, {%11, %12, %13, %13}", "f"(x), "f"(y), "f"(z),
             "f"(dx.x), "f"(dx.y), "f"(dx.z), "f"(dy.x), "f"(dy.y), "f"(dy.z))
EVGPU_TEX_OP(grad_layer1, (int layer, float x, float dx, float dy), "tex.grad.a1d.v4", "f32",
             "{%5, %6}], {%7}, {%8}", "r"(layer), "f"(x), "f"(dx), "f"(dy))
EVGPU_TEX_OP(grad_layer2, (int layer, float x, float y, float2 dx, float2 dy), "tex.grad.a2d.v4",
             "f32", "{%5, %6, %7, %7}], {%8, %9}, {%10, %11}", "r"(layer), "f"(x), "f"(y),
             "f"(dx.x), "f"(dx.y), "f"(dy.x), "f"(dy.y))
EVGPU_TEX_OP(gather_r, (float x, float y), "tld4.r.2d.v4", "f32", "{%5, %6}]", "f"(x), "f"(y))
EVGPU_TEX_OP(gather_g, (float x, float y), "tld4.g.2d.v4", "f32", "{%5, %6}]", "f"(x), "f"(y))
EVGPU_TEX_OP(gather_b, (float x, float y), "tld4.b.2d.v4", "f32", "{%5, %6}]", "f"(x), "f"(y))
EVGPU_TEX_OP(gather_a, (float x, float y), "tld4.a.2d.v4", "f32", "{%5, %6}]", "f"(x), "f"(y))
#undef EVGPU_TEX_OP
#undef EVGPU_TEX_LIST
#undef EVGPU_TEX_ASM

/* Where an object is read, what NormalizedFloat means is known to the object: the element type of
 * the call is the result's. */
template <class T> struct Object {
    typedef typename Element<T>::Kind Kind;
};

/* Component `component` of four texels. */
template <class R, class Kind>
EVGPU_TEX_DEVICE R gather(Kind kind, cudaTextureObject_t object, float x, float y, int component)
{
    typedef Element<R> E;
    switch (component) {
    case 0:
        return E::from(gather_r(kind, object, x, y));
    case 1:
        return E::from(gather_g(kind, object, x, y));
    case 2:
        return E::from(gather_b(kind, object, x, y));
    default:
        return E::from(gather_a(kind, object, x, y));
    }
}

} // namespace evgpu_tex

#define EVGPU_TEX_FUNCTION(name, op, Type, parameters, arguments)                                  \
    template <class T, enum cudaTextureReadMode mode>                                              \
    EVGPU_TEX_DEVICE typename evgpu_tex::Fetch<T, mode>::Result name(                              \
        texture<T, Type, mode> reference, EVGPU_TEX_STRIP parameters)                              \
    {                                                                                              \
        typedef evgpu_tex::Fetch<T, mode> F;                                                       \
        return evgpu_tex::Element<typename F::Result>::from(evgpu_tex::op(                         \
            typename F::Kind(), evgpu_tex::handle(reference), EVGPU_TEX_STRIP arguments));         \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_TEX_DEVICE T name(cudaTextureObject_t object, EVGPU_TEX_STRIP parameters)                \
    {                                                                                              \
        return evgpu_tex::Element<T>::from(evgpu_tex::op(typename evgpu_tex::Object<T>::Kind(),    \
                                                         object, EVGPU_TEX_STRIP arguments));      \
    }                                                                                              \
    template <class T>                                                                             \
    EVGPU_TEX_DEVICE void name(T *result, cudaTextureObject_t object, EVGPU_TEX_STRIP parameters)  \
    {                                                                                              \
        *result = name<T>(object, EVGPU_TEX_STRIP arguments);                                      \
    }
#define EVGPU_TEX_STRIP(...) __VA_ARGS__

EVGPU_TEX_FUNCTION(tex1Dfetch, fetch1, cudaTextureType1D, (int x), (x))
EVGPU_TEX_FUNCTION(tex1D, at1, cudaTextureType1D, (float x), (x))
EVGPU_TEX_FUNCTION(tex2D, at2, cudaTextureType2D, (float x, float y), (x, y))
EVGPU_TEX_FUNCTION(tex3D, at3, cudaTextureType3D, (float x, float y, float z), (x, y, z))
EVGPU_TEX_FUNCTION(texCubemap, cube, cudaTextureTypeCubemap, (float x, float y, float z), (x, y, z))
EVGPU_TEX_FUNCTION(tex1DLayered, layer1, cudaTextureType1DLayered, (float x, int layer), (layer, x))
EVGPU_TEX_FUNCTION(tex2DLayered, layer2, cudaTextureType2DLayered, (float x, float y, int layer),
                   (layer, x, y))
EVGPU_TEX_FUNCTION(tex1DLod, level1, cudaTextureType1D, (float x, float level), (x, level))
EVGPU_TEX_FUNCTION(tex2DLod, level2, cudaTextureType2D, (float x, float y, float level),
                   (x, y, level))
EVGPU_TEX_FUNCTION(tex3DLod, level3, cudaTextureType3D, (float x, float y, float z, float level),
                   (x, y, z, level))
EVGPU_TEX_FUNCTION(texCubemapLod, level_cube, cudaTextureTypeCubemap,
                   (float x, float y, float z, float level), (x, y, z, level))
EVGPU_TEX_FUNCTION(tex1DLayeredLod, level_layer1, cudaTextureType1DLayered,
                   (float x, int layer, float level), (layer, x, level))
EVGPU_TEX_FUNCTION(tex2DLayeredLod, level_layer2, cudaTextureType2DLayered,
                   (float x, float y, int layer, float level), (layer, x, y, level))
EVGPU_TEX_FUNCTION(tex1DGrad, grad1, cudaTextureType1D, (float x, float dPdx, float dPdy),
                   (x, dPdx, dPdy))
EVGPU_TEX_FUNCTION(tex2DGrad, grad2, cudaTextureType2D,
                   (float x, float y, float2 dPdx, float2 dPdy), (x, y, dPdx, dPdy))
EVGPU_TEX_FUNCTION(tex3DGrad, grad3, cudaTextureType3D,
                   (float x, float y, float z, float4 dPdx, float4 dPdy), (x, y, z, dPdx, dPdy))
EVGPU_TEX_FUNCTION(tex1DLayeredGrad, grad_layer1, cudaTextureType1DLayered,
                   (float x, int layer, float dPdx, float dPdy), (layer, x, dPdx, dPdy))
EVGPU_TEX_FUNCTION(tex2DLayeredGrad, grad_layer2, cudaTextureType2DLayered,
                   (float x, float y, int layer, float2 dPdx, float2 dPdy),
                   (layer, x, y, dPdx, dPdy))
#undef EVGPU_TEX_STRIP
#undef EVGPU_TEX_FUNCTION

template <class T, enum cudaTextureReadMode mode>
EVGPU_TEX_DEVICE typename evgpu_tex::Element<typename evgpu_tex::Fetch<T, mode>::Result>::Gathered
tex2Dgather(texture<T, cudaTextureType2D, mode> reference, float x, float y, int comp = 0)
{
    typedef evgpu_tex::Fetch<T, mode> F;
    typedef typename evgpu_tex::Element<typename F::Result>::Gathered R;
    return evgpu_tex::gather<R>(typename F::Kind(), evgpu_tex::handle(reference), x, y, comp);
}
template <class T>
EVGPU_TEX_DEVICE T tex2Dgather(cudaTextureObject_t object, float x, float y, int comp = 0)
{
    return evgpu_tex::gather<T>(typename evgpu_tex::Object<T>::Kind(), object, x, y, comp);
}
template <class T>
EVGPU_TEX_DEVICE void tex2Dgather(T *result, cudaTextureObject_t object, float x, float y,
                                  int comp = 0)
{
    *result = tex2Dgather<T>(object, x, y, comp);
}
#undef EVGPU_TEX_DEVICE

#endif
