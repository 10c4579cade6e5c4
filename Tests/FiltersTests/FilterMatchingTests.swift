import Testing

@testable import Filters

@Suite struct FilterMatchingTests {
    private static func names(_ text: String, _ context: FilterContext = .sample) throws -> String {
        let filter = try Filter.parse(text, in: context)
        return Morning.flows.filter { filter.matches($0.flow, $0) }.map(\.name).joined(separator: " ")
    }

    private static let all = Morning.flows.map(\.name).joined(separator: " ")

    /// A filter with the flows that it wants: names of `Morning`, in their order.
    private func check(_ table: [(String, String)]) throws {
        for (text, names) in table {
            let expected = names == "all" ? Self.all : names
            let found = try Self.names(text)
            #expect(found == expected, "\(text)")
            // The normal form is the same filter.
            let filter = try Filter.sample(text)
            let again = try Filter.sample(filter.description)
            #expect(again == filter, "\(text) became \(filter)")
        }
    }

    @Test("nothing, stars, and words anywhere")
    func anywhere() throws {
        try check([
            ("", "all"), ("  \t ", "all"), ("*", "all"), ("-*", ""), ("(*)", "all"),
            ("login", "login graphql"), ("LOGIN", "login graphql"), ("\"login?x\"", "login"),
            ("/v1/", "login problem events broken"), ("v1/items", "broken"),
            ("https://api.example.com/v1/login", "login"),
            ("bank", "pinned"), ("pinned.bank.example:8443", "pinned"), ("time.apple.com", "tunnel"),
            ("x-request-id", "login"), ("7f-a", "login"), ("grpc-status", "grpc"), ("\"grpc-status: 5\"", "grpc"),
            ("a.css", "chat"), ("typing", "chat"), ("tick", "events"), ("secret", ""), ("s3cret", "login"),
            ("ärger", "login"), ("ZOË", "login"), ("zoe", ""), ("strasse", ""), ("STRAßE", "chat"), ("straẞe", "chat"),
            ("no*user", "problem"), ("user*no", ""), ("\"no such\"", "problem"), ("no\\ such", "problem"),
            ("2\\*3", "broken"), ("\"2\\*3\"", "broken"), ("2*3", "image broken"),
            ("\"C:\\\\dir\"", "broken"), ("{\"user\"", "login"), ("a(b", "graphql"),
            ("a(b:", "graphql"), ("tokén", ""), ("/typ[a-z]ng/", "chat"), ("/TYP[a-z]ng/", ""), ("/TYPing/i", "chat"),
            ("192.168.1.20", ""), ("12:30", ""), ("\"or\"", "login"),
        ])
    }

    @Test("terms joined by and, or, not and parentheses")
    func joining() throws {
        try check([
            ("method:GET status:200", "image events download"), ("method:GET and status:200", "image events download"),
            ("method:GET AND status:200", "image events download"), ("method:PUT or status:404", "problem broken"),
            ("method:PUT OR status:404 host:api.*", "problem broken"), ("-host:*", ""),
            ("-host:*.example.com", "redirect pinned tunnel raw"),
            ("not host:*.example.com", "redirect pinned tunnel raw"), ("NOT host:*.example.com is:failed", "pinned"),
            ("--login", "login graphql"), ("not not login", "login graphql"), ("-not login", "login graphql"),
            ("(method:PUT or status:404) type:xml", "broken"), ("type:xml (method:PUT or status:404)", "broken"),
            ("-(method:GET or method:POST)", "pinned tunnel broken raw"),
            ("not(method:GET or method:POST)", "pinned tunnel broken raw"),
            ("-(method:GET type:png) cdn", "script"), ("(login)(token)", "login"), ("((login))", "login graphql"),
            ("method:PUT or(status:404)", "problem broken"), ("-(-(method:PUT))", "broken"),
            ("-is:http -is:tunnel", "chat pinned raw"),
            ("a or b c or d", Self.all), ("is:failed or is:open -kind:websocket", "events pinned download"),
        ])
    }

