/* Version and date in the header of a waveform file that is closed: Verilator's writer leaves its
 * own name there, and the time of day. */
#ifndef EVGPU_TB_FST_STAMP_H
#define EVGPU_TB_FST_STAMP_H

#include "base/error.h"

/* False with `err` when the file is no FST file or cannot be written. A device keeps no header. */
bool fst_stamp(const char *path, const char *version, const char *date, struct error *err);

#endif
