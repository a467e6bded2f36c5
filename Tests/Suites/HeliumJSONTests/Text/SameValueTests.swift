import Testing

@testable import HeliumJSON

@Suite("Values with text of a peer", .timeLimit(.minutes(5)))
struct SameValueTests {
    private struct Note: Equatable, Encodable {
        var text: String
    }

    /// One comparison as `String` takes minutes.
    private static let marks = "a" + String(repeating: "\u{301}\u{316}", count: 400_000)

    @Test("values with long runs of marks are compared in time that grows with their size")
    func slow() {
        let note = Note(text: Self.marks)
        #expect(SameValue.areSame(note, Note(text: Self.marks)))
        #expect(!SameValue.areSame(note, Note(text: "a")))
        #expect(!SameValue.areSame(note, Note(text: Self.marks + "\u{301}")))
        // Equal for Swift, which would take minutes to find out.
        #expect(!SameValue.areSame(note, Note(text: "a" + String(repeating: "\u{316}\u{301}", count: 400_000))))
    }

    @Test("values that Swift considers equal are equal, whatever their bytes")
    func equal() {
        #expect(SameValue.areSame(Note(text: "caf\u{E9}"), Note(text: "cafe\u{301}")))
        #expect(SameValue.areSame(["a": 1, "b": 2], ["b": 2, "a": 1]))
        #expect(!SameValue.areSame(Note(text: "a"), Note(text: "b")))
        // Without a form in JSON.
        #expect(SameValue.areSame(1...2, 1...2) && !SameValue.areSame(1...2, 1...3))
    }

    @Test(
        "text is slow to compare from the 257th mark in a row on",
        arguments: [
            ("a" + String(repeating: "\u{301}", count: 256), false),
            ("a" + String(repeating: "\u{301}", count: 257), true),
            (String(repeating: "a" + String(repeating: "\u{316}", count: 200), count: 9), false),
            (String(repeating: "\u{301}\u{316}", count: 200), true), (String(repeating: "é", count: 9999), false),
            ("", false),
        ]
    )
    func limit(text: String, isSlow: Bool) { #expect(text.isSlowToCompare == isSlow) }
}
