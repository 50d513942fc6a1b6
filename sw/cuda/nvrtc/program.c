#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sw/cuda/nvcc/version.h"
#include "sw/cuda/nvrtc/program.h"

const char *nvrtcGetErrorString(nvrtcResult result)
{
    static const char *const names[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "NVRTC_ERROR_INTERNAL_ERROR",
                                        "NVRTC_ERROR_TIME_FILE_WRITE_FAILED"};
    return (size_t)result < sizeof names / sizeof names[0] ? names[result] : "NVRTC_ERROR unknown";
}

nvrtcResult nvrtcVersion(int *major, int *minor)
{
    if (!major || !minor)
        return NVRTC_ERROR_INVALID_INPUT;
    *major = NVCC_MAJOR;
    *minor = NVCC_MINOR;
    return NVRTC_SUCCESS;
}

/* nvcc's list has one "compute_NN" a line. */
static nvrtcResult list_archs(int *count, int *list)
{
    char *text = compile_ask("--list-gpu-arch");
    if (!text)
        return NVRTC_ERROR_INTERNAL_ERROR;
    *count = 0;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        int number;
        if (sscanf(line, "compute_%d", &number) == 1 && (*count)++ >= 0 && list)
            list[*count - 1] = number;
    }
    free(text);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetNumSupportedArchs(int *numArchs)
{
    return numArchs ? list_archs(numArchs, NULL) : NVRTC_ERROR_INVALID_INPUT;
}

nvrtcResult nvrtcGetSupportedArchs(int *supportedArchs)
{
    int count;
    return supportedArchs ? list_archs(&count, supportedArchs) : NVRTC_ERROR_INVALID_INPUT;
}

/* --- programs -----------------------------------------------------------------------------------
 */

nvrtcResult nvrtcCreateProgram(nvrtcProgram *prog, const char *src, const char *name,
                               int numHeaders, const char *const *headers,
                               const char *const *includeNames)
{
    if (!prog || !src || numHeaders < 0 || (numHeaders && (!headers || !includeNames)))
        return NVRTC_ERROR_INVALID_INPUT;
    nvrtcProgram made = calloc(1, sizeof *made);
    struct header *list = calloc((size_t)numHeaders + 1, sizeof *list);
    if (!made || !list) {
        free(made);
        free(list);
        return NVRTC_ERROR_OUT_OF_MEMORY;
    }
    made->source = words_text("%s", src);
    made->name = words_text("%s", name && *name ? name : "default_program");
    made->headers = list;
    made->n_headers = (size_t)numHeaders;
    for (size_t i = 0; i < made->n_headers; i++)
        list[i] = (struct header){.name = words_text("%s", includeNames[i]),
                                  .text = words_text("%s", headers[i])};
    *prog = made;
    return NVRTC_SUCCESS;
}

static void drop_results(nvrtcProgram prog)
{
    for (size_t i = 0; i < prog->n_expressions; i++) {
        free(prog->expressions[i].lowered);
        prog->expressions[i].lowered = NULL;
    }
    free(prog->ptx);
    free(prog->log);
    prog->ptx = prog->log = NULL;
}

nvrtcResult nvrtcDestroyProgram(nvrtcProgram *prog)
{
    if (!prog || !*prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    nvrtcProgram old = *prog;
    drop_results(old);
    for (size_t i = 0; i < old->n_headers; i++) {
        free(old->headers[i].name);
        free(old->headers[i].text);
    }
    for (size_t i = 0; i < old->n_expressions; i++)
        free(old->expressions[i].text);
    free(old->headers);
    free(old->expressions);
    free(old->macros);
    free(old->source);
    free(old->name);
    free(old);
    *prog = NULL;
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcCompileProgram(nvrtcProgram prog, int numOptions, const char *const *options)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (numOptions < 0 || (numOptions && !options))
        return NVRTC_ERROR_INVALID_INPUT;
    drop_results(prog);
    prog->compiled = true;
    return compile_program(prog, numOptions, options);
}

/* --- results ------------------------------------------------------------------------------------
 */

static nvrtcResult give_size(nvrtcProgram prog, const char *text, size_t *size)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!size)
        return NVRTC_ERROR_INVALID_INPUT;
    *size = text ? strlen(text) + 1 : 0;
    return NVRTC_SUCCESS;
}

static nvrtcResult give_text(nvrtcProgram prog, const char *text, char *to)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!to)
        return NVRTC_ERROR_INVALID_INPUT;
    if (text)
        memcpy(to, text, strlen(text) + 1);
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetPTXSize(nvrtcProgram prog, size_t *ptxSizeRet)
{
    if (prog && !prog->ptx)
        return NVRTC_ERROR_INVALID_PROGRAM;
    return give_size(prog, prog ? prog->ptx : NULL, ptxSizeRet);
}

nvrtcResult nvrtcGetPTX(nvrtcProgram prog, char *ptx)
{
    if (prog && !prog->ptx)
        return NVRTC_ERROR_INVALID_PROGRAM;
    return give_text(prog, prog ? prog->ptx : NULL, ptx);
}

nvrtcResult nvrtcGetCUBINSize(nvrtcProgram prog, size_t *cubinSizeRet)
{
    return give_size(prog, prog && prog->real ? prog->ptx : NULL, cubinSizeRet);
}

nvrtcResult nvrtcGetCUBIN(nvrtcProgram prog, char *cubin)
{
    return give_text(prog, prog && prog->real ? prog->ptx : NULL, cubin);
}

nvrtcResult nvrtcGetNVVMSize(nvrtcProgram prog, size_t *nvvmSizeRet)
{
    return give_size(prog, NULL, nvvmSizeRet);
}

nvrtcResult nvrtcGetNVVM(nvrtcProgram prog, char *nvvm)
{
    return give_text(prog, NULL, nvvm);
}

nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram prog, size_t *logSizeRet)
{
    return give_size(prog, prog && prog->log ? prog->log : "", logSizeRet);
}

nvrtcResult nvrtcGetProgramLog(nvrtcProgram prog, char *log)
{
    return give_text(prog, prog && prog->log ? prog->log : "", log);
}

/* --- names --------------------------------------------------------------------------------------
 */

nvrtcResult nvrtcAddNameExpression(nvrtcProgram prog, const char *name_expression)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression)
        return NVRTC_ERROR_INVALID_INPUT;
    if (prog->compiled)
        return NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION;
    struct expression *more =
        realloc(prog->expressions, (prog->n_expressions + 1) * sizeof *prog->expressions);
    if (!more)
        return NVRTC_ERROR_OUT_OF_MEMORY;
    prog->expressions = more;
    more[prog->n_expressions++] = (struct expression){.text = words_text("%s", name_expression)};
    return NVRTC_SUCCESS;
}

nvrtcResult nvrtcGetLoweredName(nvrtcProgram prog, const char *name_expression,
                                const char **lowered_name)
{
    if (!prog)
        return NVRTC_ERROR_INVALID_PROGRAM;
    if (!name_expression || !lowered_name)
        return NVRTC_ERROR_INVALID_INPUT;
    if (!prog->ptx)
        return NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION;
    for (size_t i = 0; i < prog->n_expressions; i++) {
        if (!strcmp(prog->expressions[i].text, name_expression)) {
            *lowered_name = prog->expressions[i].lowered;
            return NVRTC_SUCCESS;
        }
    }
    return NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID;
}
