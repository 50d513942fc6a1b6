#include "sim/cpu/trace/applications.h"

#include <stddef.h>
#include <string.h>

/* Table III's order. What each is known for, and the parameter that says it:
 *   perlbench, povray, tonto, applu, calculix, gcc, namd, barnes, gromacs, sjeng, dealII, wrf,
 *   h264ref, gobmk   live in the private caches; gcc, perlbench, gobmk and the servers (sjas, tpcw,
 *                    sjbb), xalan have much code; games and compilers have hard branches
 *   bzip2, hmmer     table look-ups in and around L2; astar, sjbb, xalan, omnetpp: pointers in a
 * heap mcf              chases pointers over a large graph and writes what it finds soplex sparse
 * rows: many short streams and gathers at once libquantum       one stream, read and written; lbm,
 * leslie3d, swim, Gems, milc, cactusADM: several art, sphinx3, ocean   scan arrays that fit a large
 * L3 in part */
const struct cpu_application cpu_applications[CPU_APPLICATIONS] = {
    /* name       mpki  ld  st  br  ch code trip hard db near  mid mr st ns dep ch heap bu reu di ph
       kilo */
    {"perlbench", 0.2, 26, 14, 20, 38, 32, 10, 15, 20, 128, 384,
     8,           20,  2,  40, 2,  16, 1,  60, 30, 20, 10},
    {"povray", 0.2, 30, 12, 13, 45, 32, 12, 15, 10, 128, 256,
     6,        30,  2,  30, 2,  8,  1,  60, 20, 10, 10},
    {"tonto", 0.2, 27, 12, 12, 42, 48, 16, 15, 0, 128, 384, 6, 60, 4, 10, 2, 16, 1, 50, 30, 10, 10},
    {"applu", 0.3, 27, 10, 5, 40, 16, 50, 4, 0, 128, 512, 10, 90, 6, 0, 1, 16, 2, 20, 40, 20, 10},
    {"calculix", 0.3, 30, 8, 6, 38, 16, 40, 8, 0, 128, 512, 8, 80, 4, 10, 2, 16, 1, 40, 25, 20, 10},
    {"gcc", 0.3, 26, 14, 21, 36, 40, 8, 15, 20, 128, 384, 10, 30, 3, 40, 2, 16, 1, 60, 40, 30, 10},
    {"namd", 0.4, 28, 9, 6, 40, 16, 60, 8, 0, 128, 384, 6, 60, 4, 10, 2, 16, 1, 40, 25, 10, 10},
    {"barnes", 0.7, 28, 12, 10, 42, 8, 20, 25, 10, 128, 512,
     12,       20,  2,  50, 2,  16, 1, 50, 25, 10, 10},
    {"gromacs", 0.7, 28, 12, 5, 42, 12, 40, 10, 0,  128, 384,
     10,        50,  4,  10, 2, 16, 1,  50, 25, 10, 10},
    {"sjeng", 0.8, 22, 8, 21, 36, 24, 8, 40, 20, 128, 256, 4, 0, 1, 20, 2, 128, 1, 10, 50, 10, 10},
    {"dealII", 1, 32, 8, 15, 38, 32, 16, 20, 10, 128, 512, 12, 50, 4, 30, 2, 32, 1, 50, 25, 20, 10},
    {"wrf", 1.3, 26, 10, 9, 40, 32, 40, 8, 0, 128, 512, 10, 80, 8, 10, 2, 64, 2, 30, 35, 20, 10},
    {"h264ref", 1.5, 32, 12, 8, 36, 24, 16, 20, 0,  128, 384,
     8,         70,  4,  10, 2, 16, 1,  60, 25, 20, 10},
    {"cactusADM", 1.6, 36, 12, 2, 45, 24, 80, 2,  0,  128, 512,
     10,          95,  12, 0,  1, 64, 3,  20, 40, 10, 10},
    {"gobmk", 1.6, 25, 12, 19, 38, 32, 10, 45, 20, 128, 256,
     10,      10,  2,  30, 2,  16, 1,  50, 30, 10, 10},
    {"bzip2", 3.1, 27, 10, 15, 36, 8, 20, 55, 20, 128, 512, 16, 40, 3, 20, 2, 8, 1, 60, 40, 30, 10},
    {"sjas", 4, 27, 13, 18, 36, 40, 8, 12, 10, 128, 256, 16, 20, 4, 40, 2, 128, 1, 40, 30, 20, 10},
    {"tpcw", 4.8, 27, 13, 18, 36,  40, 8,  12, 10, 128, 256,
     16,     20,  4,  40, 2,  256, 1,  40, 30, 20, 10},
    {"Gems", 5.2, 34, 12, 4, 40, 16, 80, 3, 0, 128, 256, 10, 95, 12, 0, 1, 128, 3, 15, 35, 10, 10},
    {"hmmer", 7, 34, 14, 8, 34, 8, 40, 15, 0, 128, 256, 20, 60, 4, 10, 2, 8, 2, 75, 45, 10, 10},
    {"astar", 7.1, 28, 8, 16, 38, 8, 12, 70, 40, 128, 256, 16, 5, 1, 60, 2, 64, 1, 45, 25, 20, 10},
    {"sjbb", 7.5, 27, 13, 17, 36,  36, 8,  12, 10, 128, 256,
     20,     25,  4,  40, 2,  256, 1,  40, 35, 20, 10},
    {"swim", 10, 28, 10, 3, 36, 8, 120, 2, 0, 128, 128, 8, 100, 10, 0, 1, 128, 4, 10, 40, 10, 10},
    {"ocean", 10.6, 30, 12, 5, 38, 12, 60, 4, 0, 128, 128, 10, 95, 8, 0, 1, 64, 3, 40, 40, 20, 10},
    {"sphinx3", 12, 32, 6,  12, 38, 12, 30, 15, 10, 128, 128,
     10,        80, 3,  10, 2,  32, 2,  60, 8,  10, 10},
    {"libquantum", 12.5, 22, 8, 22, 34, 4, 200, 1, 0, 64, 64, 4, 100, 1, 0, 1, 32, 2, 0, 50, 0, 10},
    {"art", 13.6, 30, 8, 12, 40, 4, 80, 4, 0, 64, 128, 10, 85, 4, 0, 1, 8, 3, 70, 15, 10, 10},
    {"lbm", 14, 26, 14, 2, 36, 4, 200, 1, 0, 64, 64, 4, 100, 19, 0, 1, 256, 6, 0, 48, 0, 10},
    {"leslie3d", 14.2, 32, 10, 4, 36,  12, 80, 3,  0,  128, 128,
     10,         98,   10, 0,  1, 128, 4,  15, 35, 10, 10},
    {"xalan", 14.6, 30, 9, 22, 36, 36, 10, 8, 10, 64, 128, 20, 10, 2, 50, 3, 64, 2, 65, 15, 20, 10},
    {"milc", 25, 30, 12, 4, 36, 8, 60, 2, 0, 64, 64, 8, 90, 6, 0, 1, 256, 4, 5, 35, 20, 10},
    {"omnetpp", 25.8, 30, 17, 20, 31, 24, 8,  15, 30, 64, 128,
     20,        0,    1,  75, 2,  64, 1,  45, 35, 20, 10},
    {"mcf", 49.8, 32, 10, 19, 30, 4, 20, 60, 50, 64, 64, 16, 10, 2, 80, 3, 512, 2, 30, 25, 20, 10},
    {"soplex", 103.2, 36, 8,  16, 30,  12, 30, 15, 20, 32, 64,
     20,       60,    8,  10, 4,  128, 4,  35, 20, 20, 10},
};

