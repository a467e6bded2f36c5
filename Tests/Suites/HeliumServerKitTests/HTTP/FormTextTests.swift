import Testing

@testable import HeliumServerKit

@Suite("Queries and forms of the server")
struct FormTextTests {
    @Test(
        "a form is decoded into pairs in their order",
        arguments: [
            ("", []), ("&&", []), ("a", ["a="]), ("a=", ["a="]), ("=b", ["=b"]), ("a=b=c", ["a=b=c"]),
            ("a=1&b=2&a=3", ["a=1", "b=2", "a=3"]), ("a+b=c+d", ["a b=c d"]), ("%61=%2B%26%3d", ["a=+&="]),
            ("a=%ff", ["a=\u{FFFD}"]), ("a=%C3%A9", ["a=é"]), ("a=1%", ["a=1%"]), ("a=%zz+b", ["a=%zz b"]),
        ]
    )
    func pairs(_ text: String, _ pairs: [String]) {
        #expect(FormText.pairs(of: text[...]).map { "\($0.name)=\($0.value)" } == pairs)
    }

    @Test("a form is equal after writing and reading")
    func text() {
        let pairs = [("a b", "c+d&e=f"), ("é", "~-._"), ("empty", "")]
        let text = FormText.text(of: pairs)
        #expect(text == "a%20b=c%2Bd%26e%3Df&%C3%A9=~-._&empty=")
        #expect(FormText.pairs(of: text[...]).map { "\($0.name) \($0.value)" } == pairs.map { "\($0.0) \($0.1)" })
    }

    @Test("the last value of a name counts in a form, and an empty name is left out")
    func fields() {
        var fields = FormFields(query: "a=1&b=2&a=3&c=")
        #expect(fields["a"] == "3")
        #expect(fields["c"] == nil)
        #expect(fields["d"] == nil)
        #expect(fields.all == ["a": "3", "b": "2", "c": ""])
        #expect(fields.fault == nil)
        fields["b"] = nil
        fields["d"] = "4"
        #expect(fields.all == ["a": "3", "c": "", "d": "4"])
    }

    @Test("invalid text in a form is left out and recorded")
    func faults() {
        let fields = FormFields(query: "a=1&b=%00&%00=2")
        #expect(fields.all == ["a": "1"])
        #expect(fields.fault != nil)
        let marks = String(repeating: "%CC%81", count: 300)
        #expect(FormFields(query: "a=\(marks)"[...]).fault == .marks)
    }

    @Test("a path is decoded segment by segment, or not at all")
    func segments() {
        #expect(PercentEncoding.decoded(segments: ["a%2Fb", "c+d", ""]) == ["a/b", "c+d", ""])
        #expect(PercentEncoding.decoded(segments: ["a", "%4"]) == nil)
        #expect(PercentEncoding.decoded(segments: []) == [])
    }
}