    @Test("whole values with stars")
    func values() throws {
        try check([
            ("host:api.example.com", "login problem events graphql broken"),
            ("host:API.Example.COM method:put", "broken"),
            ("host:example.com", "redirect"), ("host:*.example.com type:png", "image"), ("host:api", ""),
            ("host:*example.com status:302", "redirect"), ("host:*", "all"), ("host:a*.c*m method:put", "broken"),
            ("host:cdn.example.com,slow.example.com", "image script download"), ("host:2001:db8::7", "raw"),
            ("host:[2001:db8::7]", "raw"), ("host:\"cdn.example.com\",example.com", "redirect image script"),
            ("host:=\"API.example.com\"", ""), ("host:=\"api.example.com\" method:PUT", "broken"),
            ("host:=example.com", "redirect"),
            ("path:/v1/login", "login"), ("path:/v1/login?x=1", "login"), ("path:/v1/*", "login problem events broken"),
            ("path:*", "login problem redirect image script chat events graphql grpc download broken"),
            ("path:/v1", ""),
            ("path:/V1/LOGIN", "login"), ("path:login", ""), ("path:*login*", "login"), ("path:/*/items/*", "broken"),
            ("path:\"/img/logo.png?v=2,3\"", "image"), ("path:/img/logo.png?v=2\\,3", "image"),
            ("path:/img/logo.png,/old", "redirect image"),
            ("method:POST,PUT", "login graphql grpc broken"), ("method:p*", "login graphql grpc broken"),
            ("method:POS", ""),
            ("scheme:http", "redirect"), ("scheme:http*  status:302..304", "redirect script"), ("scheme:wss", "chat"),
            ("port:8443", "pinned"), ("port:8*", "redirect pinned"), ("port:>8080", "pinned raw"),
            ("port:8080,9*", "redirect raw"),
            ("port:8000..8999", "redirect pinned"),
            ("type:json", "login problem graphql"), ("type:problem+json", "problem"),
            ("type:application/json", "login graphql"),
            ("type:image/png", "image"), ("type:image/*", "image"), ("type:png,xml", "image broken"),
            ("type:html", "redirect"),
            ("type:javascript", "script"), ("type:text/javascript", "script"), ("type:event-stream", "events"),
            ("type:proto", "grpc"), ("type:*grpc*", "grpc"), ("type:jso", ""),
            ("tag:graphql:Login", "graphql"), ("tag:GraphQL:*", "graphql"), ("tag:graphql", ""), ("tag:sse", "events"),
            ("tag:*", "events graphql grpc"), ("tag:grpc:/pkg.Svc/*", "grpc"), ("tag:=\"graphql:login\"", ""),
            ("client:pixel-8", "login"), ("client:Pixel-*", "login grpc"), ("client:127.0.0.1", "login"),
            ("client:127.0.0.1:50123", "login"), ("client:fe80::1", "pinned"), ("client:[fe80::1]", "pinned"),
            ("client:[fe80::1]:50000", "pinned"), ("client:192.168.1.2", ""), ("client:127.*", "login"),
            ("alpn:h2", "login image script"), ("alpn:http/1.1", "problem broken"),
            ("alpn:h*", "login problem image script broken"),
            ("ja4:t13d1516h2_8daaf6152771_b186095e22b6", "login"), ("ja4:t13d", "login problem"),
            ("ja4:T13D*h1*", "problem"),
            ("ja4:*5e22b6", "login"), ("mark:later", "image"), ("mark:*", "image"), ("comment:bob", "problem"),
        ])
    }

