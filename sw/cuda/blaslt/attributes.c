/* Attributes of descriptions, set and read by their numbers. */
#include <string.h>

#include "sw/cuda/blaslt/lt.h"

static const struct lt_attribute *find(const struct lt_attributes *attributes, int number)
{
    for (size_t i = 0; i < attributes->count; i++)
        if (attributes->list[i].number == number)
            return &attributes->list[i];
    evc_explain(CUDA_ERROR_INVALID_VALUE,
                "cublasLt: attribute %d of a %s: there is none, see cublasLt.h", number,
                attributes->of);
    return NULL;
}

static cublasStatus_t misfit(const struct lt_attributes *attributes,
                             const struct lt_attribute *attribute, size_t bytes)
{
    evc_explain(CUDA_ERROR_INVALID_VALUE, "cublasLt: attribute %d of a %s has %zu bytes, not %zu",
                attribute->number, attributes->of, attribute->bytes, bytes);
    return CUBLAS_STATUS_INVALID_VALUE;
}

cublasStatus_t lt_set(const struct lt_attributes *attributes, void *to, int number,
                      const void *value, size_t bytes)
{
    BLAS_VALID(to && value);
    const struct lt_attribute *attribute = find(attributes, number);
    BLAS_VALID(attribute);
    if (bytes != attribute->bytes)
        return misfit(attributes, attribute, bytes);
    memcpy((char *)to + attribute->offset, value, bytes);
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t lt_get(const struct lt_attributes *attributes, const void *from, int number,
                      void *value, size_t bytes, size_t *written)
{
    BLAS_VALID(from && (bytes ? value != NULL : written != NULL));
    const struct lt_attribute *attribute = find(attributes, number);
    BLAS_VALID(attribute);
    if (bytes && bytes < attribute->bytes)
        return misfit(attributes, attribute, bytes);
    if (bytes)
        memcpy(value, (const char *)from + attribute->offset, attribute->bytes);
    if (written)
        *written = attribute->bytes;
    return CUBLAS_STATUS_SUCCESS;
}
