/* RE2, which is C++, as C functions of the same meaning. No exception leaves them. */
#ifndef PINPROOF_CCODING_H
#define PINPROOF_CCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A compiled pattern. It does not change, so that any thread may use it at any time (re2.h, "THREAD-SAFETY"). */
typedef struct pp_regex pp_regex;

/* What is wrong with a pattern, in RE2's words, cut to what fits; both end with a zero byte. */
typedef struct {
    char reason[128];
    /* The part of the pattern that RE2 blames; may be empty, or all of it. */
    char fragment[512];
} pp_regex_fault;

/* Compiles a pattern in UTF-8. `max_memory` in bytes bounds the compiled pattern and what matching keeps for it.
   NULL, and `fault` filled in, where it is wrong; otherwise the caller frees the result by pp_regex_free. */
pp_regex *pp_regex_new(
    const char *pattern, size_t length, bool ignores_case, int64_t max_memory, pp_regex_fault *fault);

/* Whether it matches anywhere in the bytes, in time linear in `length`. */
bool pp_regex_matches(const pp_regex *regex, const uint8_t *bytes, size_t length);

/* NULL is let be. */
void pp_regex_free(pp_regex *regex);

#ifdef __cplusplus
}
#endif

#endif