    @Test("parts of values: URL, headers, bodies")
    func parts() throws {
        try check([
            ("url:\"a b\"", ""), ("url:login", "login"), ("url:slow.EXAMPLE", "download"), ("url:2,3", "image"),
            ("url:v1*3", "broken"), ("url:/v1/", "login problem events broken"), ("url:/V1/", ""),
            ("url:/V1/i", "login problem events broken"),
            ("url:/v1/i", "login problem events broken"), ("url:/v1/i*", "broken"), ("url:/v1/login", "login"),
            ("url:\"/v1/\"", "login problem events broken"),
            ("url:/users\\/\\d+$/", "problem"), ("url:=\"Slow\"", "download"), ("url:=\"slow\"", ""),
            ("url:a=b", "download"),
            ("header:x-request-id", "login"), ("header:X-A", "login broken"), ("header:x-a=b", "login"),
            ("header:x-a=ABC", "login"),
            ("header:x-a=\"B\"", "login"), ("header:x-a=\"b\"", ""), ("header:x-a=\"abc\"", ""),
            ("header:x-a=\"aBc\"", "login"),
            ("header:\"x-a=ABC\"", "login"), ("header:x-*", "login download broken"), ("header:x-*=hit", "download"),
            ("header:*=websocket", "chat"), ("header:x-a=/^a/", "login"), ("header:x-a=/^A/", ""),
            ("header:x-a=/^A/i", "login"),
            ("header:x-a=*", "login broken"), ("header:cookie=theme=dark", "login"),
            ("header:cookie=\"sid=1; theme\"", "login"),
            ("header:grpc-status=5", "grpc"), ("header:link", "chat"), ("req.header:content-type", "login"),
            ("res.header:content-type=json", "login problem"), ("req.header:upgrade res.header:upgrade", "chat"),
            ("res.header:x-a", ""), ("header:location=/new", "redirect"), ("header:\"location=/new\"", "redirect"),
            ("body:token", "login"), ("body:\"token\"", "login"), ("body:=\"token\"", ""), ("body:=\"Token\"", "login"),
            ("body:\"\\\"token\\\":\"", "login"), ("body:/tok(en)?/", ""), ("body:/Tok(en)?/", "login"),
            ("body:/tok(en)?/i", "login"),
            ("body:/no such/", "problem"), ("body:/<oops\\/>/", "broken"), ("req.body:login", "graphql"),
            ("res.body:login", ""),
            ("res.body:oops", "broken"), ("req.body:oops", ""), ("req.body:hello", "chat"), ("res.body:typing", "chat"),
            ("body:\"Zoë ärger\"", "login"), ("body:ÄRGER", "login"),
            ("body:*", "login problem chat events graphql broken"),
            ("body:{\"user\":", "login"), ("body:'\"user\"'", "login"), ("body:/v1/x", ""), ("body:a(b:", "graphql"),
            ("body:\\{\"n", ""), ("body:{\"n\":2\\*3", "broken"), ("body:\"\\u{e4}rger\"", "login"),
        ])
    }

