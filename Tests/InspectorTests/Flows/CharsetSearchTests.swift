import Facts
import Filters
import Flows
import Store
import Support
import Testing

@testable import Inspector

@Suite("A body's charset, and what is found in it")
struct CharsetSearchTests {
    @Test(
        "a text is found in the charset that its body was said to be in",
        arguments: [
            ("Shift_JIS", [0x93, 0xfa, 0x96, 0x7b], "日本"), ("euc-jp", [0xc6, 0xfc, 0xcb, 0xdc], "日本"),
            ("GBK", [0xc4, 0xe3, 0xba, 0xc3], "你好"), ("big5", [0xa7, 0x41, 0xa6, 0x6e], "你好"),
            ("euc-kr", [0xbe, 0xc8, 0xb3, 0xe7], "안녕"), ("koi8-r", [0xf0, 0xd2, 0xc9], "При"),
            ("windows-1251", [0xcf, 0xf0, 0xe8], "При"), ("iso-8859-2", [0xb1, 0xe6], "ąć"),
            ("\"ISO-8859-15\"", [0xa4], "€"), ("iso-8859-1", [0xe4], "ä"), ("windows-1252", [0x80], "€"),
            ("utf-16le", [0xe5, 0x65, 0x2c, 0x67], "日本"), ("utf-16", [0xfe, 0xff, 0x65, 0xe5, 0x67, 0x2c], "日本"),
            (nil, [0xff, 0xfe, 0xe5, 0x65, 0x2c, 0x67], "日本"), ("utf-8", Array("日本".utf8), "日本"),
            ("no-such-charset", Array("日本".utf8), "日本"), (nil, Array("日本".utf8), "日本"),
        ] as [(String?, [UInt8], String)])
    func found(charset: String?, bytes: [UInt8], text: String) throws {
        let folder = try TemporaryFolder()
        let store = try FlowStore.open(path: folder.path + "/flows.db", tools: .linked)
        var flow = Flow(id: 1, kind: .http, state: .complete, started: 0)
        let type = "text/plain" + (charset.map { "; charset=\($0)" } ?? "")
        flow.response = FlowSide(headers: [HeaderField("Content-Type", type)])
        flow.response?.body = FlowBody(size: bytes.count, kept: bytes.count, type: "text/plain")
        _ = try store.insert([WholeFlow(flow, responseBody: bytes)])
        let context = FilterContext.local(now: 0)
        for words in [text, "res.body:\(text)"] {
            #expect(try store.ids(matching: Filter.parse(words, in: context)) == [1], "\(words)")
        }
        #expect(try store.ids(matching: Filter.parse("res.body:absent", in: context)).isEmpty)
    }
}
