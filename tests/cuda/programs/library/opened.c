#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *library = dlopen("./liblib.so", RTLD_NOW);
    int (*answer)(void) = library ? (int (*)(void))dlsym(library, "answer") : NULL;
    if (!answer) {
        puts(dlerror());
        return 1;
    }
    int got = answer();
    dlclose(library);
    puts(got == 42 ? "opened: PASSED" : "opened: FAILED");
    return got != 42;
}
