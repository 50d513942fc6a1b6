/* Words that nvcc's own front end does without, and clang wants: __device__ and __host__ where only
 * the declaration of a member function has them, or only its definition, or a specialization has
 * others than its template; "this->", "template" and "typename" in templates. And names that
 * templates lack. */
#ifndef EVGPU_NVCC_MISSING_H
#define EVGPU_NVCC_MISSING_H

#include <stdbool.h>

/* The place in a line of clang's where a word is missing: behind "FILE:LINE:COLUMN" of what the
 * word goes in front of; NULL: it says something else. `*word`: what is missing. */
const char *missing_word(const char *line, const char **word);

/* The same for a note, and attributes. `of`: the line with the error that it belongs to, at whose
 * place the word is missing, or at the note's: it goes to both where `*there`, and does no harm at
 * the other. */
const char *missing_attribute(const char *line, const char *of, const char **word, bool *there);

/* The same for a note of device code about a function of the device that host code calls, where
 * __host__ is missing: nvcc's own front end does not look into host code there, and the host may
 * have another function of that name. */
const char *missing_host(const char *line, const char *of);

/* The same where "template" may be missing in front of a member function; at the place a class may
 * precede it. */
const char *missing_template(const char *line);

/* Whether clang says in this line that it does not know a name. In a template that nobody uses,
 * nvcc's own front end does not ask. */
bool missing_name(const char *line);

/* A file's text with the word in front of a name, and of the classes that the name is qualified
 * by where the word is an attribute or "typename". */
char *missing_put(char *bytes, char *name, const char *word);

/* The same with "template" in front of a member function that is called with template arguments.
 * False: it has none. */
bool missing_put_template(char **bytes, char *at);

/* The same with __host__, for device code alone. False: nothing in front of it depends on the side
 * that is compiled, so host code calls what is not there for it. */
bool missing_put_host(char **bytes, char *at);

#endif
