#include "tests/fuzz/fuzz.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/file.h"
#include "tests/fuzz/inputs.h"

#define HANG_SECONDS 60 /* of processor time for one input: far more than any takes */
#define SEED         20261123u

/* What the worker does, as the process that started it sees it. */
struct shared {
    uint64_t executions;
    uint32_t index; /* of the input; the inputs' count and on: of a mutant */
    size_t size;
    uint8_t data[FUZZ_LONGEST];
};

static char folder[256];

/* --- for targets ------------------------------------------------------------------------------ */

void fuzz_expect(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "fuzz: does not hold: %s\n", what);
    abort();
}

void fuzz_check(bool ok, const struct error *err)
{
    if (ok == err->set)
        fprintf(stderr, "fuzz: %s, the error is \"%s\"\n", ok ? "success" : "failure", err->text);
    fuzz_expect(ok != err->set, "an error is set if and only if the reader fails");
    fuzz_expect(ok || err->text[0], "an error says something");
}

const char *fuzz_folder(void)
{
    const char *memory = getenv("TMPDIR");
    if (!memory || !*memory)
        memory = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    if (!folder[0]) {
        snprintf(folder, sizeof folder, "%s/evgpu-fuzz-XXXXXX", memory);
        fuzz_expect(mkdtemp(folder) != NULL, "a folder for files");
    }
    return folder;
}

const char *fuzz_file(const char *name, const void *data, size_t size)
{
    static char paths[8][320];
    static uint32_t next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", fuzz_folder(), name);
    FILE *file = fopen(path, "wb");
    fuzz_expect(file && (!size || fwrite(data, 1, size, file) == size) && fclose(file) == 0, path);
    return path;
}

uint32_t fuzz_parts(const uint8_t *data, size_t size, struct fuzz_part *parts, uint32_t most)
{
    static const char between[] = "\n--\n";
    uint32_t n = 0;
    for (;;) {
        const uint8_t *end = n + 1 < most ? memmem(data, size, between, strlen(between)) : NULL;
        parts[n++] = (struct fuzz_part){data, end ? (size_t)(end + 1 - data) : size};
        if (!end)
            return n;
        size -= (size_t)(end - data) + strlen(between);
        data = end + strlen(between);
    }
}

/* --- running ---------------------------------------------------------------------------------- */

static void forget_folder(void)
{
    char command[300];
    if (!folder[0])
        return;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command))
        fprintf(stderr, "fuzz: %s is left\n", folder);
    folder[0] = '\0';
}

/* In memory of exactly its size, so that a sanitizer sees what reads beyond. */
static void execute(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size ? size : 1);
    fuzz_expect(copy != NULL, "memory");
    memcpy(copy, data, size);
    fuzz_target.one(copy, size);
    free(copy);
}

static void limit_time(void)
{
    struct itimerval limit = {.it_value = {.tv_sec = HANG_SECONDS}};
    setitimer(ITIMER_PROF, &limit, NULL);
}

