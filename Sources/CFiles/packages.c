// Which Swift packages the program was built with, as SwiftPM wrote it down before the build.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CFiles.h"

static const unsigned char resolved[] = {
// A file that is not there makes it empty: Xcode keeps its own elsewhere.
#if __has_embed("../../Package.resolved")
#embed "../../Package.resolved" suffix(, )
#endif
    0,
};

const struct pp_file *pp_resolved_packages(void) {
    static const struct pp_file file = {"Package.resolved", resolved};
    return &file;
}
