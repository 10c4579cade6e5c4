#!/bin/sh
# The part of android-root.sh that runs on the device, as root, with what Android has (toybox).   android-root-on-device.sh FILE
#
# FILE has the name that Android looks for: the old hash of the subject, and .0. PREFIX stands before each path, for tests.
set -eu

file=$1
name=${file##*/}
prefix=${PREFIX:-}
store=$prefix/system/etc/security/cacerts
apex=$prefix/apex/com.android.conscrypt/cacerts

# Where this system's roots are: the APEX has those that are in force, where there is one.
genuine=$store
[ ! -d "$apex" ] || genuine=$apex
[ -n "$(ls "$genuine")" ] || { echo "error: no roots in $genuine" >&2 && exit 1; }

# A second root, or the same again, goes into the store that is mounted already.
if ! grep -q "^pinproof $store tmpfs " /proc/mounts; then
    copy=$prefix/data/local/tmp/pinproof-roots
    rm -rf "$copy"
    mkdir -p "$copy"
    cp "$genuine"/* "$copy"/
    mount -t tmpfs pinproof "$store"
    mv "$copy"/* "$store"/
    rmdir "$copy"
fi
cp "$file" "$store/$name"
chown root:root "$store"/*
chmod 644 "$store"/*
chmod 755 "$store"
chcon u:object_r:system_file:s0 "$store" "$store"/* 2> /dev/null || echo "note: no SELinux label was set" >&2

# into PID: the store over the APEX's folder, in the namespace of that process, unless it is there.
into() {
    nsenter --mount="/proc/$1/ns/mnt" -- sh -c "[ -e '$apex/$name' ] || mount --bind '$store' '$apex'"
}

if [ -d "$apex" ]; then
    [ -e "$apex/$name" ] || mount --bind "$store" "$apex"
    zygotes=$(pidof zygote zygote64 webview_zygote || true)
    [ -n "$zygotes" ] || { echo "error: no zygote runs" >&2 && exit 1; }
    for zygote in $zygotes; do
        into "$zygote"
        for app in $(ps -A -o PID,PPID | while read -r pid parent; do [ "$parent" != "$zygote" ] || echo "$pid"; done); do
            # One that has ended meanwhile needs none.
            into "$app" 2> /dev/null || true
        done
    done
fi
echo "$name is one of the system's roots until the next restart"
