/* Command lines of sample programs: -name, --name=value. Our own; a program's copy comes first. */
#ifndef EVGPU_CUDA_HELPER_STRING_H
#define EVGPU_CUDA_HELPER_STRING_H

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include <string>

#ifndef STRCASECMP
#define STRCASECMP                strcasecmp
#define STRNCASECMP               strncasecmp
#define STRCPY(to, length, from)  strncpy(to, from, length)
#define FOPEN(handle, name, mode) (handle = fopen(name, mode))
#define FOPEN_FAIL(result)        (result == NULL)
#define SSCANF                    sscanf
#define SPRINTF                   sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char *string)
{
    int start = 0;
    while (string[start] == delimiter)
        start++;
    return string[start] ? start : 0;
}

/* What stands behind "name" or "name=" in an argument (and `name` may end in "="); NULL where none
 * is that option. */
inline const char *evgpuFindArgument(int argc, const char **argv, const char *name)
{
    const size_t length = strcspn(name, "=");
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i] + stringRemoveDelimiter('-', argv[i]);
        if (strncasecmp(word, name, length) == 0 && (word[length] == '=' || !word[length]))
            return word + length + (word[length] == '=');
    }
    return NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *string_ref)
{
    return evgpuFindArgument(argc, argv, string_ref) != NULL;
}

template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *string_ref,
                                    T *value)
{
    const char *text = evgpuFindArgument(argc, argv, string_ref);
    if (text && *text)
        *value = (T)atoi(text);
    return text != NULL;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *string_ref)
{
    const char *text = evgpuFindArgument(argc, argv, string_ref);
    return text ? atoi(text) : 0;
}

inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *string_ref)
{
    const char *text = evgpuFindArgument(argc, argv, string_ref);
    return text ? (float)atof(text) : 0.0f;
}

inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *string_ref,
                                     char **string_retval)
{
    const char *text = evgpuFindArgument(argc, argv, string_ref);
    *string_retval = const_cast<char *>(text && *text ? text : NULL);
    return *string_retval != NULL;
}

inline int getFileExtension(char *filename, char **extension)
{
    *extension = strrchr(filename, '.') ? strrchr(filename, '.') + 1 : filename + strlen(filename);
    return (int)strlen(*extension);
}

/* The file as named or in a data folder near the program or the working folder; malloc()ed. */
inline char *sdkFindFilePath(const char *filename, const char *executable_path)
{
    static const char *const folders[] = {
        "",        "data/",           "../data/",           "../../data/",
        "common/", "../common/data/", "../../common/data/", "../../../common/data/"};
    std::string base;
    if (executable_path && strrchr(executable_path, '/'))
        base.assign(executable_path, strrchr(executable_path, '/') + 1);
    for (int from = 0; from < 2; from++) {
        for (const char *folder : folders) {
            const std::string path = (from ? base : std::string()) + folder + filename;
            if (access(path.c_str(), R_OK) == 0)
                return strdup(path.c_str());
        }
    }
    return NULL;
}

#endif
