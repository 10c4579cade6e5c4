// The page's files (Sources/Web/Page), which are part of the program. A test holds the list against the folder.
//
// As Swift arrays they take the compiler a minute.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "CFiles.h"

#include <stddef.h>

// Each is a text, and ends with a NUL that is not its own.
static const struct pp_file files[] = {
    {"address.js", (const unsigned char[]){
#embed "../Web/Page/address.js"
    , 0}},
    {"api.js", (const unsigned char[]){
#embed "../Web/Page/api.js"
    , 0}},
    {"base.css", (const unsigned char[]){
#embed "../Web/Page/base.css"
    , 0}},
    {"body-kinds.js", (const unsigned char[]){
#embed "../Web/Page/body-kinds.js"
    , 0}},
    {"body-pretty.js", (const unsigned char[]){
#embed "../Web/Page/body-pretty.js"
    , 0}},
    {"body-view.js", (const unsigned char[]){
#embed "../Web/Page/body-view.js"
    , 0}},
    {"body.css", (const unsigned char[]){
#embed "../Web/Page/body.css"
    , 0}},
    {"card-table.js", (const unsigned char[]){
#embed "../Web/Page/card-table.js"
    , 0}},
    {"clipboard.js", (const unsigned char[]){
#embed "../Web/Page/clipboard.js"
    , 0}},
    {"compare-sessions.js", (const unsigned char[]){
#embed "../Web/Page/compare-sessions.js"
    , 0}},
    {"compare.js", (const unsigned char[]){
#embed "../Web/Page/compare.js"
    , 0}},
    {"detail-actions.js", (const unsigned char[]){
#embed "../Web/Page/detail-actions.js"
    , 0}},
    {"detail-failure.js", (const unsigned char[]){
#embed "../Web/Page/detail-failure.js"
    , 0}},
    {"detail-messages.js", (const unsigned char[]){
#embed "../Web/Page/detail-messages.js"
    , 0}},
    {"detail-overview.js", (const unsigned char[]){
#embed "../Web/Page/detail-overview.js"
    , 0}},
    {"detail-side.js", (const unsigned char[]){
#embed "../Web/Page/detail-side.js"
    , 0}},
    {"detail-timing.js", (const unsigned char[]){
#embed "../Web/Page/detail-timing.js"
    , 0}},
    {"detail-tls.js", (const unsigned char[]){
#embed "../Web/Page/detail-tls.js"
    , 0}},
    {"detail.css", (const unsigned char[]){
#embed "../Web/Page/detail.css"
    , 0}},
    {"detail.js", (const unsigned char[]){
#embed "../Web/Page/detail.js"
    , 0}},
    {"dialog.js", (const unsigned char[]){
#embed "../Web/Page/dialog.js"
    , 0}},
    {"dialogs.js", (const unsigned char[]){
#embed "../Web/Page/dialogs.js"
    , 0}},
    {"diff.js", (const unsigned char[]){
#embed "../Web/Page/diff.js"
    , 0}},
    {"dom.js", (const unsigned char[]){
#embed "../Web/Page/dom.js"
    , 0}},
    {"empty.js", (const unsigned char[]){
#embed "../Web/Page/empty.js"
    , 0}},
    {"failure-words.js", (const unsigned char[]){
#embed "../Web/Page/failure-words.js"
    , 0}},
    {"field-lines.js", (const unsigned char[]){
#embed "../Web/Page/field-lines.js"
    , 0}},
    {"fields.js", (const unsigned char[]){
#embed "../Web/Page/fields.js"
    , 0}},
    {"filter-box.js", (const unsigned char[]){
#embed "../Web/Page/filter-box.js"
    , 0}},
    {"filter-words.js", (const unsigned char[]){
#embed "../Web/Page/filter-words.js"
    , 0}},
    {"flow-words.js", (const unsigned char[]){
#embed "../Web/Page/flow-words.js"
    , 0}},
    {"flows.js", (const unsigned char[]){
#embed "../Web/Page/flows.js"
    , 0}},
    {"focus.js", (const unsigned char[]){
#embed "../Web/Page/focus.js"
    , 0}},
    {"graphql.js", (const unsigned char[]){
#embed "../Web/Page/graphql.js"
    , 0}},
    {"grpc.js", (const unsigned char[]){
#embed "../Web/Page/grpc.js"
    , 0}},
    {"hex.js", (const unsigned char[]){
#embed "../Web/Page/hex.js"
    , 0}},
    {"icon.svg", (const unsigned char[]){
#embed "../Web/Page/icon.svg"
    , 0}},
    {"ids.js", (const unsigned char[]){
#embed "../Web/Page/ids.js"
    , 0}},
    {"index.html", (const unsigned char[]){
#embed "../Web/Page/index.html"
    , 0}},
    {"json-tokens.js", (const unsigned char[]){
#embed "../Web/Page/json-tokens.js"
    , 0}},
    {"json-view.js", (const unsigned char[]){
#embed "../Web/Page/json-view.js"
    , 0}},
    {"keys.js", (const unsigned char[]){
#embed "../Web/Page/keys.js"
    , 0}},
    {"list-grid.js", (const unsigned char[]){
#embed "../Web/Page/list-grid.js"
    , 0}},
    {"list-row.js", (const unsigned char[]){
#embed "../Web/Page/list-row.js"
    , 0}},
    {"list.css", (const unsigned char[]){
#embed "../Web/Page/list.css"
    , 0}},
    {"live.js", (const unsigned char[]){
#embed "../Web/Page/live.js"
    , 0}},
    {"main.js", (const unsigned char[]){
#embed "../Web/Page/main.js"
    , 0}},
    {"markup.js", (const unsigned char[]){
#embed "../Web/Page/markup.js"
    , 0}},
    {"message-text.js", (const unsigned char[]){
#embed "../Web/Page/message-text.js"
    , 0}},
    {"multipart.js", (const unsigned char[]){
#embed "../Web/Page/multipart.js"
    , 0}},
    {"onboarding-alone.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-alone.html"
    , 0}},
    {"onboarding-android.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-android.html"
    , 0}},
    {"onboarding-check.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-check.html"
    , 0}},
    {"onboarding-emulators.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-emulators.html"
    , 0}},
    {"onboarding-firefox.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-firefox.html"
    , 0}},
    {"onboarding-flutter.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-flutter.html"
    , 0}},
    {"onboarding-ios.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-ios.html"
    , 0}},
    {"onboarding-java.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-java.html"
    , 0}},
    {"onboarding-linux.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-linux.html"
    , 0}},
    {"onboarding-macos.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-macos.html"
    , 0}},
    {"onboarding-node.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-node.html"
    , 0}},
    {"onboarding-phone.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-phone.html"
    , 0}},
    {"onboarding-proxied.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-proxied.html"
    , 0}},
    {"onboarding-proxy.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-proxy.html"
    , 0}},
    {"onboarding-python.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-python.html"
    , 0}},
    {"onboarding-react-native.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-react-native.html"
    , 0}},
    {"onboarding-scope.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-scope.html"
    , 0}},
    {"onboarding-windows.html", (const unsigned char[]){
#embed "../Web/Page/onboarding-windows.html"
    , 0}},
    {"onboarding.css", (const unsigned char[]){
#embed "../Web/Page/onboarding.css"
    , 0}},
    {"onboarding.html", (const unsigned char[]){
#embed "../Web/Page/onboarding.html"
    , 0}},
    {"onboarding.js", (const unsigned char[]){
#embed "../Web/Page/onboarding.js"
    , 0}},
    {"pins.js", (const unsigned char[]){
#embed "../Web/Page/pins.js"
    , 0}},
    {"protobuf-view.js", (const unsigned char[]){
#embed "../Web/Page/protobuf-view.js"
    , 0}},
    {"protobuf.js", (const unsigned char[]){
#embed "../Web/Page/protobuf.js"
    , 0}},
    {"redact.js", (const unsigned char[]){
#embed "../Web/Page/redact.js"
    , 0}},
    {"rehearsal-bars.js", (const unsigned char[]){
#embed "../Web/Page/rehearsal-bars.js"
    , 0}},
    {"rehearsal-view.js", (const unsigned char[]){
#embed "../Web/Page/rehearsal-view.js"
    , 0}},
    {"row-text.js", (const unsigned char[]){
#embed "../Web/Page/row-text.js"
    , 0}},
    {"run-changes.js", (const unsigned char[]){
#embed "../Web/Page/run-changes.js"
    , 0}},
    {"run-timeline.js", (const unsigned char[]){
#embed "../Web/Page/run-timeline.js"
    , 0}},
    {"run-view.js", (const unsigned char[]){
#embed "../Web/Page/run-view.js"
    , 0}},
    {"run-words.js", (const unsigned char[]){
#embed "../Web/Page/run-words.js"
    , 0}},
    {"runs.css", (const unsigned char[]){
#embed "../Web/Page/runs.css"
    , 0}},
    {"runs.js", (const unsigned char[]){
#embed "../Web/Page/runs.js"
    , 0}},
    {"seen-values.js", (const unsigned char[]){
#embed "../Web/Page/seen-values.js"
    , 0}},
    {"separator.js", (const unsigned char[]){
#embed "../Web/Page/separator.js"
    , 0}},
    {"session-match.js", (const unsigned char[]){
#embed "../Web/Page/session-match.js"
    , 0}},
    {"settings.js", (const unsigned char[]){
#embed "../Web/Page/settings.js"
    , 0}},
    {"shell.css", (const unsigned char[]){
#embed "../Web/Page/shell.css"
    , 0}},
    {"signs.js", (const unsigned char[]){
#embed "../Web/Page/signs.js"
    , 0}},
    {"status-lines.js", (const unsigned char[]){
#embed "../Web/Page/status-lines.js"
    , 0}},
    {"summary.js", (const unsigned char[]){
#embed "../Web/Page/summary.js"
    , 0}},
    {"text.js", (const unsigned char[]){
#embed "../Web/Page/text.js"
    , 0}},
    {"timing.js", (const unsigned char[]){
#embed "../Web/Page/timing.js"
    , 0}},
    {"top-bar.js", (const unsigned char[]){
#embed "../Web/Page/top-bar.js"
    , 0}},
    {"virtual-rows.js", (const unsigned char[]){
#embed "../Web/Page/virtual-rows.js"
    , 0}},
    {NULL, NULL},
};

const struct pp_file *pp_page_files(void) { return files; }
