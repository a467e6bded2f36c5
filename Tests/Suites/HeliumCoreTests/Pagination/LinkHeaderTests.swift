import FuzzSupport
import HeliumCore
import TestSupport
import Testing

@Suite("Link header", .timeLimit(.minutes(5)))
struct LinkHeaderTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let text: String
        let links: [LinkHeader.Link]
        var isMalformed = false
        var testDescription: String { text }
    }

    private static func link(_ reference: String, _ relations: String..., anchor: String? = nil) -> LinkHeader.Link {
        LinkHeader.Link(reference: reference, relations: relations, anchor: anchor)
    }

    private static let samples = [
        Sample(text: "", links: []),
        Sample(text: " , ,\t,", links: []),
        Sample(text: "<a>", links: [link("a")]),
        Sample(text: "<>; rel=next", links: [link("", "next")]),
        Sample(text: "<a>; rel=\"next\"", links: [link("a", "next")]),
        Sample(text: "<a>;rel=NEXT", links: [link("a", "next")]),
        Sample(text: "<a> ; REL = \"next\" ; title=\"x\"", links: [link("a", "next")]),
        Sample(text: "<a>; rel=\"prev  next\tlast\"", links: [link("a", "prev", "next", "last")]),
        Sample(text: "<a>; rel=next; rel=prev", links: [link("a", "next")]),
        Sample(text: "<a>; rel=next,<b>; rel=prev", links: [link("a", "next"), link("b", "prev")]),
        Sample(
            text:
                "<https://api.example.com/?a=1,2;3&page=2>; rel=\"next\", <https://api.example.com/?page=9>; rel=\"last\"",
            links: [
                link("https://api.example.com/?a=1,2;3&page=2", "next"),
                link("https://api.example.com/?page=9", "last"),
            ]
        ),
        Sample(
            text: "<a>; title=\"a, b; c <x>; rel=next \\\" , \\\\\"; rel=prev, <b>; rel=next",
            links: [link("a", "prev"), link("b", "next")]
        ),
        Sample(
            text: "</TheBook/chapter2>; rel=\"previous\"; title*=UTF-8'de'letztes%20Kapitel, </t>; rel=\"next\"",
            links: [link("/TheBook/chapter2", "previous"), link("/t", "next")]
        ),
        Sample(
            text: "<a>; rel=\"start http://example.net/Relation/Other\"",
            links: [link("a", "start", "http://example.net/relation/other")]
        ),
        Sample(text: "<a>; anchor=\"#foo\"; rel=next", links: [link("a", "next", anchor: "#foo")]),
        Sample(text: "<a>; rel", links: [link("a")]),
        Sample(text: "<a>; ; rel=next;", links: [link("a", "next")]),
        Sample(text: "<a>; rev=next", links: [link("a")]),
        Sample(text: "<a>; rel=next>, <b>; rel=prev", links: [link("a", "next>"), link("b", "prev")]),
        Sample(text: "a; rel=next, <b>; rel=prev", links: [link("b", "prev")], isMalformed: true),
        Sample(text: "<a; rel=next", links: [], isMalformed: true),
        Sample(text: "<a> rel=next, <b>; rel=prev", links: [link("b", "prev")], isMalformed: true),
        Sample(text: "<a>; rel=\"next", links: [], isMalformed: true),
        Sample(text: "<a>; rel=\"next\\", links: [], isMalformed: true),
        Sample(text: "<a>; rel=\"next\"x, <b>", links: [link("b")], isMalformed: true),
        Sample(text: "x \"<a>; rel=next, \", <b>; rel=next", links: [link("b", "next")], isMalformed: true),
    ]

    @Test("Link fields are parsed by RFC 8288", arguments: samples)
    func specification(sample: Sample) {
        let header = LinkHeader(sample.text)
        #expect(header.links == sample.links)
        #expect(header.isMalformed == sample.isMalformed)
    }

    @Test("random Link fields do not trap", .tags(.random))
    func random() async throws {
        var input = FuzzInput(seed: ProofLength.seed(8288), pieces: PaginationFuzz.linkPieces)
        for number in ProofLength.rounds(2000) {
            // Others wait for the few threads that there are.
            if number.isMultiple(of: 500) { await Task.yield() }
            try PaginationFuzz.linkHeader(input.next())
        }
    }
}
