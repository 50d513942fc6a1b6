/* Registers by their names in assembly with operands: asm("mov.u32 %0, %smid;" : "=r"(id)).
 * nvcc's own front end takes a '%' before a word as it is; clang wants "%%smid". It also does
 * without the comma between two operands. */
#ifndef EVGPU_NVCC_ASSEMBLY_H
#define EVGPU_NVCC_ASSEMBLY_H

/* The text with such a '%' doubled and with these commas; the text itself: nothing is missing. */
char *assembly_mend(char *bytes);

#endif
