import Testing

@testable import Pins

@Suite("Values in source code")
struct SourceEvaluatorTests {
    /// What `x` is, as a message shows it.
    private func value(_ source: String, _ language: SourceLanguage) -> String? {
        let code = SourceEvaluator(SourceText(source, language))
        return code.lookUp("x", at: code.source.tokens.count - 1, [:], depth: 0)?.shown
    }

    static let kotlinValues: [(String, String?)] = [
        ("val x = \"a\" + \"b\"", "\"ab\""),
        ("const val A = \"a\"\nval x = \"$A-${A}\"", "\"a-a\""),
        ("val p = listOf(\"a\", \"b\")\nval x = \"${p[1]}${p.first()}\"", "\"ba\""),
        ("val x by lazy { \"a\" }", "\"a\""),
        ("val x: String\n    get() = \"a\"", "\"a\""),
        ("val x: String\ninit { x = \"a\" }", "\"a\""),
        ("var x = \"a\"\nfun f() { x = \"b\" }", "x"),
        ("val x = setOf(\"a\") + listOf(\"b\") + \"c\"", "\"a\", \"b\", \"c\""),
        ("val x = listOf(\"a\", \"b\").map { \"$it!\" }.toTypedArray()", "\"a!\", \"b!\""),
        ("val l = mutableListOf<String>()\nfun f() { l.add(\"a\"); other.l.add(\"b\") }\nval x = l", "\"a\""),
        ("val x = buildList { add(\"a\"); addAll(listOf(\"b\")) }", "\"a\", \"b\""),
        ("val m = mapOf(\"k\" to \"v\")\nval x = m[\"k\"]", "\"v\""),
        ("val m = mapOf(\"k\" to \"v\")\nval x = m.values.first()", "\"v\""),
        ("val u = \"https://user@h.example.com:1/p\"\nval x = Uri.parse(u).host", "\"h.example.com\""),
        ("val x = \"https://a\".removePrefix(\"https://\").uppercase()", "\"A\""),
        ("val x = \"\"\"\n  a\n\"\"\".trim()", "\"a\""),
        ("sealed class E(val h: String) { object P : E(\"a\") }\nval x = E.P.h", "\"a\""),
        ("data class P(val h: String, val k: String = \"d\")\nval x = P(\"a\").k", "\"d\""),
        ("enum class E(val v: String) { A(\"a\"), B(\"b\") }\nval x = E.values().map { it.v }", "\"a\", \"b\""),
        ("fun f(s: String) = \"$s!\"\nval x = f(\"a\")", "\"a!\""),
        ("fun String.pin() = \"sha256/$this\"\nval x = \"a\".pin()", "\"sha256/a\""),
        ("val x = if (BuildConfig.DEBUG) \"d\" else \"r\"", "\"r\""),
        ("val x = if (flag) \"d\" else \"r\"", "if (flag) \"d\" else \"r\""),
        ("val x = BuildConfig.HOST ?: \"a\"", "BuildConfig.HOST ?: \"a\""),
        ("val x = com.example.Keys.A", "com.example.Keys.A"),
        ("object Keys { const val A = \"a\" }\nval x = com.example.Keys.A", "\"a\""),
    ]

    @Test("Kotlin", arguments: kotlinValues)
    func readsKotlin(_ source: String, _ expected: String?) { #expect(value(source, .kotlin) == expected) }

    static let javaValues: [(String, String?)] = [
        ("class A { static final String x = \"a\" + B.C; } class B { static final String C = \"c\"; }", "\"ac\""),
        ("class A { static final String[] x = {\"a\", \"b\"}; }", "\"a\", \"b\""),
        ("class A { List<String> x = new ArrayList<>(Arrays.asList(\"a\")); }", "\"a\""),
        (
            "class A { static final Map<String, String> M; static { Map<String, String> m = new HashMap<>(); m.put(\"k\", \"v\"); M = m; } static String x = M.get(\"k\"); }",
            "\"v\""
        ),
        ("class A { Object y = (Object) \"a\"; String x = (String) y; }", "\"a\""),
        ("class A { String x = debug ? \"a\" : \"b\"; }", "debug ? \"a\" : \"b\""),
        ("class A { String x = BuildConfig.DEBUG ? \"a\" : \"b\"; }", "\"b\""),
        ("class A { String x = String.format(\"%s/%s\", \"a\", \"b\"); }", "\"a/b\""),
        ("enum E { A(\"a\"); final String h; E(String h) { this.h = h; } } class B { String x = E.A.h; }", "\"a\""),
    ]

    @Test("Java", arguments: javaValues)
    func readsJava(_ source: String, _ expected: String?) { #expect(value(source, .java) == expected) }

    static let swiftValues: [(String, String?)] = [
        ("let a = \"a\"\nlet x = \"\\(a)b\"", "\"ab\""),
        ("enum P { static let a = \"a\" }\nlet x = [P.a, \"b\"]", "\"a\", \"b\""),
        ("enum H: String { case a = \"1\", b = \"2\" }\nlet x = H.b.rawValue", "\"2\""),
        ("var x: String { return \"a\" }", "\"a\""),
        ("let x: String = { let y = \"a\"; return y }()", "\"a\""),
        ("var d = [String: String]()\nfunc f() { d[\"k\"] = \"v\" }\nlet x = d[\"k\"]!", "\"v\""),
        ("let x = [\"a\", \"b\"].map { $0 + \"!\" }", "\"a!\", \"b!\""),
        ("let x = [\"a\"].map { s in \"\\(s)!\" } as [String]", "\"a!\""),
        ("#if DEBUG\nlet x = \"d\"\n#else\nlet x = \"r\"\n#endif", "\"r\""),
        ("let x = flag ? \"a\" : \"b\"", "flag ? \"a\" : \"b\""),
    ]

    @Test("Swift", arguments: swiftValues)
    func readsSwift(_ source: String, _ expected: String?) { #expect(value(source, .swift) == expected) }

    static let otherValues: [(SourceLanguage, String, String?)] = [
        (.objectiveC, "#define A @\"a\"\nstatic NSString *const x = A;", "\"a\""),
        (.objectiveC, "NSArray *x = @[@\"a\", @\"b\"];", "\"a\", \"b\""),
        (.objectiveC, "NSSet *x = [NSSet setWithObjects:@\"a\", @\"b\", nil];", "\"a\", \"b\""),
        (
            .objectiveC, "NSMutableArray *x = [[NSMutableArray alloc] init];\nvoid f() { [x addObject:@\"a\"]; }",
            "\"a\""
        ),
        (.objectiveC, "NSString *x = [@\"a\" stringByAppendingString:@\"b\"];", "\"ab\""),
        (.objectiveC, "NSString *x = [NSString stringWithFormat:@\"%@.com\", @\"a\"];", "\"a.com\""),
        (.dart, "const a = 'a';\nfinal String x = '$a' 'b';", "\"ab\""),
        (.dart, "List<String> get x => ['a', ...b];\nconst b = ['b'];", "\"a\", \"b\""),
        (.dart, "static const List<String> x = <String>['a'];", "\"a\""),
    ]

    @Test("Objective-C and Dart", arguments: otherValues)
    func readsOthers(_ language: SourceLanguage, _ source: String, _ expected: String?) {
        #expect(value(source, language) == expected)
    }
}
