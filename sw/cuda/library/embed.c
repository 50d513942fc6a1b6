/* The library's PTX, which the build names, with the zero behind it that texts have. */
extern const char library_ptx[];
__asm__(".pushsection .rodata\n"
        ".globl library_ptx\n"
        ".hidden library_ptx\n"
        "library_ptx:\n"
        ".incbin \"" LIBRARY_PTX "\"\n"
        ".byte 0\n"
        ".popsection");
