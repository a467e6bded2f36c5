import HeliumServer
import Testing

@testable import AppNetServer
@testable import CosmServer
@testable import HeliumServerKit

/// The time limit is the test: each of these took minutes.
@Suite("Texts with long runs of combining marks", .timeLimit(.minutes(5)))
struct HostileTextTests {
    /// 240 KB, in an order that normalization has to sort.
    private static let marks = String(repeating: "\u{301}\u{316}", count: 60_000)
    private static let escapedMarks = String(repeating: #"\u0301\u0316"#, count: 20_000)
    private static let encodedMarks = String(repeating: "%CC%81%CC%96", count: 20_000)

    private static let server = Result { try OfflineServer() }

    private struct Request {
        let method: String
        let target: String
        let type: String
        let body: String

        init(_ method: String, _ target: String, _ body: String = "", type: String = "application/json") {
            (self.method, self.target, self.type, self.body) = (method, target, type, body)
        }
    }

    private static let requests: [Request] = [
        Request("POST", "/demo-auth/v1/devices", #"{"a\#(marks)":1}"#),
        Request("POST", "/demo-auth/v1/devices", #"{"a\#(escapedMarks)":1}"#),
        Request("POST", "/demo-auth/v1/devices", #"{"app":{"id":"a\#(marks)"}}"#),
        Request("POST", "/oauth/access_token", "a\(encodedMarks)=1", type: "application/x-www-form-urlencoded"),
        Request("POST", "/oauth/access_token", "client_id=a\(marks)", type: "application/x-www-form-urlencoded"),
        Request("POST", "/oauth/authorize", "username=a\(marks)", type: "application/x-www-form-urlencoded"),
        Request("POST", "/stream/0/text/process", #"{"text":"a\#(marks)"}"#),
        Request("POST", "/stream/0/text/process", #"{"a\#(marks)":1}"#),
        Request("POST", "/stream/0/posts", #"{"text":"a","annotations":[{"type":"a\#(marks)","value":{}}]}"#),
        Request("POST", "/v1/posts", #"{"text":"a\#(marks)"}"#),
        Request("POST", "/v2/feeds", #"{"title":"a","tags":["a\#(marks)"]}"#),
        Request("POST", "/v2/feeds", #"{"title":"a","datastreams":[{"id":"a\#(marks)"}]}"#),
        Request("POST", "/v2/feeds", #"{"a\#(escapedMarks)":1}"#),
        Request("POST", "/v2/feeds.xml", "<eeml><environment a\(marks)='1'></environment></eeml>"),
        Request("POST", "/v2/feeds.xml", "<eeml><environment><a\(marks)/></environment></eeml>"),
        Request(
            "POST",
            "/v2/feeds.xml",
            "<eeml><environment><title>\(String(repeating: "&#769;&#790;", count: 10_000))</title></environment></eeml>"
        ),
        Request("PUT", "/v2/feeds/1.csv", "a\(marks),1\na\(marks),2"),
        Request("GET", "/v2/feeds?q=a\(encodedMarks)"), Request("GET", "/v2/feeds/a\(encodedMarks)"),
        Request("GET", "/v2/feeds?a\(encodedMarks)=1"), Request("GET", "/v2/feeds/a\(marks)"),
        Request("GET", "/stream/0/users/a\(encodedMarks)"),
        Request("GET", "/stream/0/posts/search?query=\(encodedMarks)"),
        Request("GET", "/demo-auth/v1/services?selection=\(encodedMarks)"),
        Request("GET", "/v1/posts/search?q=a\(encodedMarks)"),
    ]

    @Test(
        "long runs of combining marks in names, values, paths and parameters are 400 in every protocol",
        arguments: requests.indices
    )
    func refusal(index: Int) async throws {
        let server = try Self.server.get()
        let request = Self.requests[index]
        let fields = [
            ("Content-Type", request.type), ("X-ApiKey", server.cosmKey),
            ("Authorization", "Bearer \(server.userToken)"),
        ]
        let feed = await server.answer("POST", "/v2/feeds", fields: fields, body: Array(#"{"title":"a"}"#.utf8))
        #expect(feed.status == 201)
        let body = Array(request.body.utf8)
        let answer = await server.answer(request.method, request.target, fields: fields, body: body)
        #expect(answer.status == 400, "\(request.method) \(request.target.prefix(40)) \(request.body.prefix(40))")
    }

    @Test("long runs of combining marks in header fields are 400 before the request is handled")
    func fields() async throws {
        let server = try Self.server.get()
        for name in ["Content-Type", "Accept", "Authorization", "X-ApiKey", "If-None-Match", "Accept-Encoding", "key"] {
            let answer = await server.answer("GET", "/v2/feeds", fields: [(name, "a" + Self.marks)])
            #expect(answer.status == 400, "\(name)")
        }
    }

    @Test(
        "a text has at most 255 combining marks in a row",
        arguments: [
            ("a" + String(repeating: "\u{301}", count: 255), nil),
            ("a" + String(repeating: "\u{301}", count: 256), .marks),
            // Marks of decompositions: characters that are no marks themselves.
            (String(repeating: "\u{F73}", count: 256), .marks),
            (String(repeating: "\u{F81}\u{301}", count: 128), .marks),
            (String(repeating: "\u{301}a", count: 5000), nil),
            // What has the class 0 is not sorted.
            (String(repeating: "\u{34F}", count: 5000), nil), (String(repeating: "\u{200D}", count: 5000), nil),
            (String(repeating: "a", count: 5000), nil), ("", nil), ("a\0b", .null),
        ] as [(String, TextFault?)]
    )
    func ceiling(text: String, fault: TextFault?) {
        #expect(text.textFault == fault)
        #expect(("x" + text + "x")[...].textFault == fault)
        #expect(text.holdsLongMarkRun == (fault == .marks))
    }

    @Test("texts of combining marks or punctuation have no links")
    func links() {
        let parts = [
            "\u{301}\u{316}", "a!", "!", "a.io!%", "http:///!", "http://\u{1}!", "(a", "[", "a)", "a}", "-", "a-.",
            "@a",
            "#",
            "a.b:", "http:", "{a}",
        ]
        for part in parts {
            let scalars = Array(String(repeating: part, count: 40_000 / part.unicodeScalars.count).unicodeScalars)
            let found = LinkDetector(scalars).links(outside: [])
            #expect(found.isEmpty, "\(part): \(found.first?.url.prefix(50) ?? "")")
        }
        for part in ["[", "[a](x", "[a](http://", "[a](http://\u{1}", "[a](http:///", "](", "[]("] {
            let text = String(repeating: part, count: 40_000 / part.count)
            #expect(MarkdownLinks(text).links.isEmpty, "\(part)")
        }
    }

    @Test(
        "links are found among punctuation and combining marks",
        arguments: [
            ("see http://a.example/b.", ["http://a.example/b"]), ("(http://a.example/b)", ["http://a.example/b"]),
            ("http://a.example/(b)", ["http://a.example/(b)"]), ("http://a.example/(b)).", ["http://a.example/(b))"]),
            ("HTTP://A.example", ["HTTP://A.example"]), ("a.com, b.org!c", ["http://a.com"]),
            ("a.com/x?y", ["http://a.com/x?y"]),
            ("a_b.com x@a.com -a.com a..com .a.com", []),
            ("http://a.example/{post_id}.", ["http://a.example/{post_id}"]),
            ("x<http://a.example/b>", ["http://a.example/b"]), ("http:// http:///x https://?", []),
            ("a.com\u{301} http://\u{301}", ["http://\u{301}"]), ("(a.com)", ["http://a.com"]),
            ("a.com...", ["http://a.com"]),
        ]
    )
    func sameLinks(text: String, urls: [String]) {
        #expect(LinkDetector(Array(text.unicodeScalars)).links(outside: []).map(\.url) == urls)
    }

    @Test("XML with more than 64 attributes of an element is refused, and a large one is scanned in time")
    func attributes() throws {
        func element(_ count: Int) -> String {
            "<eeml \((0..<count).map { "a\($0)='=>='" }.joined(separator: " "))><!-- <a =====> --><![CDATA[<a ====>]]></eeml>"
        }
        #expect(XMLScan.largestAttributeCount(of: Array(element(64).utf8)) == 64)
        #expect(try XMLNode.parse(Array(element(64).utf8)).attributes.count == 64)
        for document in [element(65), element(20_000), "<a " + String(repeating: "=", count: 200_000)] {
            #expect(throws: CosmFailure.self) { try XMLNode.parse(Array(document.utf8)) }
        }
        for part in ["<", "<!--", "<![CDATA[", "<a b='", "\"'"] {
            _ = XMLScan.largestAttributeCount(of: Array(String(repeating: part, count: 30_000).utf8))
        }
    }
}
