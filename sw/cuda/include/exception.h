/* Exceptions of sample programs, with file and line. Our own; a program's copy comes first. */
#ifndef EVGPU_CUDA_EXCEPTION_H
#define EVGPU_CUDA_EXCEPTION_H

#include <stdlib.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

template <class Std> class Exception : public Std
{
  public:
    static void throw_it(const char *file, const int line,
                         const char *detailed = "Error in CUDA program")
    {
        throw Exception(std::string(detailed) + " in " + file + ":" + std::to_string(line));
    }
    explicit Exception(const std::string &text) : Std(text)
    {
    }
};

template <class Ex> inline void handleException(const Ex &ex)
{
    std::cerr << ex.what() << std::endl;
    exit(EXIT_FAILURE);
}

#define RUNTIME_EXCEPTION(msg) Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, msg)
#define LOGIC_EXCEPTION(msg)   Exception<std::logic_error>::throw_it(__FILE__, __LINE__, msg)
#define RANGE_EXCEPTION(msg)   Exception<std::range_error>::throw_it(__FILE__, __LINE__, msg)

#endif
