/* nvPTXCompiler over the driver's linker, without a device. */
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/driver/context.h"
#include "sw/cuda/include/nvPTXCompiler.h"
#include "sw/cuda/library/handles.h"

#define LOG_ROOM 16384

struct nvPTXCompiler {
    CUlinkState state;
    char *ptx;
    size_t length;
    void *image; /* of a compilation that succeeded; the state's */
    size_t size;
    nvPTXCompileResult result; /* of the compilation; INVOCATION_INCOMPLETE before */
    char log[LOG_ROOM];
};

#define CHECK(condition, error)                                                                    \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return (error);                                                                        \
    } while (0)
#define VALID(handle)    CHECK(library_knows(handle), NVPTXCOMPILE_ERROR_INVALID_COMPILER_HANDLE)
#define COMPILED(handle) CHECK((handle)->image, NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE)
#define GIVEN(condition) CHECK(condition, NVPTXCOMPILE_ERROR_INVALID_INPUT)

nvPTXCompileResult nvPTXCompilerGetVersion(unsigned int *major, unsigned int *minor)
{
    GIVEN(major && minor);
    *major = 7;
    *minor = 5;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerCreate(nvPTXCompilerHandle *compiler, size_t ptxCodeLen,
                                       const char *ptxCode)
{
    GIVEN(compiler && ptxCode && ptxCodeLen && *ptxCode);
    nvPTXCompilerHandle made = calloc(1, sizeof *made);
    char *ptx = malloc(ptxCodeLen);
    CUlinkState state = NULL;
    if (!made || !ptx || cu_link_create(made->log, sizeof made->log, &state) ||
        !library_keep(made)) {
        if (state)
            cuLinkDestroy(state);
        free(made);
        free(ptx);
        return NVPTXCOMPILE_ERROR_OUT_OF_MEMORY;
    }
    memcpy(ptx, ptxCode, ptxCodeLen);
    made->state = state;
    made->result = NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE;
    made->ptx = ptx;
    made->length = strnlen(ptx, ptxCodeLen);
    *compiler = made;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerDestroy(nvPTXCompilerHandle *compiler)
{
    VALID(compiler ? *compiler : NULL);
    library_forget(*compiler);
    cuLinkDestroy((*compiler)->state);
    free((*compiler)->ptx);
    free(*compiler);
    *compiler = NULL;
    return NVPTXCOMPILE_SUCCESS;
}

static nvPTXCompileResult compile(nvPTXCompilerHandle compiler)
{
    static const char call[] = "nvPTXCompilerCompile";
    CUresult status = cu_link_add_data(compiler->state, CU_JIT_INPUT_PTX, compiler->ptx,
                                       compiler->length, "<data>", call);
    if (!status)
        status = cu_link_complete(compiler->state, &compiler->image, &compiler->size, call);
    CHECK(status != CUDA_ERROR_OUT_OF_MEMORY, NVPTXCOMPILE_ERROR_OUT_OF_MEMORY);
    return status ? NVPTXCOMPILE_ERROR_COMPILATION_FAILURE : NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerCompile(nvPTXCompilerHandle compiler, int numCompileOptions,
                                        const char *const *compileOptions)
{
    VALID(compiler);
    GIVEN(numCompileOptions >= 0 && (!numCompileOptions || compileOptions));
    for (int i = 0; i < numCompileOptions; i++)
        GIVEN(compileOptions[i] && compileOptions[i][0] == '-');
    if (compiler->result == NVPTXCOMPILE_ERROR_COMPILER_INVOCATION_INCOMPLETE)
        compiler->result = compile(compiler);
    return compiler->result;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgramSize(nvPTXCompilerHandle compiler,
                                                       size_t *binaryImageSize)
{
    VALID(compiler);
    GIVEN(binaryImageSize);
    COMPILED(compiler);
    *binaryImageSize = compiler->size;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetCompiledProgram(nvPTXCompilerHandle compiler, void *binaryImage)
{
    VALID(compiler);
    GIVEN(binaryImage);
    COMPILED(compiler);
    memcpy(binaryImage, compiler->image, compiler->size);
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetErrorLogSize(nvPTXCompilerHandle compiler, size_t *errorLogSize)
{
    VALID(compiler);
    GIVEN(errorLogSize);
    *errorLogSize = strlen(compiler->log);
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetErrorLog(nvPTXCompilerHandle compiler, char *errorLog)
{
    VALID(compiler);
    GIVEN(errorLog);
    strcpy(errorLog, compiler->log);
    return NVPTXCOMPILE_SUCCESS;
}

/* There is nothing to say of a program that is PTX. */
nvPTXCompileResult nvPTXCompilerGetInfoLogSize(nvPTXCompilerHandle compiler, size_t *infoLogSize)
{
    VALID(compiler);
    GIVEN(infoLogSize);
    *infoLogSize = 0;
    return NVPTXCOMPILE_SUCCESS;
}

nvPTXCompileResult nvPTXCompilerGetInfoLog(nvPTXCompilerHandle compiler, char *infoLog)
{
    VALID(compiler);
    GIVEN(infoLog);
    *infoLog = '\0';
    return NVPTXCOMPILE_SUCCESS;
}
