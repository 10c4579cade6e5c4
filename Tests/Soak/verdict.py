"""From what was seen to a table and a verdict."""

import collections
import dataclasses
import datetime
import http.client
import json
import re
import statistics

import asking
import recording
from gauge import slope_per_hour

# Descriptors that come and go with a look by the API, or a reader of the store.
MORE_DESCRIPTORS = 12
# Megabytes an hour at full load that are still called noise, beside three times the line's own uncertainty.
GROWTH = 60
# Megabytes above an idle proxy after all is over: caches of forged chains, verified chains and sessions.
KEPT = 150
# Megabytes that it may ever have under full load: the recorder's rooms, the store's cache, connections.
MOST = 700
# Of honest exchanges, how many may be missing in the recording though floods made the proxy drop more than that.
UNRECORDED = 0.002
LATENCY = 5.0
# Megabytes of the store's folder: 4 GiB by its own count, and what SQLite has beside it.
STORE = 4500
CRASH = re.compile(
    r"Fatal error|Crash|Segmentation|SIG[A-Z]{3,}|Backtrace|AddressSanitizer|out of memory|Assertion|malloc|corrupt",
    re.IGNORECASE,
)


class Table:
    """Lines of name and value, each good, bad or neither."""

    def __init__(self):
        self.lines, self.is_well = [], True

    def say(self, name, value, is_good=None):
        mark = {None: " ", True: "+", False: "!"}[is_good]
        self.is_well = self.is_well and is_good is not False
        self.lines.append(f"{mark} {name:<34} {value}")

    def print(self):
        print("\n".join(line[:160] for line in self.lines), flush=True)


def judge(soak):
    """Ends the load, looks at what is left, and prints the table; whether all is well."""
    table, facts = Table(), soak.facts
    for reason in ("broken", "interrupted"):
        if reason in facts:
            table.say(reason, facts[reason], False)
    if not soak.proxy or not hasattr(soak, "idle"):
        table.print()
        return False
    if not hasattr(soak, "loaded"):
        soak.loaded = list(soak.gauge.samples[1:])
    if soak.proxy.poll() is None:
        print("the load ends; waiting until it is quiet", flush=True)
        soak.finish()
        print("reading the recording", flush=True)
        try:
            found = recording.compare(
                soak.options.pinproof,
                soak.store,
                soak.environment,
                sorted(soak.folder.glob("ledger-*.tsv")),
                soak.gauge.api,
                facts["seed"],
            )
            of_recording(table, soak, found)
        except (OSError, ValueError, KeyError, http.client.HTTPException) as error:
            table.say("recording", f"cannot be read: {type(error).__name__} {error}", False)
    soak.end_proxy()
    of_clients(table, soak)
    of_process(table, soak)
    if "left" in facts:
        of_rest(table, soak)
    table.print()
    if soak.options.out:
        write(soak, table)
    print("all is well" if table.is_well else "not well", flush=True)
    return table.is_well


def of_clients(table, soak):
    done, faults, origins = soak.totals("honest-"), soak.totals("faults-"), soak.totals("faulty-origin")
    seconds = max(1, soak.facts.get("seconds", soak.loaded[-1].at if soak.loaded else 1))
    soak.facts.update(honest=done, faults=faults, origins=origins)
    table.say(
        "honest exchanges",
        f"{done.get('exchanges', 0)} ({done.get('exchanges', 0) / seconds:.0f}/s)",
        done.get("exchanges", 0) > 0,
    )
    table.say(
        "bytes of bodies", f"{done.get('bytes', 0) / 1e9:.1f} GB ({done.get('bytes', 0) / seconds / 1e6:.0f} MB/s)"
    )
    table.say(
        "honest exchanges by kind",
        ", ".join(
            f"{name} {count}" for name, count in sorted(done.items()) if name not in ("exchanges", "bytes", "failures")
        ),
    )
    table.say(
        "honest exchanges that failed", f"{done.get('failures', 0)} (retries: none)", done.get("failures", 0) == 0
    )
    for path in sorted(soak.folder.glob("failures-*.txt")):
        for line in path.read_text().splitlines()[:5]:
            table.say("", line)
    wrong, names, again = [], set(), 0
    for path in sorted(soak.folder.glob("origin-*.log")):
        with open(path) as file:
            for line in file:
                if line[0] in "!?":
                    wrong.append(line.rstrip("\n"))
                elif line in names:
                    again += 1
                else:
                    names.add(line)
    table.say(
        "requests that reached the origin wrong",
        len([line for line in wrong if line[0] == "!"]),
        not any(line[0] == "!" for line in wrong),
    )
    table.say("requests that came twice", again, again == 0)
    for line in wrong[:10]:
        table.say("", line)
    kinds = {name: count for name, count in faults.items() if not name.startswith("longest")}
    table.say("faults of clients", f"{sum(kinds.values())} of {len(kinds)} kinds")
    hung = faults.get(asking.HUNG, 0)
    table.say("clients never told of the end", hung, hung == 0)
    table.say("faults of origins", f"{sum(origins.values())} of {len(origins)} kinds")


