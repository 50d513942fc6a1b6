/* nvPTXCompiler: a source that runs, one that names what it does not have, and wrong calls. */
#include <nvPTXCompiler.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/cuda/api/run_image.h"

#define HEAD ".version 6.0\n.target sm_35\n.address_size 64\n"
static const char twice[] =
    HEAD ".visible .entry run(.param .u64 p)\n{\n.reg .b64 %rd<3>;\n.reg .b32 %r<4>;\n"
         "ld.param.u64 %rd0, [p];\nld.global.u32 %r0, [%rd0];\nadd.u32 %r1, %r0, %r0;\n"
         "st.global.u32 [%rd0], %r1;\nret;\n}\n";
static const char lacking[] = HEAD ".extern .func there();\n"
                                   ".visible .entry run()\n{\ncall there;\nret;\n}\n";

static void compiled(void)
{
    const char *options[] = {"--gpu-name=sm_60", "--verbose"};
    nvPTXCompilerHandle compiler;
    size_t size = 0, log = 1;
    unsigned int major = 0, minor = 0;
    OK(nvPTXCompilerGetVersion(&major, &minor));
    MUST(major == 7);
    OK(nvPTXCompilerCreate(&compiler, sizeof twice - 1, twice));
    GIVES(NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE,
          nvPTXCompilerGetCompiledProgramSize(compiler, &size));
    OK(nvPTXCompilerCompile(compiler, 2, options));
    OK(nvPTXCompilerGetErrorLogSize(compiler, &log));
    MUST(!log);
    OK(nvPTXCompilerGetCompiledProgramSize(compiler, &size));
    char *image = malloc(size);
    MUST(image);
    OK(nvPTXCompilerGetCompiledProgram(compiler, image));
    OK(nvPTXCompilerDestroy(&compiler));
    MUST(!compiler);
    MUST(run_image(image, 21) == 42);
    free(image);
}

static void refused(void)
{
    const char *wrong = "sm_60";
    nvPTXCompilerHandle compiler;
    char log[512];
    size_t size = 0;
    GIVES(NVPTXCOMPILE_ERROR_INVALID_INPUT, nvPTXCompilerCreate(&compiler, 0, lacking));
    GIVES(NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE, nvPTXCompilerCompile(NULL, 0, NULL));
    OK(nvPTXCompilerCreate(&compiler, sizeof lacking, lacking));
    GIVES(NVPTXCOMPILE_ERROR_INVALID_INPUT, nvPTXCompilerCompile(compiler, 1, &wrong));
    GIVES(NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, nvPTXCompilerCompile(compiler, 0, NULL));
    OK(nvPTXCompilerGetErrorLogSize(compiler, &size));
    MUST(size && size < sizeof log);
    OK(nvPTXCompilerGetErrorLog(compiler, log));
    MUST(strlen(log) == size && strstr(log, "there"));
    OK(nvPTXCompilerDestroy(&compiler));
}

/* A failure is the same the second time, and takes nothing of the program's along. */
static void failed_twice(void)
{
    nvPTXCompilerHandle compiler;
    char log[512];
    size_t first = 0, second = 0;
    FILE *mine = tmpfile();
    MUST(mine && fputs("once", mine) >= 0);
    OK(nvPTXCompilerCreate(&compiler, sizeof lacking, lacking));
    GIVES(NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, nvPTXCompilerCompile(compiler, 0, NULL));
    OK(nvPTXCompilerGetErrorLogSize(compiler, &first));
    GIVES(NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, nvPTXCompilerCompile(compiler, 0, NULL));
    OK(nvPTXCompilerGetErrorLogSize(compiler, &second));
    MUST(first == second);
    OK(nvPTXCompilerDestroy(&compiler));
    MUST(fflush(mine) == 0 && fseek(mine, 0, SEEK_END) == 0 && ftell(mine) == 4);
    fclose(mine);
    OK(nvPTXCompilerCreate(&compiler, 4, "text"));
    GIVES(NVPTXCOMPILE_ERROR_COMPILATION_FAILURE, nvPTXCompilerCompile(compiler, 0, NULL));
    OK(nvPTXCompilerGetErrorLog(compiler, log));
    MUST(strstr(log, "is not PTX"));
    OK(nvPTXCompilerDestroy(&compiler));
}

static void destroyed(void)
{
    nvPTXCompilerHandle compiler, gone;
    size_t size = 0;
    GIVES(NVPTXCOMPILE_ERROR_INVALID_INPUT, nvPTXCompilerCreate(&compiler, 8, "\0\0\0\0\0\0\0"));
    OK(nvPTXCompilerCreate(&compiler, sizeof twice, twice));
    gone = compiler;
    OK(nvPTXCompilerDestroy(&compiler));
    GIVES(NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE, nvPTXCompilerCompile(gone, 0, NULL));
    GIVES(NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE, nvPTXCompilerGetErrorLogSize(gone, &size));
    GIVES(NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE, nvPTXCompilerDestroy(&gone));
}

int main(void)
{
    refused();
    failed_twice();
    destroyed();
    compiled();
    return 0;
}
