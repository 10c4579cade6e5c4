import Facts
import Verdict

extension JSONWriter {
    /// `ended_early` and `retries`: what became of the plan.
    mutating func writeCourse(of judgement: Judgement) {
        key("ended_early")
        if let early = judgement.early {
            beginObject()
            field("reason", early.reason.rawValue)
            field("hosts", early.hosts.map(\.text))
            field("instead", early.instead.map(\.text))
            endObject()
        } else {
            null()
        }
        key("retries")
        beginArray()
        for trial in judgement.retried {
            beginObject(inline: true)
            field("trial", trial.trial)
            field("attack", trial.attack.rawValue)
            field("variant", orNull: trial.variant)
            key("exit")
            if let exit = trial.end?.exit { value(exit) } else { null() }
            key("signal")
            if let signal = trial.end?.signal { value(signal) } else { null() }
            key("timed_out")
            value(trial.end?.timedOut ?? false)
            field("last_error", orNull: trial.end?.lastError)
            endObject()
        }
        endArray()
    }
}
