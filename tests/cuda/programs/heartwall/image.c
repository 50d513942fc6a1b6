#include "define.h"

#include <stdlib.h>

fp *make_frame(int rows, int cols, int number)
{
    fp *frame = malloc(sizeof(fp) * rows * cols);
    for (int i = 0; i < rows * cols; i++)
        frame[i] = (fp)((i * 37 + number * 11) % 256);
    return frame;
}
