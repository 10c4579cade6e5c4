import Testing

@testable import Pins

@Suite("OkHttp in source code")
struct OkHttpReaderTests {
    static let shapes: [(String, String, [String])] = [
        (
            "a chain in Kotlin, given to a client at once",
            """
            import okhttp3.*
            val client = OkHttpClient.Builder()
                .certificatePinner(
                    CertificatePinner.Builder()
                        .add("*.Example.com", "sha256/{A}", "sha256/{B}")
                        .add("example.com", "sha256/{A}")
                        .build()
                )
                .build()
            """, ["5 *.example.com: A B", "6 example.com: A"]
        ),
        (
            "several add of one pattern are one entry",
            """
            fun pinner(): CertificatePinner {
                val host = "api.example.com"
                return CertificatePinner.Builder()
                    .add(host, "sha256/{A}")
                    .add(host, "sha256/{B}")
                    .build()
            }
            """, ["4 api.example.com: A B"]
        ),
        (
            "constants of a companion object, with the algorithm put before",
            """
            class Net {
                fun pinner() = CertificatePinner.Builder()
                    .add(HOST, "sha256/$LEAF")
                    .add(Net.HOST, "sha256/" + Companion.BACKUP)
                    .add("cdn.${HOST}", "sha256/${Pins.ROOT}").build()
                companion object {
                    private const val HOST = "api.example.com"
                    const val LEAF = "{A}"
                    const val BACKUP = "{B}"
                }
            }
            object Pins { const val ROOT = "{C}" }
            """, ["3 api.example.com: A B", "5 cdn.api.example.com: C"]
        ),
        (
            "a spread array, and a list in apply",
            """
            private val PINS = arrayOf(
                "sha256/{A}", // leaf
                "sha256/{B}", /* backup "sha256/{C}" */
            )
            val one = CertificatePinner.Builder().add("**.example.com", *PINS).build()
            val two = CertificatePinner.Builder().apply {
                PINS.forEach { add("two.example.com", it) }
                for (pin in PINS) add("three.example.com", pin)
            }.build()
            """, ["5 example.com+**.example.com: A B", "7 two.example.com: A B", "8 three.example.com: A B"]
        ),
        (
            "a map of hosts and their pins",
            """
            private val pins = mapOf(
                "a.example.com" to listOf("{A}", "{B}"),
                "b.example.com" to listOf("{C}")
            )
            fun build(): CertificatePinner {
                val builder = CertificatePinner.Builder()
                pins.forEach { (host, hashes) ->
                    hashes.forEach { pin -> builder.add(host, "sha256/$pin") }
                }
                return builder.build()
            }
            """, ["8 a.example.com: A B", "8 b.example.com: C"]
        ),
        (
            "a class of hosts and pins, and sets put together",
            """
            data class Pinned(val host: String, val hashes: List<String>)
            object Config {
                private val current = setOf("sha256/{A}")
                val next = setOf("sha256/{B}")
                val all = listOf(
                    Pinned("a.example.com", (current + next).toList()),
                    Pinned(host = "b.example.com", hashes = listOf("sha256/{C}")))
            }
            val pinner = with(CertificatePinner.Builder()) {
                for (p in Config.all) { add(p.host, *p.hashes.toTypedArray()) }
                build()
            }
            """, ["10 a.example.com: A B", "10 b.example.com: C"]
        ),
        (
            "a function whose callers are in the file",
            """
            fun pinned(domain: String, vararg hashes: String): CertificatePinner =
                CertificatePinner.Builder().add(domain, *hashes.map { "sha256/$it" }.toTypedArray()).build()
            val api = pinned("api.example.com", "{A}", "{B}")
            val cdn = pinned(domain = "cdn.example.com", "{C}")
            """, ["2 api.example.com: A B", "2 cdn.example.com: C"]
        ),
        (
            "fold, an extension and a lazy builder",
            """
            private val pinBuilder: CertificatePinner.Builder by lazy { CertificatePinner.Builder() }
            fun CertificatePinner.Builder.pinApi() = apply { add("x.example.com", "sha256/{A}") }
            fun more(b: CertificatePinner.Builder) { b.add("y.example.com", "sha256/{B}") }
            fun init() { pinBuilder.add("z.example.com", "sha256/{C}") }
            val p = listOf("sha256/{A}", "sha256/{D}")
                .fold(CertificatePinner.Builder()) { b, pin -> b.add("f.example.com", pin) }.build()
            """, ["2 x.example.com: A", "3 y.example.com: B", "4 z.example.com: C", "6 f.example.com: A D"]
        ),
        (
            "an enumeration with hashes",
            """
            enum class Pin(val hash: String) { LEAF("{A}"), BACKUP("{B}"); fun full() = "sha256/" + hash }
            val q = CertificatePinner.Builder().add("e.example.com", "sha256/" + Pin.LEAF.hash)
                .also { b -> Pin.values().forEach { b.add("all.example.com", "sha256/${it.hash}") } }.build()
            """, ["2 e.example.com: A", "3 all.example.com: A B"]
        ),
        (
            "Ktor's engine, and a pinner's own DSL",
            """
            val http = HttpClient(OkHttp) {
                engine { config { certificatePinner(CertificatePinner.Builder().add("k.example.com", "sha256/{A}").build()) } }
            }
            val other = client { certificatePinner { add("d.example.com", "sha256/{B}") } }
            val pinned = CertificatePinner.Pin("*.p.example.com", "sha256/{C}")
            """, ["2 k.example.com: A", "4 d.example.com: B", "5 *.p.example.com: C"]
        ),
    ]

