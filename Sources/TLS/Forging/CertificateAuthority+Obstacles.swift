import Facts
import Policy

extension CertificateAuthority {
    /// Why this CA cannot sign a chain of this recipe for a host, so that only the intended defects are in it; nil
    /// where it can.
    package func obstacle(to recipe: Recipe, for host: HostName) -> ForgeError? {
        switch recipe.signer {
        case .leafItself, .genuineIssuerInName: return nil
        case .trustedCA, .untrustedCA: break
        }
        guard recipe.order.contains(.leaf) else { return nil }
        if recipe.name == .wildcard, LeafName.wildcardBeside(host) == nil { return .noWildcard(host) }
        switch LeafName(recipe.name, for: host).promise {
        case .host(let name): if !permits(name) { return .outsideScope(name.text, scope: scope) }
        case .domain(let domain): if !permits(domain: domain) { return .outsideScope(domain, scope: scope) }
        }
        switch recipe.subordinates {
        case .imitating(let imitation) where imitation.hasEnded: return room > 0 ? nil : .noRoom
        // A clone goes without its issuers' names there, and one CA below such a one is too many in itself.
        case .none, .imitating, .tooMany: return nil
        // The leaf is then signed by the CA itself, and the evidence says that the chain is shorter.
        case .inTheGenuineShape: return nil
        case .endEntity, .unconstrainedEndEntity, .elsewhereOnly, .rsa, .ended: return room > 0 ? nil : .noRoom
        }
    }
}

extension CertificateAuthority {
    /// Without the names that this CA may not sign for: one of them would be a reason to refuse the others' leaf.
    func permitted(_ name: Recipe.Name) -> Recipe.Name {
        switch name {
        case .targetBeside(let patterns):
            .targetBeside(patterns.filter { $0.scope == .exact ? permits($0.base) : permits(domain: $0.certifiedName) })
        // The decoy is one that every CA may sign for.
        case .second(let other?) where !permits(other): .second(nil)
        case .besideLocal(let names): .besideLocal(names.filter(permits))
        case .foreignCommonName(let other?) where !permits(other): .foreignCommonName(nil)
        case .known(let other?) where !permits(other): .known(nil)
        default: name
        }
    }

    /// What a chain of this recipe lacks under this CA, though it is presented; nil where it lacks nothing.
    package func shortfall(of recipe: Recipe) -> String? {
        if case .besideLocal(let names) = recipe.name, let missing = names.first(where: { !permits($0) }) {
            return "names are missing: the CA may not sign for \(missing.text)"
        }
        guard case .imitating = recipe.subordinates, room == 0 else { return nil }
        return "the genuine issuer's name is missing: \(ForgeError.noRoom)"
    }
}
