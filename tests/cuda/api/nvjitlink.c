/* nvJitLink: two sources, one of which calls what the other one has, to a module that runs; and
 * what it refuses. */
#include <nvJitLink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/api/run_image.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
static const char caller[] =
    HEAD ".extern .func (.param .b32 r) thrice(.param .b32 x);\n"
         ".visible .entry run(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
         "ld.param.u64 %rd0, [p];\nld.global.u32 %r0, [%rd0];\n{\n.param .b32 a;\n.param .b32 b;\n"
         "st.param.b32 [a], %r0;\ncall (b), thrice, (a);\nld.param.b32 %r1, [b];\n}\n"
         "st.global.u32 [%rd0], %r1;\nret;\n}\n";
static const char callee[] =
    HEAD ".visible .func (.param .b32 r) thrice(.param .b32 x)\n{\n.reg .b32 %r<4>;\n"
         "ld.param.b32 %r0, [x];\nmul.lo.u32 %r0, %r0, 3;\nst.param.b32 [r], %r0;\nret;\n}\n";

static void linked(void)
{
    const char *options[] = {"-arch=sm_80", "-O3"};
    nvJitLinkHandle link;
    size_t size = 0;
    OK(nvJitLinkCreate(&link, 2, options));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkGetLinkedCubinSize(link, &size));
    OK(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, caller, sizeof caller, "caller"));
    OK(nvJitLinkAddData(link, NVJITLINK_INPUT_ANY, callee, sizeof callee, "callee"));
    OK(nvJitLinkComplete(link));
    OK(nvJitLinkGetLinkedCubinSize(link, &size));
    char *image = malloc(size);
    MUST(image);
    OK(nvJitLinkGetLinkedCubin(link, image));
    OK(nvJitLinkDestroy(&link));
    MUST(!link);
    MUST(run_image(image, 14) == 42);
    free(image);
}

static void refused(void)
{
    const char *arch = "-arch=sm_70", *unknown = "-nonsense";
    nvJitLinkHandle link;
    char log[512];
    size_t size = 0;
    GIVES(NVJITLINK_ERROR_MISSING_ARCH, nvJitLinkCreate(&link, 0, NULL));
    GIVES(NVJITLINK_ERROR_UNRECOGNIZED_OPTION, nvJitLinkCreate(&link, 1, &unknown));
    OK(nvJitLinkCreate(&link, 1, &arch));
    GIVES(NVJITLINK_ERROR_UNRECOGNIZED_INPUT,
          nvJitLinkAddData(link, NVJITLINK_INPUT_LTOIR, caller, sizeof caller, "ir"));
    GIVES(NVJITLINK_ERROR_PTX_COMPILE,
          nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, "no PTX", sizeof "no PTX", "text"));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT,
          nvJitLinkAddFile(link, NVJITLINK_INPUT_PTX, "/nonexistent.ptx"));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkComplete(link));
    OK(nvJitLinkAddData(link, NVJITLINK_INPUT_PTX, caller, sizeof caller, "alone"));
    GIVES(NVJITLINK_ERROR_FINALIZE, nvJitLinkComplete(link));
    OK(nvJitLinkGetErrorLogSize(link, &size));
    MUST(size > 1 && size < sizeof log);
    OK(nvJitLinkGetErrorLog(link, log));
    MUST(strstr(log, "Undefined reference to 'thrice' in 'alone'"));
    OK(nvJitLinkDestroy(&link));
}

static void destroyed(void)
{
    const char *options[] = {"-arch=sm_60", NULL};
    nvJitLinkHandle link, gone;
    size_t size;
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkCreate(&link, 2, options));
    OK(nvJitLinkCreate(&link, 1, options));
    gone = link;
    OK(nvJitLinkDestroy(&link));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkComplete(gone));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkGetErrorLogSize(gone, &size));
    GIVES(NVJITLINK_ERROR_INVALID_INPUT, nvJitLinkDestroy(&gone));
}

int main(void)
{
    refused(); /* nothing of it needs a simulator */
    destroyed();
    linked();
    return 0;
}
