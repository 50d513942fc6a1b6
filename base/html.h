/* Pages of HTML that need nothing else: no script, no network, style inside. Readable on a phone
 * and on paper: text of at least 12 pixels, contrasts of at least 4.5, wide parts in a box of their
 * own that scrolls. */
#ifndef EVGPU_BASE_HTML_H
#define EVGPU_BASE_HTML_H

#include <stdio.h>

/* The element <style> of every page, for those that others write. */
void html_style(FILE *out);

/* From the document type to the opened body. */
void html_begin(FILE *out, const char *title);
void html_end(FILE *out);

/* Escaped, also for attributes. */
void html_text(FILE *out, const char *text);
void html_element(FILE *out, const char *tag, const char *text);

#endif
