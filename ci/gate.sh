#!/bin/sh
# One release gate, for any CI system: a time limit, a run folder that is kept, and what came out of it told to the system.
#
#     ci/gate.sh PROFILE COMMAND [ARG...]
#
# COMMAND is one cold start of the app. The status is that of `pinproof gate`. All of the environment is optional:
#
#     PINPROOF_OUT      the run folder, by default pinproof-run; one of an earlier run is replaced, nothing else is
#     PINPROOF_OPTIONS  more options of `pinproof gate`, as words; quotes and \ as in a shell, and nothing is expanded
#     PINPROOF_LIMIT    seconds for the whole gate, by default 1800: then it ends with a report of what it knows
#     PINPROOF          the program, by default pinproof
#
# Without a CA among the options a run has one of its own (--ephemeral-ca), of which no key is written.
# GitHub: report.md goes to $GITHUB_STEP_SUMMARY; result, status and run to $GITHUB_OUTPUT.
set -u

wrong() {
    echo "error: $1" >&2
    exit 64
}

[ $# -ge 2 ] || wrong "usage: $0 PROFILE COMMAND [ARG...]"
profile=$1 && shift
out=${PINPROOF_OUT:-pinproof-run}
limit=${PINPROOF_LIMIT:-1800}
pinproof=${PINPROOF:-pinproof}
case $limit in '' | *[!0-9]*) wrong "PINPROOF_LIMIT is a number of seconds, not \"$limit\"" ;; esac
command -v "$pinproof" > /dev/null || wrong "no $pinproof in PATH"

if [ -f "$out/evidence.jsonl" ]; then
    rm -rf "$out"
elif [ -e "$out" ] && [ -n "$(ls -A "$out")" ]; then
    wrong "$out: no run folder, and not empty; PINPROOF_OUT names another one"
fi

# The options come behind COMMAND's words, and then these are moved behind the options.
words=$#
options=$(printf '%s\n' "${PINPROOF_OPTIONS:-}" | xargs -n 1 printf '%s\n') || wrong "PINPROOF_OPTIONS: a quote without its other one"
ca=--ephemeral-ca
while IFS= read -r option; do
    case $option in
    '') continue ;;
    --ca | --ca=* | --ca-cert | --ca-cert=* | --ephemeral-ca) ca= ;;
    esac
    set -- "$@" "$option"
done << END
$options
END
[ -z "$ca" ] || set -- "$@" "$ca"
set -- "$@" --
while [ "$words" -gt 0 ]; do
    word=$1 && shift
    set -- "$@" "$word"
    words=$((words - 1))
done

# INT lets the gate end with a report of what it knows (status 2 or 1); KILL comes a minute later, and leaves readable evidence.
limited=$(command -v timeout || command -v gtimeout) || true
# Busybox has one with fewer options, and its complaint would be taken for a verdict.
"${limited:-false}" --foreground --preserve-status --signal=INT --kill-after=9 9 true 2> /dev/null || limited=
[ -n "$limited" ] || echo "no timeout(1) of GNU here: PINPROOF_LIMIT is not kept" >&2
${limited:+"$limited" --foreground --preserve-status --signal=INT --kill-after=60 "$limit"} \
    "$pinproof" gate "$profile" --out "$out" "$@" &
gate=$!
# A job that is cancelled: the gate has its report written by the time the system kills.
trap 'waits=1; kill -TERM "$gate" 2> /dev/null' INT TERM HUP
# A signal ends a wait with the signal's number, so it is waited for again; 127 says that the status was had already.
status=127
waits=1
while [ -n "$waits" ]; do
    waits=
    wait "$gate"
    ended=$?
    [ "$ended" = 127 ] || status=$ended
done

case $status in
0) result=pass && says="every required expectation is proven" ;;
1) result=fail && says="a host did the opposite of what is expected: do not ship this build" ;;
2) result=inconclusive && says="not proven; the report says what is missing" ;;
3) result=invalid && says="the environment supports no verdict; repair it and run again" ;;
64 | 78) result=unusable && says="the command line, the profile or the CA is wrong" ;;
*) result=broken && says="ended with status $status" ;;
esac
echo "pinproof: $says"

if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf '%s\n' "result=$result" "status=$status" "run=$out" >> "$GITHUB_OUTPUT"
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
    if [ -f "$out/report.md" ]; then
        # A summary of more than 1 MiB is refused as a whole.
        head -c 1000000 "$out/report.md" >> "$GITHUB_STEP_SUMMARY"
    else
        echo "pinproof: $says (no report was written)" >> "$GITHUB_STEP_SUMMARY"
    fi
fi
exit "$status"