const struct cpu_mix cpu_mixes[CPU_MIXES] = {
    {"L1",
     {"povray", "tonto", "applu", "calculix", "gcc", "namd", "barnes", "gromacs", "sjeng", "dealII",
      "wrf", "h264ref", "cactusADM", "gobmk"}},
    {"L2",
     {"sjeng", "dealII", "wrf", "h264ref", "cactusADM", "gobmk", "sjeng", "dealII", "wrf",
      "h264ref", "cactusADM", "gobmk", "sjeng", "dealII"}},
    {"M1",
     {"sjas", "tpcw", "Gems", "hmmer", "astar", "sjbb", "swim", "ocean", "sphinx3", "libquantum",
      "art", "lbm", "leslie3d", "xalan"}},
    {"M2",
     {"ocean", "sphinx3", "libquantum", "art", "lbm", "leslie3d", "xalan", "ocean", "sphinx3",
      "libquantum", "art", "lbm", "leslie3d", "xalan"}},
    {"H1",
     {"milc", "soplex", "milc", "omnetpp", "mcf", "soplex", "milc", "omnetpp", "mcf", "soplex",
      "mcf", "soplex", "omnetpp", "mcf"}},
    {"H2",
     {"omnetpp", "omnetpp", "omnetpp", "omnetpp", "omnetpp", "milc", "milc", "milc", "milc", "milc",
      "soplex", "soplex", "mcf", "mcf"}},
};

const struct cpu_application *cpu_application_find(const char *name)
{
    /* Table III's name of what Table IV calls cactusADM. */
    if (!strcmp(name, "cactus"))
        name = "cactusADM";
    for (uint32_t i = 0; i < CPU_APPLICATIONS; i++) {
        if (!strcmp(cpu_applications[i].name, name))
            return &cpu_applications[i];
    }
    return NULL;
}

const struct cpu_mix *cpu_mix_find(const char *name)
{
    for (uint32_t i = 0; i < CPU_MIXES; i++) {
        if (!strcmp(cpu_mixes[i].name, name))
            return &cpu_mixes[i];
    }
    return NULL;
}
