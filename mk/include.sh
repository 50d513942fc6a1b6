#!/bin/sh
# include.sh -DNAME=TEXT FILE...: one C++ file that includes all FILEs, in the place of Verilator's own script. The files
# that Verilator calls slow run once and come last: they are not optimised.
slow=
for argument; do
    case $argument in
    -D*=*)
        definition=${argument#-D}
        echo "#define ${definition%%=*} ${definition#*=}"
        continue
        ;;
    *__Slow.cpp)
        [ -n "$slow" ] || printf '#pragma GCC %s\n' 'optimize ("O0")' 'diagnostic ignored "-Wattributes"'
        slow=1
        ;;
    esac
    echo "#include \"$argument\""
done
