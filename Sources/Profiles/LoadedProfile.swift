import Facts
import Policy

/// A profile as it was read, with its text for the run folder and its places for messages.
package struct LoadedProfile: Hashable, Sendable {
    package let profile: Profile
    /// Exactly the file's: its UTF-8 bytes are what a run's header carries the SHA-256 of.
    package let text: String
    /// As the user named it.
    package let path: String
    package let places: Places

    /// Where things stand in the file.
    package struct Places: Hashable, Sendable {
        package internal(set) var rules: [HostPattern: Place] = [:]
        package internal(set) var controls: [HostPattern: Place] = [:]
        package internal(set) var lent: [HostName: Place] = [:]
        /// Where the texts of `filters` and `mutes` begin, by `filters.NAME` and `mutes.NAME`.
        package internal(set) var filters: [String: Place] = [:]
        /// The keys at the top.
        package internal(set) var keys: [String: Place] = [:]
    }

    /// The gate judges hosts: a profile for the debugging proxy may do without, one for the gate may not.
    package func requireGateable() throws(ProfileErrors) {
        guard profile.rules.isEmpty else { return }
        throw ProfileErrors([ProfileError(.noHosts, path: path, place: places.keys["hosts"])])
    }

    /// `ca init --only` permits the names of `hosts` and `controls` and nothing else.
    package func requireConstrainable() throws(ProfileErrors) {
        var errors: [ProfileError] = []
        if profile.others == .accept {
            errors.append(ProfileError(.interceptsOthers, path: path, place: places.keys["others"]))
        }
        if profile.rules.isEmpty, profile.controls.isEmpty {
            errors.append(ProfileError(.nothingToPermit, path: path, place: places.keys["hosts"]))
        }
        if !errors.isEmpty { throw ProfileErrors(errors) }
    }
}
