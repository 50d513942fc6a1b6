/* What nvcc makes of "__managed__ int x = 5;", with a macro for the name, one for the label, and
 * one behind the declaration: a device variable x; for the host a shadow of it, which nobody uses,
 * and a reference x. As machine code a reference is a pointer: the runtime sets it when it loads
 * the variable, before main. */
#ifndef EVGPU_CUDA_CRT_MANAGED_H
#define EVGPU_CUDA_CRT_MANAGED_H

#ifdef __CUDA_ARCH__
#define EVGPU_MANAGED_NAME(name) name
#define EVGPU_MANAGED(name)
#define EVGPU_MANAGED_STATIC(name)
#define EVGPU_MANAGED_EXTERN(name)
#else
#define EVGPU_MANAGED_NAME(name) evgpu_managed_##name
#define EVGPU_MANAGED_EXTERN(name)                                                                 \
    extern decltype(evgpu_managed_##name) &name __asm__("evgpu_pointer_" #name);
#define EVGPU_MANAGED_POINTER(storage, name)                                                       \
    EVGPU_MANAGED_EXTERN(name)                                                                     \
    storage decltype(evgpu_managed_##name) *evgpu_pointer_##name __asm__("evgpu_pointer_" #name);  \
    /* Before the variable is registered. */                                                       \
    __attribute__((constructor(101))) static void evgpu_manage_##name()                            \
    {                                                                                              \
        __evgpuManagedVariable(&evgpu_managed_##name, (void **)&evgpu_pointer_##name);             \
    }
#define EVGPU_MANAGED(name)        EVGPU_MANAGED_POINTER(, name)
#define EVGPU_MANAGED_STATIC(name) EVGPU_MANAGED_POINTER(static, name)
#endif
#define EVGPU_MANAGED_LABEL(name) __asm__("evgpu_managed_" #name)

#endif