    @Test("each way to write it in Kotlin", arguments: shapes)
    func kotlin(_ name: String, _ source: String, _ expected: [String]) throws {
        #expect(SourceFixture.shown(try SourceFixture.file(source, "Net.kt", .okHttp)) == expected, "\(name)")
    }

    static let javaShapes: [(String, String, [String])] = [
        (
            "constants of a class, in a chain",
            """
            public final class Net {
                private static final String HOST = "api.example.com";
                private static final String[] PINS = {"sha256/{A}", "sha256/{B}"};
                static CertificatePinner pinner() {
                    return new CertificatePinner.Builder()
                        .add(HOST, PINS)
                        .add("*." + HOST, "sha256/" + Keys.ROOT)
                        .build();
                }
                static class Keys { static final String ROOT = "{C}"; }
            }
            """, ["6 api.example.com: A B", "7 *.api.example.com: C"]
        ),
        (
            "a builder in a variable, and loops",
            """
            class Net {
                private static final List<String> PINS = Arrays.asList("sha256/{A}", "sha256/{B}");
                private static final Map<String, List<String>> MAP = new HashMap<String, List<String>>() {{
                    put("m.example.com", Collections.singletonList("sha256/{C}"));
                }};
                CertificatePinner make() {
                    CertificatePinner.Builder builder = new CertificatePinner.Builder();
                    for (String pin : PINS) {
                        builder.add("a.example.com", pin);
                    }
                    for (final String pin : PINS) builder.add("b.example.com", pin);
                    PINS.forEach(pin -> builder.add("c.example.com", pin));
                    for (Map.Entry<String, List<String>> e : MAP.entrySet()) {
                        builder.add(e.getKey(), e.getValue().toArray(new String[0]));
                    }
                    FormBody.Builder form = new FormBody.Builder();
                    form.add("user", "x");
                    return builder.build();
                }
            }
            """, ["9 a.example.com: A B", "11 b.example.com: A B", "12 c.example.com: A B", "14 m.example.com: C"]
        ),
        (
            "lists that are filled, and String.format",
            """
            class Net {
                void make(OkHttpClient.Builder client) {
                    List<String> pins = new ArrayList<>();
                    pins.add(String.format("sha256/%s", "{A}"));
                    pins.add("sha256/{B}");
                    okhttp3.CertificatePinner p = new okhttp3.CertificatePinner.Builder()
                        .add("a.example.com", pins.toArray(new String[pins.size()])).build();
                    client.certificatePinner(p);
                }
            }
            """, ["7 a.example.com: A B"]
        ),
    ]

    @Test("each way to write it in Java", arguments: javaShapes)
    func java(_ name: String, _ source: String, _ expected: [String]) throws {
        #expect(SourceFixture.shown(try SourceFixture.file(source, "Net.java", .okHttp)) == expected, "\(name)")
    }

    @Test("code in comments and in strings counts for nothing, nor does another class's add")
    func nothing() throws {
        let source = """
            /* outer /* CertificatePinner.Builder().add("a.example.com", "sha256/{A}") */ still */
            // CertificatePinner.Builder().add("a.example.com", "sha256/{A}")
            val text = "CertificatePinner.Builder().add(x, y)"
            fun f(pinner: CertificatePinner) { val form = FormBody.Builder().add("a", "b").build() }
            val list = mutableListOf<String>().apply { add("sha256/{A}") }
            val none = CertificatePinner.Builder().build()
            """
        #expect(try SourceFixture.read(source, "Net.kt").isEmpty)
    }

    @Test("the builder by other names, and functions that are given one")
    func names() throws {
        let java = """
            import okhttp3.CertificatePinner.Builder;
            class Q {
                CertificatePinner a = new Builder().add("a.com", "sha256/{A}").build();
                Consumer<CertificatePinner.Builder> c = b -> b.add("c.com", "sha256/{C}");
                OkHttpClient d = new OkHttpClient.Builder().build();
            }
            """
        #expect(
            SourceFixture.shown(try SourceFixture.file(java, "Q.java", .okHttp)) == ["3 a.com: A", "4 c.com: C"])
        let kotlin = """
            import okhttp3.CertificatePinner
            typealias PB = CertificatePinner.Builder
            val a = PB().add("a.com", "sha256/{A}").build()
            fun pinner() = build { add("b.com", "sha256/{B}") }
            inline fun build(f: CertificatePinner.Builder.() -> Unit) = CertificatePinner.Builder().apply(f).build()
            val more: PB.() -> Unit = { add("c.com", "sha256/{C}") }
            val d = PB().let { it.add("d.com", "sha256/{D}") }.run { PINS.fold(this) { b, pin -> b.add("e.com", pin) } }
            val PINS = setOf("sha256/{E}", "sha256/{F}")
            """
        #expect(
            SourceFixture.shown(try SourceFixture.file(kotlin, "Q.kt", .okHttp)) == [
                "3 a.com: A", "4 b.com: B", "6 c.com: C", "7 d.com: D", "7 e.com: E F",
            ])
    }

    @Test("a pin that is added to something unknown, and a builder that is filled elsewhere, are told")
    func lost() throws {
        let unknown = "fun f(p: CertificatePinner) { Pinners.shared.add(\"a.com\", \"sha256/{A}\") }"
        #expect(SourceFixture.notes(try SourceFixture.file(unknown, "A.kt", .okHttp)) == ["1 unresolved"])
        let elsewhere = "val p = CertificatePinner.Builder().addPinsOfTheApp().build()"
        #expect(SourceFixture.notes(try SourceFixture.file(elsewhere, "A.kt", .okHttp)) == ["1 unresolved"])
    }
}
