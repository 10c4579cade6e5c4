import Foundation
import Support
import Testing

/// What prepares devices (devices/), with stand-ins for the tools of a Mac and for an Android device.
@Suite("Device scripts", .timeLimit(.minutes(30)))
struct DeviceScriptsTests {
    private static let proxy = Places.repository.appending(path: "devices/mac-proxy.sh").path

    /// A networksetup that keeps each setting in a file of its own, as `on HOST PORT`.
    private static let networksetup = """
        #!/bin/sh
        mkdir -p settings
        of() { cat "settings/$1 $2" 2> /dev/null || echo "off"; }
        case $1 in
        -listallnetworkservices) printf 'An asterisk (*) denotes a disabled one.\\nWi-Fi\\n*Bluetooth\\nUSB LAN\\n' ;;
        -getwebproxy | -getsecurewebproxy)
            set -- "${1#-get}" $(of "${1#-get}" "$2")
            [ "$2" = on ] && enabled=Yes || enabled=No
            printf 'Enabled: %s\\nServer: %s\\nPort: %s\\nAuthenticated Proxy Enabled: 0\\n' $enabled "${3:-}" "${4:-0}" ;;
        -getautoproxyurl)
            [ "$(of autoproxy "$2")" = on ] && enabled=Yes || enabled=No
            printf 'URL: (null)\\nEnabled: %s\\n' $enabled ;;
        -setautoproxystate) echo "$3" > "settings/autoproxy $2" ;;
        -set*state)
            kind=${1#-set} && kind=${kind%state}
            set -- "$2" "$3" $(of "$kind" "$2")
            echo "$2${4:+ $4 $5}" > "settings/$kind $1" ;;
        -setwebproxy | -setsecurewebproxy) echo "on $3 $4" > "settings/${1#-set} $2" ;;
        esac
        """

    /// What was there: a company's proxy on one service, nothing on the other.
    private static let before = """
        mkdir settings; echo "on proxy.example 3128" > "settings/webproxy Wi-Fi"
        echo "off old.example 1" > "settings/securewebproxy Wi-Fi"; echo on > "settings/autoproxy USB LAN"
        echo off > "settings/autoproxy Wi-Fi"
        """
    private static let restored = """
        settings/autoproxy USB LAN:on
        settings/autoproxy Wi-Fi:off
        settings/securewebproxy Wi-Fi:off old.example 1
        settings/webproxy Wi-Fi:on proxy.example 3128
        """

    /// Runs a script beside the stand-in; `proxy` in it is mac-proxy.sh, `all` prints every setting.
    private static func run(_ script: String) async throws -> Command {
        try await Places.withFolder { folder in
            try FileManager.default.createDirectory(
                at: folder.appending(path: "bin"), withIntermediateDirectories: true)
            try networksetup.write(
                to: folder.appending(path: "bin/networksetup"), atomically: true, encoding: .utf8)
            let start = """
                chmod +x bin/*; export PATH="$PWD/bin:/usr/bin:/bin" PINPROOF_PROXY_STATE="$PWD/its state/before"
                proxy() { "\(proxy)" "$@"; }
                all() { grep -H . settings/*; }
                \(before)
                \(script)
                """
            return try await Command.run("sh", ["-c", start], in: folder)
        }
    }

    /// Every setting as it was; of a service that had no proxy, the server stays, switched off.
    private static func isRestored(_ output: String) -> Bool {
        let lines = output.split(separator: "\n").map(String.init)
        return restored.split(separator: "\n").allSatisfy { lines.contains(String($0)) }
            && lines.filter { $0.contains("proxy USB LAN:") && !$0.contains("auto") }.allSatisfy { $0.contains(":off") }
    }

    @Test("the Mac's proxy is set on every service for a command, and put back after it, with its status")
    func with() async throws {
        let ran = try await Self.run(
            "proxy with 127.0.0.1:8080 sh -c 'grep -H . settings/*; echo; exit 7'; echo $?; all")
        let (during, after) = (ran.output.components(separatedBy: "\n\n")[0], ran.output)
        for service in ["Wi-Fi", "USB LAN"] {
            #expect(during.contains("settings/webproxy \(service):on 127.0.0.1 8080"), "\(ran)")
            #expect(during.contains("settings/securewebproxy \(service):on 127.0.0.1 8080"), "\(ran)")
            #expect(during.contains("settings/autoproxy \(service):off"), "\(ran)")
        }
        #expect(!during.contains("Bluetooth"))
        #expect(after.contains("\n7\n") && Self.isRestored(after.components(separatedBy: "\n\n")[1]), "\(ran)")
    }

