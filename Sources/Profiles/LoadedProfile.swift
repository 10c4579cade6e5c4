import Facts
import Policy

/// A profile as it was read, with its text for the run folder and its places for messages.
public struct LoadedProfile: Hashable, Sendable {
    public let profile: Profile
    /// Exactly the file's: its UTF-8 bytes are what a run's header carries the SHA-256 of.
    public let text: String
    /// As the user named it.
    public let path: String
    public let places: Places

    /// Where things stand in the file.
    public struct Places: Hashable, Sendable {
        public internal(set) var rules: [HostPattern: Place] = [:]
        public internal(set) var controls: [HostPattern: Place] = [:]
        public internal(set) var lent: [HostName: Place] = [:]
        /// The keys at the top.
        public internal(set) var keys: [String: Place] = [:]
    }

    /// The gate judges hosts: a profile for the debugging proxy may do without, one for the gate may not.
    public func requireGateable() throws(ProfileErrors) {
        guard profile.rules.isEmpty else { return }
        throw ProfileErrors([ProfileError(.noHosts, path: path, place: places.keys["hosts"])])
    }

    /// `ca init --only` permits the names of `hosts` and `controls` and nothing else.
    public func requireConstrainable() throws(ProfileErrors) {
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