    @Test("numbers, sizes, durations, times")
    func numbers() throws {
        try check([
            ("status:404", "problem"), ("status:4xx", "problem"), ("status:4XX,503", "problem broken"),
            ("status:>=400", "problem broken"),
            ("status:>404", "broken"), ("status:<200", "chat"), ("status:<=200 type:json", "login graphql"),
            ("status:300..399", "redirect script"),
            ("status:30x", "redirect script"), ("status:3xx..4xx", "problem redirect script"),
            ("status:>=4xx", "problem broken"), ("status:>4xx", "broken"),
            ("status:500..", "broken"), ("status:..199", "chat"), ("status:=404", "problem"), ("status:0", ""),
            ("-status:200 host:api.*", "problem broken"), ("status:404,>=500", "problem broken"),
            ("size:>1M", "image download"), ("size:>=1M", "image download broken"), ("size:1M", "broken"),
            ("size:1024K", "broken"), ("size:>4g", "download"),
            ("size:2MB", "image"), ("size:2MiB", "image"), ("size:1K..1.5k", "login graphql"),
            ("size:0", "redirect script chat"),
            ("size:<100 status:>=400", "problem"), ("res.size:1K", "graphql"), ("req.size:>4000", "broken"),
            ("req.size:2K..4K", "graphql broken"),
            ("req.size:45", "login"), ("size:>=5G", "download"), ("size:>5G", ""), ("size:1048576b", "broken"),
            ("dur:>500ms", "image grpc tunnel broken"), ("dur:>=500ms", "image grpc tunnel download broken"),
            ("dur:>500", "image grpc tunnel broken"),
            ("dur:1m", "grpc"), ("dur:>1m", "tunnel"), ("dur:1m30.5s", "tunnel"), ("dur:2s..3s", "broken"),
            ("dur:<10ms", "redirect script"),
            ("dur:12.3ms", "login"), ("dur:12300us", "login"), ("dur:<0.1s -dur:<10ms", "login problem graphql"),
            ("messages:>10", "chat"), ("messages:2,3", "events grpc"), ("connection:317", "login"),
            ("connection:302,303", "problem redirect"),
            ("id:1000..1002", "login problem"), ("id:1014", "raw"), ("id:>1012", "broken raw"),
            ("id:999999999999999999", ""),
            ("tls:1.2", "broken"), ("tls:1.3", "login problem image script"),
            ("tls:>=1.2", "login problem image script broken"), ("tls:<1.3", "broken"),
            ("tls:TLSv1.2", "broken"), ("tls:1.*", "login problem image script broken"),
            ("tls:1.2,1.3 method:put", "broken"), ("tls:ssl3", ""),
            ("after:2026-01-01T10:12:00Z", "download broken raw"), ("after:2026-01-01T11:12", "download broken raw"),
            ("after:2026-01-01T11:12:30", "broken raw"), ("after:\"2026-01-01 11:12\"", "download broken raw"),
            ("after:2026-01-01T12:12:00+02:00", "download broken raw"),
            ("after:2026-01-01T12:12+0200", "download broken raw"),
            ("before:2026-01-01T10:02:00Z", "login"), ("before:2026-01-01T10:02:00.5Z", "login problem"),
            ("before:11:02", "login"),
            ("before:10:02Z", "login"), ("after:2026-01-01 before:2026-01-02", "all"), ("before:2026-01-01", ""),
            ("after:2025-12-31", "all"),
            ("before:1h50m", "login problem redirect image script chat events graphql grpc"),
            ("after:1h50m", "pinned tunnel download broken raw"),
            ("before:10m", "all"), ("after:10m", ""), ("after:1d", "all"), ("after:1w", "all"),
        ])
    }

    @Test("kinds, failures and what a flow is")
    func words() throws {
        try check([
            ("kind:websocket", "chat"), ("kind:WebSocket,tunnel", "chat tunnel"), ("kind:raw", "raw"),
            ("kind:t*", "tunnel"), ("-kind:http", "chat pinned tunnel raw"),
            ("failure:client-refused-certificate", "pinned"), ("failure:*", "pinned download"),
            ("failure:origin-*", "download"), ("failure:client-*,origin-reset", "pinned download"),
            ("is:failed", "pinned download"), ("is:open", "chat events"), ("is:aborted", "pinned download"),
            ("is:tunnel", "tunnel"), ("is:redirect", "redirect"),
            ("is:cached", "image script download"), ("is:graphql", "graphql"), ("is:grpc", "grpc"),
            ("is:sse", "events"), ("is:websocket", "chat"), ("is:raw", "raw"),
            ("is:marked", "image"), ("is:commented", "problem"), ("is:undecodable", "raw"), ("is:cut", "download"),
            ("IS:Failed", "pinned download"),
            ("is:sse,grpc", "events grpc"), ("-is:sse,grpc is:graphql", "graphql"),
            ("is:complete -is:http", "tunnel raw"),
        ])
    }

    @Test("a filter for every flow is told apart, and what it needs is known")
    func needs() throws {
        #expect(try Filter.sample(" ").isEverything && Filter.sample("*").isEverything)
        #expect(try Filter.sample("host:a -status:200").needsBodies == false)
        #expect(try Filter.sample("host:a -(status:200 or word)").needsBodies)
        #expect(try Filter.sample("res.body:x").needsBodies)
        #expect(
            try Filter.sample("Login -other (a or b) body:x*y header:a=b host:h url:/re/").requiredWords == [
                "Login", "x", "y", "b",
            ])
        let both = try Filter.sample("host:a").and(Filter.sample("is:open status:200"))
        #expect(both.description == "host:a is:open status:200")
        #expect(try Filter.sample("host:a").without(Filter.sample("x or y")).description == "host:a -(x or y)")
    }
}