def of_process(table, soak):
    loaded, facts = soak.loaded, soak.facts
    table.say(
        "exit after SIGTERM",
        f"{facts['exit']}, after {facts.get('seconds to end', 0):.1f} s",
        facts["exit"] == 0 and not facts.get("had to be killed"),
    )
    crashes = [line for line in facts["stderr"].splitlines() if CRASH.search(line)]
    table.say("crashes on standard error", len(crashes), not crashes)
    for line in crashes[:5]:
        table.say("", line)
    if not loaded:
        return
    half, idle = loaded[len(loaded) // 2 :], soak.idle

    def three(name):
        """Of an idle proxy, the median of the second half, and the most."""
        middle = statistics.median(getattr(sample, name) for sample in half)
        return f"{getattr(idle, name):.0f}, {middle:.0f}, {max(getattr(sample, name) for sample in loaded):.0f}"

    def growth(name, allowed):
        slope, unsure = slope_per_hour([(sample.at, getattr(sample, name)) for sample in half])
        facts[f"growth of {name}"] = {"per hour": slope, "uncertain by": unsure}
        return f"{slope:+.0f} an hour, uncertain by {unsure:.0f} (allowed: {allowed})", slope - unsure < allowed

    most = max(sample.pss for sample in loaded)
    table.say("MB of memory: idle, middle, most", f"{three('pss')} (allowed: {MOST})", most < MOST)
    table.say("its growth in the second half", *growth("pss", GROWTH))
    table.say("descriptors: idle, middle, most", three("descriptors"))
    table.say("their growth in the second half", *growth("descriptors", MORE_DESCRIPTORS * 10))
    table.say("threads: idle, middle, most", three("threads"))
    share = 100 * (loaded[-1].cpu - idle.cpu) / max(1, loaded[-1].at - idle.at)
    table.say("processor time", f"{loaded[-1].cpu:.0f} s ({share:.0f} % of one processor)")
    latencies = soak.gauge.pulse.latencies
    answers = sorted(latency for latency in latencies if latency is not None)
    table.say(
        "times the API did not answer",
        f"{len(latencies) - len(answers)} of {len(latencies)}",
        len(latencies) == len(answers),
    )
    if answers:
        middle, late, most = answers[len(answers) // 2], answers[len(answers) * 95 // 100], answers[-1]
        table.say(
            "API: median, 95 %, most", f"{middle * 1000:.0f}, {late * 1000:.0f}, {most * 1000:.0f} ms", most < LATENCY
        )
    most = max(sample.store for sample in loaded)
    table.say("MB of the store: most, last", f"{most:.0f}, {loaded[-1].store:.0f}", most < STORE)


def of_rest(table, soak):
    facts, last = soak.facts, soak.after[-1]
    more = last.descriptors - soak.idle.descriptors
    table.say(
        "memory at the end",
        f"{last.pss:.0f} MB ({last.pss - soak.idle.pss:+.0f} against idle)",
        last.pss - soak.idle.pss < KEPT,
    )
    table.say("descriptors at the end", f"{last.descriptors} ({more:+d} against idle)", more <= MORE_DESCRIPTORS)
    table.say(
        "open without clients", f"{len(facts['left without clients'])} after {facts['quiet without clients']:.0f} s"
    )
    for one in facts["left without clients"][:4]:
        table.say("", " ".join(one))
    table.say(
        "open without faulty origins",
        f"{len(facts['left'])} after {facts['quiet without origins']:.0f} s",
        not facts["left"],
    )
    for one in facts["left"][:4]:
        table.say("", " ".join(one))
    table.say("flows that are still open", len(facts["open flows"]), not facts["open flows"])
    for one, count in collections.Counter(facts["open flows"]).most_common(8):
        table.say("", f"{count} x {one}")
    if facts.get("killed"):
        table.say("had to be killed", ", ".join(facts["killed"]))


def of_recording(table, soak, found):
    """What is missing has to be older than what is kept, or counted as dropped."""
    soak.facts["recording"] = dict(found.counts)
    dropped = soak.gauge.api.get("/api/status")["dropped"]
    soak.facts["dropped"] = dropped
    kinds = [kind for kind in found.counts if any(line.startswith(f"{kind}: ") for line in found.wrong)]
    wrong = sum(found.counts[kind] for kind in kinds)
    table.say("flows in the store", f"{found.counts['flows in the store']}, the first one is {found.first_kept}")
    table.say(
        "honest exchanges in the store",
        f"{found.counts['honest in the store']} of {found.counts['honest exchanges']}",
        found.counts["honest in the store"] > 0,
    )
    table.say("bodies, WebSockets read", f"{found.counts['bodies read']}, {found.counts['WebSockets read']}")
    table.say(
        "cut short or incomplete, and said",
        f"{found.counts['cut short, and said']}, {found.counts['incomplete, and said']}",
    )
    table.say("wrong records", wrong, wrong == 0)
    for line in found.wrong:
        table.say("", line)
    began = recording_time(found.first_began) if found.first_began else 0
    is_pruned = (found.first_kept or 1) > 1
    late = [one for one in found.missing if not is_pruned or float(one.began) > began + 60]
    table.say("honest exchanges removed by limits", len(found.missing) - len(late))
    table.say(
        "honest exchanges not recorded",
        f"{len(late)}; the proxy says it dropped {dropped}",
        len(late) <= min(dropped, UNRECORDED * found.counts["honest exchanges"]),
    )
    for one in late[:8]:
        table.say("", f"{one.name} {one.method} {one.url} by {one.route}")


def recording_time(text):
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp()


def write(soak, table):
    with open(soak.options.out, "w") as file:
        samples = [dataclasses.asdict(sample) for sample in soak.gauge.samples]
        json.dump(
            {"well": table.is_well, "table": table.lines, "facts": soak.facts, "samples": samples},
            file,
            indent=1,
            default=str,
        )
