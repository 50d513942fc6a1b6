/* The images of modules: PTX text, or a container that holds no text for us. */
#include <stddef.h>
#include <string.h>

#include "sw/cuda/client/core.h"

/* None of them has a byte 0, so a text that is shorter is not read beyond its end. */
#define WRAPPER "\xb1\x43\x62\x46" /* a struct around an image, as compilers emit it */
#define FATBIN  "\x50\xed\x55\xba" /* NVIDIA's container */
#define CUBIN   "\177ELF"

struct fat_wrapper {
    uint32_t magic, version;
    const void *data;
    void *unused;
};

static bool begins_with(const char *image, const char *magic)
{
    return strncmp(image, magic, strlen(magic)) == 0;
}

const char *evc_file_text(const char *file)
{
    return begins_with(file, WRAPPER) || begins_with(file, FATBIN) || begins_with(file, CUBIN)
               ? NULL
               : file;
}

const char *evc_image_text(const void *image)
{
    if (image && begins_with(image, WRAPPER))
        image = ((const struct fat_wrapper *)image)->data;
    return image ? evc_file_text(image) : NULL;
}
