/* Images and arrays of sample programs in files, and their comparison. Our own; a program's copy
 * comes first. */
#ifndef EVGPU_CUDA_HELPER_IMAGE_H
#define EVGPU_CUDA_HELPER_IMAGE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstream>
#include <iostream>

/* Binary PGM (one channel) and PPM (three); *data is malloc()ed unless it is memory already. */
inline bool __loadPPM(const char *file, unsigned char **data, unsigned int *w, unsigned int *h,
                      unsigned int *channels)
{
    FILE *from = fopen(file, "rb");
    unsigned int width = 0, height = 0, most = 0;
    char kind = 0;
    if (!from) {
        fprintf(stderr, "__LoadPPM() : Failed to open file: %s\n", file);
        return false;
    }
    bool ok = fscanf(from, "P%c", &kind) == 1 && (kind == '5' || kind == '6');
    unsigned int *const fields[] = {&width, &height, &most};
    for (unsigned int *field : fields) {
        while (ok && fscanf(from, " #%*[^\n]%c", &kind) == 1)
            continue;
        ok = ok && fscanf(from, " %u", field) == 1;
    }
    rewind(from);
    char head[3] = "";
    ok = ok && fread(head, 1, 2, from) == 2 && most == 255;
    *channels = head[1] == '5' ? 1 : 3;
    const size_t bytes = (size_t)width * height * *channels;
    ok = ok && !fseek(from, -(long)bytes, SEEK_END);
    unsigned char *memory = *data ? *data : (unsigned char *)malloc(bytes);
    ok = ok && memory && fread(memory, 1, bytes, from) == bytes;
    fclose(from);
    if (ok) {
        *data = memory;
        *w = width;
        *h = height;
    } else {
        fprintf(stderr, "__LoadPPM() : %s is not a binary PGM or PPM file of 8 bits\n", file);
    }
    return ok;
}

inline bool __savePPM(const char *file, const unsigned char *data, unsigned int w, unsigned int h,
                      unsigned int channels)
{
    FILE *to = fopen(file, "wb");
    const size_t bytes = (size_t)w * h * channels;
    if (!to)
        return false;
    fprintf(to, "P%c\n%u\n%u\n255\n", channels == 1 ? '5' : '6', w, h);
    const bool ok = fwrite(data, 1, bytes, to) == bytes;
    return fclose(to) == 0 && ok;
}

/* One channel, as fractions of 255 where T is a floating type. */
template <class T>
inline bool sdkLoadPGM(const char *file, T **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned int channels = 0;
    if (!__loadPPM(file, &bytes, w, h, &channels) || channels != 1)
        return false;
    const size_t n = (size_t)*w * *h;
    if (!*data)
        *data = (T *)malloc(n * sizeof(T));
    for (size_t i = 0; i < n; i++)
        (*data)[i] = (T)0.5 ? (T)(bytes[i] / 255.0f) : (T)bytes[i];
    free(bytes);
    return true;
}

template <class T> inline bool sdkSavePGM(const char *file, T *data, unsigned int w, unsigned int h)
{
    const size_t n = (size_t)w * h;
    unsigned char *bytes = (unsigned char *)malloc(n);
    for (size_t i = 0; i < n; i++)
        bytes[i] = (unsigned char)((T)0.5 ? data[i] * 255.0f : data[i]);
    const bool ok = __savePPM(file, bytes, w, h, 1);
    free(bytes);
    return ok;
}

/* Three channels in the file, four bytes a pixel in memory. */
inline bool sdkLoadPPM4ub(const char *file, unsigned char **data, unsigned int *w, unsigned int *h)
{
    unsigned char *bytes = NULL;
    unsigned int channels = 0;
    if (!__loadPPM(file, &bytes, w, h, &channels) || channels != 3)
        return false;
    const size_t n = (size_t)*w * *h;
    *data = (unsigned char *)malloc(4 * n);
    for (size_t i = 0; i < n; i++) {
        memcpy(*data + 4 * i, bytes + 3 * i, 3);
        (*data)[4 * i + 3] = 0;
    }
    free(bytes);
    return true;
}

inline bool sdkSavePPM4ub(const char *file, unsigned char *data, unsigned int w, unsigned int h)
{
    const size_t n = (size_t)w * h;
    unsigned char *bytes = (unsigned char *)malloc(3 * n);
    for (size_t i = 0; i < n; i++)
        memcpy(bytes + 3 * i, data + 4 * i, 3);
    const bool ok = __savePPM(file, bytes, w, h, 3);
    free(bytes);
    return ok;
}

/* Elements whose difference exceeds `epsilon`, up to a share of `threshold` of all, are let pass.
 */
template <class T, class S>
inline bool compareData(const T *reference, const T *data, const unsigned int len, const S epsilon,
                        const float threshold)
{
    unsigned int wrong = 0;
    for (unsigned int i = 0; i < len; i++)
        wrong += !(fabs((double)reference[i] - (double)data[i]) <= (double)epsilon);
    return wrong <= (unsigned int)((float)len * threshold);
}

/* The root of the summed squares of differences, relative to that of the reference. */
inline bool sdkCompareL2fe(const float *reference, const float *data, const unsigned int len,
                           const float epsilon)
{
    double error = 0, norm = 0;
    for (unsigned int i = 0; i < len; i++) {
        const double d = (double)reference[i] - data[i];
        error += d * d;
        norm += (double)reference[i] * reference[i];
    }
    return norm > 0 && sqrt(error) / sqrt(norm) < epsilon;
}

inline bool sdkComparePPM(const char *src_file, const char *ref_file, const float epsilon,
                          const float threshold, bool verboseErrors)
{
    unsigned char *a = NULL, *b = NULL;
    unsigned int wa, ha, wb, hb;
    if (!sdkLoadPPM4ub(src_file, &a, &wa, &ha) || !sdkLoadPPM4ub(ref_file, &b, &wb, &hb))
        return false;
    const bool ok = wa == wb && ha == hb && compareData(b, a, 4 * wa * ha, epsilon, threshold);
    if (verboseErrors)
        printf("%s and %s %s\n", src_file, ref_file, ok ? "agree" : "differ");
    free(a);
    free(b);
    return ok;
}

#endif
