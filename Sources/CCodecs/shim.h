#ifndef PINPROOF_CCODECS_H
#define PINPROOF_CCODECS_H
/* RE2 is C++: its functions are in CCoding. */
#include <brotli/decode.h>
#include <iconv.h>
#include <nghttp2/nghttp2.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>
#endif
