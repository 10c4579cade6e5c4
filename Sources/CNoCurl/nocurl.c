// In place of libcurl, for a program that never calls it.
//
// The page's HTTP server has a handler that sends requests on with URLSession. Nothing here uses that handler, but it is compiled
// in, and so Foundation's URLSession with it, which names these functions. libcurl brings 27 libraries more, and to load them all
// takes a tenth of a start. Where Foundation is linked in (`make release`) its calls end here, and the Makefile takes libcurl's
// name out of the program; a URLSession would find that nothing can be initialised. Where Foundation is a library of its own,
// libcurl is loaded with it all the same.
#if defined(__linux__)
#include <stddef.h>

// As in <curl/curl.h>: an allocation or initialisation that failed. Of any other function the result is not looked at, since
// there is no handle that it could be called with.
enum { failed_init = 2 };

void curl_easy_cleanup(void) {}
int curl_easy_getinfo(void) { return failed_init; }
void *curl_easy_init(void) { return NULL; }
int curl_easy_pause(void) { return failed_init; }
int curl_easy_setopt(void) { return failed_init; }
const char *curl_easy_strerror(void) { return "no libcurl"; }
void curl_free(void) {}
int curl_global_init(void) { return failed_init; }
int curl_multi_add_handle(void) { return failed_init; }
int curl_multi_assign(void) { return failed_init; }
int curl_multi_cleanup(void) { return failed_init; }
void *curl_multi_info_read(void) { return NULL; }
void *curl_multi_init(void) { return NULL; }
int curl_multi_remove_handle(void) { return failed_init; }
int curl_multi_setopt(void) { return failed_init; }
int curl_multi_socket_action(void) { return failed_init; }
void *curl_slist_append(void) { return NULL; }
void curl_slist_free_all(void) {}
void *curl_url(void) { return NULL; }
int curl_url_get(void) { return failed_init; }
int curl_url_set(void) { return failed_init; }
const char *curl_version(void) { return "no libcurl"; }
void *curl_version_info(void) { return NULL; }
#endif