    @Test("a signal ends the command, and the setting is put back", arguments: ["TERM", "HUP"])
    func signalled(name: String) async throws {
        let ran = try await Self.run(
            """
            "\(Self.proxy)" with 127.0.0.1:8080 sh -c 'touch ready; exec sleep 1000' & script=$!
            while [ ! -e ready ]; do sleep 0.05; done
            kill -\(name) $script; wait $script; echo "ended $?"; all
            """)
        #expect(ran.output.contains("ended 143") && Self.isRestored(ran.output), "\(ran)")
    }

    @Test("what a killed run left is put back by the next one, which does not take it for what was there before")
    func killed() async throws {
        let killed = """
            "\(Self.proxy)" with 127.0.0.1:8080 sh -c 'echo $$ > ready; exec sleep 1000' & script=$!
            while [ ! -s ready ]; do sleep 0.05; done
            kill -KILL $script; kill "$(cat ready)"
            """
        let off = try await Self.run("\(killed); proxy off; all; ls 'its state'")
        #expect(Self.isRestored(off.output) && !off.output.contains("before"), "\(off)")
        let next = try await Self.run("\(killed); proxy with 127.0.0.1:9090 true; all")
        #expect(Self.isRestored(next.output), "\(next)")
    }

    @Test("where nothing was set nothing is put back, and what cannot be put back stays noted")
    func nothing() async throws {
        let idle = try await Self.run("proxy off; echo $?; all")
        #expect(idle.output.hasPrefix("0\n") && Self.isRestored(idle.output), "\(idle)")
        let failing = try await Self.run(
            "proxy on 127.0.0.1:8080; printf '#!/bin/sh\\nexit 1\\n' > bin/networksetup; proxy off; echo $?; ls 'its state'"
        )
        #expect(
            failing.output == "1\nbefore\n" && failing.errors.contains("not everything could be put back"), "\(failing)"
        )
        let wrong = try await Self.run("proxy on 8080; echo $?")
        #expect(wrong.output == "64\n" && wrong.errors.contains("HOST:PORT"), "\(wrong)")
    }

    /// Namespaces of its own need root, on Linux.
    private static let canMount: Bool = {
        #if os(Linux)
            return getuid() == 0 && Command.isInstalled("unshare") && Command.isInstalled("nsenter")
        #else
            return false
        #endif
    }()

    @Test(
        "a root reaches the store of the shell, of the zygote and of an app that runs, as Android 14 lays them out",
        .enabled(if: canMount))
    func androidNamespaces() async throws {
        let script = Places.repository.appending(path: "devices/android-root-on-device.sh").path
        try await Places.withFolder { folder in
            // The zygote has the system's mounts as a slave and the APEX for itself; an app is a child of it.
            let stage = """
                set -e
                export PREFIX="$PWD"; store=system/etc/security/cacerts; apex=apex/com.android.conscrypt/cacerts
                mkdir -p $store $apex data/local/tmp bin; echo old > $apex/00000000.0; echo old > $store/00000000.0
                mount --bind . . && cd "$PREFIX" && mount --make-shared . && mount --bind apex apex && mount --make-private apex
                cat > bin/pidof <<'END'
                #!/bin/sh
                cat "$PREFIX/zygote"
                END
                chmod +x bin/pidof; PATH="$PREFIX/bin:$PATH"
                unshare -m --propagation slave sh -c 'echo $$ > zygote; sleep 1000 & echo $! > app; wait' &
                while [ ! -s app ]; do sleep 0.05; done
                trap 'kill $(cat app)' EXIT
                echo new > aaaaaaaa.0; sh \(script) "$PREFIX/aaaaaaaa.0"
                echo new > bbbbbbbb.0; sh \(script) "$PREFIX/bbbbbbbb.0"
                for pid in self $(cat zygote) $(cat app); do
                    nsenter --mount=/proc/$pid/ns/mnt -- sh -c "cat '$PREFIX/$apex'/*" | tr '\\n' ' '
                done
                grep -c '^pinproof ' /proc/mounts
                """
            let ran = try await Command.run(
                "unshare", ["-m", "--propagation", "private", "sh", "-c", stage], in: folder)
            #expect(ran.status == 0, "\(ran)")
            #expect(ran.output.contains("old new new old new new old new new "), "\(ran)")
        }
    }

    /// Runs a script of docs/devices.md, or of devices/, with stand-ins that note how they were called, and fail as they are told.
    private static func withStandIns(
        _ script: String, _ arguments: String = "", failing: String = "nothing", says: String = ""
    ) async throws -> Command {
        try await Places.withFolder { folder in
            try script.write(to: folder.appending(path: "script.sh"), atomically: true, encoding: .utf8)
            let start = """
                mkdir bin
                for tool in adb xcrun xcodebuild; do
                    printf '#!/bin/sh\necho "%s $*" >> calls\ncase "$*" in *"%s"*) exit 3 ;; esac\necho "%s"\n' \
                        $tool '\(failing)' '\(says)' > bin/$tool
                done
                chmod +x bin/*; export PATH="$PWD/bin:/usr/bin:/bin" PINPROOF_PROXY=http://127.0.0.1:4242 PINPROOF_CA=root.pem
                export PINPROOF_SIMULATOR=THE-UDID XCTESTRUN=shop.xctestrun
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out root.pem \
                    -subj '/CN=a root' 2> /dev/null
                sh script.sh \(arguments) > output; status=$?
                cat calls output; echo "hash $(openssl x509 -in root.pem -noout -subject_hash_old)"; exit $status
                """
            return try await Command.run("sh", ["-c", start], in: folder)
        }
    }

    @Test("android.sh sets the device's proxy for a cold start, and takes it back also when the test fails")
    func androidStart() async throws {
        let script = try DocumentedScriptsTests.block("sh", of: "docs/devices.md", with: "# android.sh")
        let ran = try await Self.withStandIns(script, failing: "instrument")
        #expect(ran.status == 3, "\(ran)")
        #expect(
            ran.output.hasPrefix(
                """
                adb reverse tcp:4242 tcp:4242
                adb shell settings put global http_proxy localhost:4242
                adb shell am force-stop com.example.shop
                adb shell pm clear com.example.shop
                adb shell am instrument -w com.example.shop.test/androidx.test.runner.AndroidJUnitRunner
                adb shell settings put global http_proxy :0
                adb reverse --remove tcp:4242

                """), "\(ran)")
    }

    @Test(
        "ios.sh trusts the root in the gate's simulator, and ends with the test's status, also of an app that did not run"
    )
    func iosStart() async throws {
        let script = try DocumentedScriptsTests.block("sh", of: "docs/devices.md", with: "# ios.sh")
        let ran = try await Self.withStandIns(script, failing: "terminate")
        #expect(ran.status == 0, "\(ran)")
        #expect(ran.output.contains("xcrun simctl keychain THE-UDID add-root-cert root.pem\n"), "\(ran)")
        #expect(ran.output.contains("-destination id=THE-UDID -parallel-testing-enabled NO"), "\(ran)")
        let failed = try await Self.withStandIns(script, failing: "test-without-building")
        #expect(failed.status == 3, "\(failed)")
    }

    @Test("android-root.sh gives the root the name that Android looks for, and says what an image without root needs")
    func androidRoot() async throws {
        let name = Places.repository.appending(path: "devices/android-root.sh").path
        // Whatever is asked, the device answers that it is root's; or, below, somebody else's.
        let ran = try await Self.withStandIns("exec \"\(name)\" \"$@\"", "root.pem", says: "0")
        let hash = try #require(ran.output.split(separator: "\n").last?.split(separator: " ").last)
        #expect(ran.status == 0 && ran.output.contains("adb push root.pem /data/local/tmp/\(hash).0\n"), "\(ran)")
        #expect(ran.output.contains("android-root-on-device.sh /data/local/tmp/\(hash).0\n"), "\(ran)")
        let shell = try await Self.withStandIns("exec \"\(name)\" \"$@\"", "root.pem", says: "2000")
        #expect(shell.status == 1 && shell.errors.contains("image without Google Play"), "\(shell)")
        #expect(!shell.output.contains("adb push"), "\(shell)")
    }
}