static void worker_execute(struct shared *s, uint32_t index)
{
    s->index = index;
    limit_time();
    execute(s->data, s->size);
    s->executions++;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Inputs from `first` on, then mutants: so many, or until the time is over. */
static void work(struct shared *s, uint32_t first, uint64_t mutants, double until, uint64_t seed)
{
    struct rng rng;
    rng_seed(&rng, seed);
    for (uint32_t i = first; i < inputs_count(); i++) {
        s->size = inputs_at(i)->size;
        memcpy(s->data, inputs_at(i)->data, s->size);
        worker_execute(s, i);
    }
    for (uint64_t i = 0; until > 0 ? now() < until : i < mutants; i++) {
        s->size = inputs_mutant(&rng, s->data);
        worker_execute(s, inputs_count());
    }
}

/* A process of its own does the work. Its status as waitpid gives it. */
static int start_worker(struct shared *s, uint32_t first, uint64_t mutants, double until,
                        uint64_t seed)
{
    int status = 0;
    fflush(NULL);
    pid_t child = fork();
    fuzz_expect(child >= 0, "a process");
    if (child == 0) {
        work(s, first, mutants, until, seed);
        forget_folder();
        inputs_free();
        exit(0); /* with a look for memory that was lost */
    }
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static struct shared *share(void)
{
    struct shared *s =
        mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fuzz_expect(s != MAP_FAILED, "shared memory");
    return s;
}

static int run_tests(void)
{
    struct shared *s = share();
    inputs_load();
    fuzz_folder();
    int status = start_worker(s, 0, fuzz_target.mutants, 0, SEED);
    forget_folder();
    if (!status) {
        printf("ok %s: %u inputs\nok %s: %llu mutants\n", fuzz_target.name, inputs_count(),
               fuzz_target.name, (unsigned long long)(s->executions - inputs_count()));
        inputs_free();
        return 0;
    }
    bool hangs = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    printf("not ok %s: %s %u of %u%s, line for tests/fuzz/corpus/%s.txt:\n", fuzz_target.name,
           hangs ? "hangs at" : "ends at", s->index, inputs_count(),
           s->index < inputs_count() ? "" : " (a mutant)", fuzz_target.name);
    inputs_print(stdout, s->data, s->size);
    return 1;
}

/* Until the time is over, whatever crashes. Ends with a line "NAME EXECUTIONS CRASHES HANGS". */
static int run_campaign(double seconds, const char *to)
{
    struct shared *s = share();
    double until = now() + seconds;
    uint64_t seed = (uint64_t)getpid() << 32 ^ (uint64_t)time(NULL);
    uint32_t crashes = 0, hangs = 0;
    inputs_load();
    fuzz_folder();
    for (uint32_t first = 0; now() < until; first = inputs_count()) {
        int status = start_worker(s, first, 0, until, seed++);
        if (!status)
            break;
        bool hang = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
        char path[4096];
        struct error err = {0};
        snprintf(path, sizeof path, "%s/%s-%u", to, hang ? "hang" : "crash",
                 hang ? hangs : crashes);
        hangs += hang;
        crashes += !hang;
        if (!write_file(path, s->data, s->size, &err))
            fprintf(stderr, "fuzz: %s\n", err.text);
    }
    forget_folder();
    printf("%s %llu %u %u\n", fuzz_target.name, (unsigned long long)s->executions, crashes, hangs);
    inputs_free();
    return crashes + hangs > 0;
}

static int unpack(const char *to)
{
    inputs_load();
    for (uint32_t i = 0; i < inputs_count(); i++) {
        char path[4096];
        struct error err = {0};
        snprintf(path, sizeof path, "%s/%03u", to, i);
        fuzz_expect(write_file(path, inputs_at(i)->data, inputs_at(i)->size, &err), err.text);
    }
    inputs_free();
    forget_folder();
    return 0;
}

static int run_files(char **paths)
{
    for (; *paths; paths++) {
        struct error err = {0};
        size_t size;
        uint8_t *data = read_file(*paths, &size, &err);
        fuzz_expect(data != NULL, err.text);
        execute(data, size);
        free(data);
        printf("ok %s\n", *paths);
    }
    forget_folder();
    return 0;
}

#ifdef __AFL_FUZZ_TESTCASE_LEN
__AFL_FUZZ_INIT();

static int run_afl(void)
{
    fuzz_folder();
    __AFL_INIT();
    const uint8_t *data = __AFL_FUZZ_TESTCASE_BUF;
    while (__AFL_LOOP(1000))
        execute(data, (size_t)__AFL_FUZZ_TESTCASE_LEN);
    return 0; /* its folder is for those that come after it */
}
#else
static int run_afl(void)
{
    fprintf(stderr, "fuzz: not built by AFL++'s compiler\n");
    return 2;
}
#endif

int main(int argc, char **argv)
{
    if (argc == 1)
        return run_tests();
    if (!strcmp(argv[1], "--afl"))
        return run_afl();
    if (argc == 3 && !strcmp(argv[1], "--unpack"))
        return unpack(argv[2]);
    if (argc == 4 && !strcmp(argv[1], "--seconds"))
        return run_campaign(strtod(argv[2], NULL), argv[3]);
    return run_files(argv + 1);
}
