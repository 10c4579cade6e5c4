#!/bin/sh
# Puts pinproof where a CI job finds it, and prints the folder of the program.
#
#     ci/provide.sh [TARBALL [SHA256]]
#
# TARBALL is what `make dist` makes: a file, or an https URL, which has to come with its SHA-256. Without one it is the
# pinproof that is in PATH already; where there is none, this source is built, which needs a Swift toolchain and minutes.
# GitHub: the folder is added to $GITHUB_PATH, for the steps that follow.
set -eu

tarball=${1:-}
expected=${2:-}

fail() {
    echo "error: $1" >&2
    exit 1
}

sum() { if command -v sha256sum > /dev/null; then sha256sum "$1"; else shasum -a 256 "$1"; fi | cut -d ' ' -f 1; }

if [ -n "$tarball" ]; then
    folder=$(mktemp -d "${RUNNER_TEMP:-${TMPDIR:-/tmp}}/pinproof-XXXXXX")
    case $tarball in
    https://*)
        [ -n "$expected" ] || fail "$tarball: a tar ball from the network needs its SHA-256"
        curl --fail --silent --show-error --location --proto '=https' --output "$folder/pinproof.tar.gz" "$tarball" ||
            fail "$tarball: it could not be fetched"
        ;;
    *://*) fail "$tarball: only https" ;;
    *)
        [ -f "$tarball" ] || fail "$tarball: no such file"
        cp "$tarball" "$folder/pinproof.tar.gz"
        ;;
    esac
    if [ -n "$expected" ]; then
        found=$(sum "$folder/pinproof.tar.gz")
        [ "$found" = "$expected" ] || fail "$tarball: its SHA-256 is $found, and should be $expected"
    fi
    # The one folder in it has the version in its name.
    tar -xzf "$folder/pinproof.tar.gz" -C "$folder" || fail "$tarball: no tar ball"
    rm "$folder/pinproof.tar.gz"
    bin=$(echo "$folder"/*/bin)
    [ -x "$bin/pinproof" ] || fail "$tarball: there is no bin/pinproof in it"
elif found=$(command -v pinproof); then
    bin=$(dirname "$found")
elif command -v swift > /dev/null && command -v make > /dev/null; then
    source=$(cd "$(dirname "$0")/.." && pwd)
    make -C "$source" release >&2 || fail "$source: it could not be built"
    bin=$source/.build/release
else
    fail "no pinproof in PATH, no tar ball given, and no Swift toolchain with make to build it with"
fi

"$bin/pinproof" --version >&2 || fail "$bin/pinproof: it cannot be run here"
if [ -n "${GITHUB_PATH:-}" ]; then echo "$bin" >> "$GITHUB_PATH"; fi
echo "$bin"
