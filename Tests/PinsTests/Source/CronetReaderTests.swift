import Testing

@testable import Pins

@Suite("Cronet in source code")
struct CronetReaderTests {
    @Test("Java: a set that is filled, a date that is parsed, the bypass switched off")
    func java() throws {
        let source = """
            class Engine {
                private static final String HOST = "api.example.com";
                CronetEngine build(Context context) throws Exception {
                    CronetEngine.Builder builder = new CronetEngine.Builder(context);
                    Set<byte[]> pins = new HashSet<>();
                    pins.add(Base64.decode("{A}", Base64.DEFAULT));
                    pins.add(Base64.getDecoder().decode("{B}"));
                    Date expiration = new SimpleDateFormat("yyyy-MM-dd").parse("2027-06-30");
                    builder.addPublicKeyPins(HOST, pins, true, expiration)
                        .enablePublicKeyPinningBypassForLocalTrustAnchors(false);
                    builder.addPublicKeyPins("b.example.com", Collections.singleton(new byte[] {
                        (byte) 0x43, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67,
                        67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67, 67}),
                        false, new GregorianCalendar(2028, Calendar.MARCH, 1).getTime());
                    return builder.build();
                }
            }
            """
        let file = try SourceFixture.file(source, "Engine.java", .cronet)
        #expect(
            SourceFixture.shown(file) == [
                "9 api.example.com+**.api.example.com: A B until 2027-06-30", "11 b.example.com: C until 2028-03-01",
            ])
        #expect(file?.settings == [] && file?.notes == [])
    }

    @Test("Kotlin: mapped constants, other decoders; the bypass is on where nothing is said")
    func kotlin() throws {
        let source = """
            private val PINS = listOf("{A}", "{B}")
            fun engine(context: Context): CronetEngine = CronetEngine.Builder(context).apply {
                addPublicKeyPins("api.example.com", PINS.map { Base64.decode(it, Base64.DEFAULT) }.toSet(), false, Date(1798761600000L))
                addPublicKeyPins("x.example.com", setOf("{C}".decodeBase64()!!.toByteArray(), hexToBytes("4444444444444444444444444444444444444444444444444444444444444444")),
                    includeSubdomains = true, expirationDate = Date(System.currentTimeMillis() + YEAR))
            }.build()
            """
        let file = try SourceFixture.file(source, "Engine.kt", .cronet)
        #expect(
            SourceFixture.shown(file) == [
                "3 api.example.com: A B until 2027-01-01", "4 x.example.com+**.x.example.com: C D",
            ])
        #expect(SourceFixture.notes(file) == ["4 unresolved"])
        #expect(SourceFixture.settings([file].compactMap { $0 }) == ["3 localAnchorExemption"])
    }

    @Test(
        "what the builder throws at fails closed",
        arguments: [
            "\"10.0.0.1\", setOf(Base64.decode(\"{A}\", 0)), false, d",
            "\"a b\", setOf(Base64.decode(\"{A}\", 0)), false, d",
            "\"a.example.com\", setOf(Base64.decode(\"QUFB\", 0)), false, d",
            "\"a.example.com\", setOf(Base64.decode(\"%%\", 0)), false, d",
        ])
    func refused(_ arguments: String) {
        let fault = #expect(throws: PinFileFault.self) {
            try SourceFixture.file(
                "val e = CronetEngine.Builder(c)\n  .addPublicKeyPins(\(arguments))", "E.kt", .cronet)
        }
        #expect(fault?.line == 2 && fault?.effect == .failsClosed)
    }

    @Test("what is elsewhere leaves notes; a wrapper of the same name is none")
    func unresolved() throws {
        let file = try SourceFixture.file(
            "val e = CronetEngine.Builder(c).addPublicKeyPins(Hosts.API, Pins.ALL, flag, Date(Long.MAX_VALUE))", "E.kt",
            .cronet)
        #expect(SourceFixture.shown(file) == ["1 ?: ?"])
        #expect(SourceFixture.notes(file) == ["1 unresolved", "1 unresolved", "1 unresolved"])
        let wrapper = """
            class Delegating : Builder() {
                override fun addPublicKeyPins(hostName: String?, pinsSha256: Set<ByteArray?>?, includeSubdomains: Boolean, d: Date?) = apply {
                    delegate.addPublicKeyPins(hostName, pinsSha256, includeSubdomains, d)
                }
                override fun addPublicKeyPins(host: String, pins: Set<ByteArray>, include: Boolean, date: Date): Builder {
                    super.addPublicKeyPins(host, pins, include, date)
                    return this
                }
            }
            """
        #expect(try SourceFixture.file(wrapper, "W.kt", .cronet) == nil)
    }
}
