/* What nvcc makes of "__managed__ int x = 5;", with a macro for the name, one for the label, and
 * one behind the declaration: a device variable x; for the host a shadow of it, which nobody uses,
 * and a reference x. As machine code a reference is a pointer: the runtime sets it when it loads
 * the variable, before main. Labels are those of the namespace and name. */
#ifndef EVGPU_CUDA_CRT_MANAGED_H
#define EVGPU_CUDA_CRT_MANAGED_H

#ifdef __CUDA_ARCH__
#define EVGPU_MANAGED_NAME(name) name
#define EVGPU_MANAGED(name, label)
#define EVGPU_MANAGED_STATIC(name, label)
#define EVGPU_MANAGED_EXTERN(name, label)
#else
#define EVGPU_MANAGED_NAME(name) evgpu_managed_##name
#define EVGPU_MANAGED_EXTERN(name, label)                                                          \
    _Pragma("clang diagnostic push") _Pragma(                                                      \
        "clang diagnostic ignored \"-Wundefined-internal\"") /* in a namespace without name */     \
        extern decltype(evgpu_managed_##name) &name __asm__("evgpu_pointer_" #label);              \
    _Pragma("clang diagnostic pop")
#define EVGPU_MANAGED_POINTER(storage, name, label)                                                \
    EVGPU_MANAGED_EXTERN(name, label)                                                              \
    storage decltype(evgpu_managed_##name) *evgpu_pointer_##name __asm__("evgpu_pointer_" #label); \
    /* Before the variable is registered. */                                                       \
    __attribute__((constructor(101))) static void evgpu_manage_##name()                            \
    {                                                                                              \
        __evgpuManagedVariable(&evgpu_managed_##name, (void **)&evgpu_pointer_##name);             \
    }
#define EVGPU_MANAGED(name, label)        EVGPU_MANAGED_POINTER(, name, label)
#define EVGPU_MANAGED_STATIC(name, label) EVGPU_MANAGED_POINTER(static, name, label)
#endif
#define EVGPU_MANAGED_LABEL(label) __asm__("evgpu_managed_" #label)

#endif
