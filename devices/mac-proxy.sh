#!/bin/sh
# The proxy setting of a whole Mac, which iOS simulators use: saved, set, and put back even after a crash.
#
#     devices/mac-proxy.sh with HOST:PORT COMMAND [ARG...]   sets it, runs COMMAND, puts back what was there
#     devices/mac-proxy.sh on HOST:PORT                      sets it
#     devices/mac-proxy.sh off                               puts back what was there, if anything is to be put back
#
# What was there lies in $PINPROOF_PROXY_STATE (by default a file in ~/Library/Application Support/pinproof) until it has been
# put back. So a killed run or a Mac that lost its power is mended by the next `off`, and also by the next `with`, which never
# takes a setting of its own for the one that was there before.
set -u

state=${PINPROOF_PROXY_STATE:-$HOME/Library/Application Support/pinproof/proxy-before}
tab=$(printf '\t')

fail() {
    echo "error: $1" >&2
    exit "${2:-1}"
}

# The services in use; the first line is a remark, and a * marks one that is switched off.
services() { networksetup -listallnetworkservices | sed -e 1d -e '/^\*/d'; }

# field NAME: of what -get… prints, the value of the line "NAME: value".
field() { sed -n "s/^$1: *//p" | head -n 1; }

save() {
    [ -e "$state" ] && return 0
    mkdir -p "$(dirname "$state")" || return 1
    # Complete, or not there: half a state would be taken for all of it.
    services | while IFS= read -r service; do
        for kind in webproxy securewebproxy; do
            said=$(networksetup "-get$kind" "$service") || exit 1
            printf '%s\t%s\t%s\t%s\t%s\n' "$service" "$kind" "$(echo "$said" | field Enabled)" \
                "$(echo "$said" | field Port)" "$(echo "$said" | field Server)"
        done
        said=$(networksetup -getautoproxyurl "$service") || exit 1
        printf '%s\t%s\t%s\t%s\t%s\n' "$service" autoproxy "$(echo "$said" | field Enabled)" 0 "$(echo "$said" | field URL)"
    done > "$state.new" || return 1
    [ -s "$state.new" ] && mv "$state.new" "$state"
}

turn_on() {
    host=${1%:*}
    port=${1##*:}
    case $1 in
    ?*:[0-9]*) ;;
    *) fail "the proxy is HOST:PORT, not \"$1\"" 64 ;;
    esac
    save || fail "the settings that are there could not be saved, so nothing was changed"
    services | while IFS= read -r service; do
        # An automatic configuration would win over both.
        networksetup -setautoproxystate "$service" off &&
            networksetup -setwebproxy "$service" "$host" "$port" &&
            networksetup -setsecurewebproxy "$service" "$host" "$port" || exit 1
    done
}

switch() { if [ "$1" = Yes ]; then echo on; else echo off; fi; }

turn_off() {
    [ -e "$state" ] || return 0
    failed=0
    while IFS="$tab" read -r service kind enabled port server; do
        case $kind in
        autoproxy) networksetup -setautoproxystate "$service" "$(switch "$enabled")" || failed=1 ;;
        *)
            # Setting a server also switches it on; an empty one cannot be set.
            if [ -n "$server" ]; then networksetup "-set$kind" "$service" "$server" "$port" || failed=1; fi
            networksetup "-set${kind}state" "$service" "$(switch "$enabled")" || failed=1
            ;;
        esac
    done < "$state"
    if [ "$failed" = 1 ]; then
        echo "error: not everything could be put back; what was there is in $state" >&2
        return 1
    fi
    rm "$state"
}

case ${1:-} in
on) turn_on "${2:-}" ;;
off) turn_off ;;
with)
    [ $# -ge 3 ] || fail "usage: $0 with HOST:PORT COMMAND [ARG...]" 64
    command=
    trap 'waits=1; [ -z "$command" ] || kill -TERM "$command" 2> /dev/null' INT TERM HUP
    trap turn_off EXIT
    turn_on "$2" || fail "the proxy could not be set"
    shift 2
    # In the background, as a shell hears of no signal while it waits for a command in the foreground.
    exec 3<&0
    "$@" <&3 &
    command=$!
    # A signal ends a wait with the signal's number, so it is waited for again; 127 says that the status was had already.
    status=127
    waits=1
    while [ -n "$waits" ]; do
        waits=
        wait "$command"
        ended=$?
        [ "$ended" = 127 ] || status=$ended
    done
    exit "$status"
    ;;
*) fail "usage: $0 with HOST:PORT COMMAND [ARG...] | on HOST:PORT | off" 64 ;;
esac
