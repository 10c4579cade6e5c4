#!/bin/sh
# Makes a root one of the system's on an Android emulator, or on a device with root, until it restarts.
#
#     devices/android-root.sh ROOT.pem [SERIAL]
#
# Nothing is written to the system's partition: the store is a file system in memory over the real one, with all of its roots
# and this one. From Android 14 on apps read their roots from the conscrypt APEX, in a mount namespace that each inherits from
# the zygote it was forked from; so the store is mounted there too, in the namespace of each zygote and of what runs already.
# `adb reboot` undoes all of it. An app that runs is to be force-stopped: it has read its roots.
set -eu

root=${1:?usage: $0 ROOT.pem [SERIAL]}
[ -z "${2:-}" ] || export ANDROID_SERIAL="$2"

fail() {
    echo "error: $1" >&2
    exit 1
}

name=$(openssl x509 -in "$root" -noout -subject_hash_old).0 || fail "$root: no certificate in PEM"
adb wait-for-device
# It restarts adbd; on an image of Google Play, and on devices as they are sold, it refuses.
adb root > /dev/null || true
adb wait-for-device
[ "$(adb shell id -u | tr -d '\r')" = 0 ] || fail "adbd is not root here: take an image without Google Play, or a device with root"

here=$(cd "$(dirname "$0")" && pwd)
adb push "$root" "/data/local/tmp/$name" > /dev/null
adb push "$here/android-root-on-device.sh" /data/local/tmp/android-root-on-device.sh > /dev/null
adb shell sh /data/local/tmp/android-root-on-device.sh "/data/local/tmp/$name"
adb shell rm -f "/data/local/tmp/$name" /data/local/tmp/android-root-on-device.sh
