#ifndef SHARED_H
#define SHARED_H

template <class T, int N> struct Row {
    T at[N];
};

extern __managed__ Row<double, 3> row;
extern __managed__ int steps;

void advance();

#endif
