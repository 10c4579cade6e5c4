import Facts
import Filters
import Inspector
import Testing

@testable import Web

@Suite("Question and problem")
struct QuestionTests {
    @Test("path and query are decoded, each by its own rules")
    func decoded() {
        let question = Question(
            method: "GET", target: "/api/flows/7%2F8?filter=host%3Aa.test+b%2Bc&empty=&bare&x=1&x=2")
        #expect(question.path == ["api", "flows", "7/8"])
        #expect(question.query == ["filter": "host:a.test b+c", "empty": "", "bare": "", "x": "2"])
        #expect(Question(method: "GET", target: "/a+b").path == ["a+b"])
    }

    @Test(
        "percent signs that are none stand for themselves, and nothing traps",
        arguments: ["/%", "/%zz", "/%ff", "", "?", "//?&=&"])
    func broken(target: String) {
        _ = Question(method: "GET", target: target)
        #expect(Question(method: "GET", target: "/?a=%zz").query == ["a": "%zz"])
        #expect(Question(method: "GET", target: "/?a=%ff+%20").query == ["a": "%ff %20"])
        #expect(Question(method: "GET", target: "/?a=%C3%a9%2").query == ["a": "%C3%a9%2"])
        #expect(Question(method: "GET", target: "/?a=%C3%a9%2b").query == ["a": "é+"])
    }

    @Test("a cookie is found among others by its whole name")
    func cookies() {
        let question = Question(method: "GET", target: "/", headers: ["cookie": "xa=0;a=1 ; b=\"2\"; a=3"])
        #expect(question.cookie("a") == "1")
        #expect(question.cookie("x") == nil)
    }

    @Test("a filter's mistake is told in code points, whatever stands before it")
    func places() throws {
        let fault = #expect(throws: FilterFault.self) { try Filter.parse("\"👩‍👧é\" mehtod:GET", in: .local(now: 0)) }
        let problem = Problem(try #require(fault))
        #expect(problem.status == 400)
        // Quotes, three code points of a family, one letter (or two), a blank.
        let before = "\"👩‍👧é\" ".unicodeScalars.count
        #expect(problem.place?.column == before + 1)
        #expect(problem.place?.suggestion == "method:")
        let json = try JSONValue.parse({ if case .bytes(let bytes) = problem.answer.body { bytes } else { [] } }())
        #expect(json["column"]?.int == before + 1)
        #expect(json["title"]?.string == "Bad Request")
    }
}
