#ifndef PINPROOF_CFILES_H
#define PINPROOF_CFILES_H

/* A text that is part of the program, as a C string. */
struct pp_file {
    const char *name;
    const unsigned char *text;
};

/* Those of the page, in the order of their names; the last one has none. */
const struct pp_file *pp_page_files(void);

/* SwiftPM's Package.resolved, as JSON; nothing where there was none. */
const struct pp_file *pp_resolved_packages(void);

#endif
