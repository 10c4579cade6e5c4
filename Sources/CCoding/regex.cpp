#include "CCoding.h"

#include <re2/re2.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

struct pp_regex {
    RE2 compiled;
    pp_regex(const re2::StringPiece &pattern, const RE2::Options &options) : compiled(pattern, options) {}
};

template <size_t size> static void copy(const std::string &text, char (&place)[size]) {
    const size_t count = std::min(text.size(), size - 1);
    std::memcpy(place, text.data(), count);
    place[count] = 0;
}

pp_regex *pp_regex_new(
    const char *pattern, size_t length, bool ignores_case, int64_t max_memory, pp_regex_fault *fault) {
    fault->reason[0] = fault->fragment[0] = 0;
    pp_regex *regex = nullptr;
    try {
        RE2::Options options;
        // RE2 would write to stderr.
        options.set_log_errors(false);
        options.set_case_sensitive(!ignores_case);
        options.set_max_mem(max_memory);
        regex = new pp_regex(re2::StringPiece(pattern, length), options);
        if (regex->compiled.ok()) return regex;
        copy(regex->compiled.error(), fault->reason);
        copy(regex->compiled.error_arg(), fault->fragment);
    } catch (...) {
        copy("out of memory", fault->reason);
    }
    delete regex;
    return nullptr;
}

bool pp_regex_matches(const pp_regex *regex, const uint8_t *bytes, size_t length) {
    try {
        const re2::StringPiece text(reinterpret_cast<const char *>(bytes), length);
        return regex->compiled.Match(text, 0, length, RE2::UNANCHORED, nullptr, 0);
    } catch (...) {
        return false;
    }
}

void pp_regex_free(pp_regex *regex) {
    delete regex;
}
