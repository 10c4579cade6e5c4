import Foundation
import Support
import Testing

/// What `make install` installs, of the program that was built with these tests, and what `make uninstall` leaves.
@Suite("Packaging", .timeLimit(.minutes(30)))
struct PackagingTests {
    private static let install = Places.repository.appending(path: "packaging/install").path

    @Test("program, completions and man pages are installed, and removed again without anything of others")
    func installAndRemove() async throws {
        try await Places.withFolder { folder in
            let script = """
                export DESTDIR="$PWD/d e s t"; umask 077
                install="\(Self.install)"; program="\(Places.pinproof)"; root="$DESTDIR/usr/local"; share="$root/share"
                set -e
                "$install" "$program" /usr/local
                touch "$share/man/man1/other.1" "$share/pinproof/mine"
                "$root/bin/pinproof" --version
                bash -c '. "$1" && complete -p pinproof' x "$share/bash-completion/completions/pinproof"
                head -n 1 "$share/zsh/site-functions/_pinproof"
                grep -c '^complete ' "$share/fish/vendor_completions.d/pinproof.fish"
                grep -h '^\\.SH NAME' -A 1 "$share/man/man1/pinproof-gate.1"
                grep -c '^\\.B \\\\-\\\\-cold' "$share/man/man1/pinproof-gate.1"
                sh -n "$share/pinproof/ci/gate.sh"; test -x "$share/pinproof/devices/mac-proxy.sh"
                stat -c 'mode %a' "$root/bin/pinproof" "$share/man/man1/pinproof.1" "$share/doc"
                "$install" "$program" /usr/local
                "$install" --remove /usr/local
                cd "$DESTDIR" && find . -type f
                """
            let ran = try await Command.run("sh", ["-c", script], in: folder)
            #expect(ran.status == 0, "\(ran)")
            let lines = ran.output.split(separator: "\n").map(String.init)
            #expect(lines.contains { $0.hasPrefix("pinproof ") && $0.contains("OpenSSL") }, "\(ran)")
            #expect(lines.contains { $0.hasPrefix("complete ") && $0.hasSuffix("pinproof") }, "\(ran)")
            #expect(lines.contains("#compdef pinproof"), "\(ran)")
            #expect(lines.contains { $0.hasPrefix("pinproof\\-gate \\- run a client under every attack") }, "\(ran)")
            #expect(lines.filter { $0.hasPrefix("mode ") } == ["mode 755", "mode 644", "mode 755"], "\(ran)")
            #expect(
                lines.suffix(2).sorted()
                    == ["./usr/local/share/man/man1/other.1", "./usr/local/share/pinproof/mine"], "\(ran)")
            #expect(!ran.output.contains("./usr/local/bin/"), "\(ran)")
        }
    }

    @Test("what was not installed cannot be removed, and a prefix is absolute")
    func wrong() async throws {
        try await Places.withFolder { folder in
            let never = try await Command.run(Self.install, ["--remove", folder.path])
            #expect(never.status == 1 && never.errors.contains("was not installed below"), "\(never)")
            let relative = try await Command.run(Self.install, [Places.pinproof, "usr"])
            #expect(relative.status == 64 && relative.errors.contains("has to be absolute"), "\(relative)")
        }
    }
}
