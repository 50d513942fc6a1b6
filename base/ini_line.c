#include "base/ini_line.h"

#include <stdio.h>

char *ini_line(char *text, int size, void *stream)
{
    FILE *file = stream;
    int n = 0, c = 0;
    while (n < size - 1 && c != '\n' && (c = getc(file)) != EOF)
        text[n++] = (char)(c ? c : '?');
    text[n] = '\0';
    return n && !ferror(file) ? text : NULL;
}
