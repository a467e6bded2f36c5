import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import HeliumCore

@Suite("Decisions about redirects")
struct RedirectDecisionTests {
    private static let home = "https://api.example.com/v1/items?page=1"

    private func decide(
        _ status: Int,
        _ method: HTTPRequest.Method,
        to location: String?,
        from url: String = home,
        body: Data? = nil,
        upload: UploadBody? = nil,
        fields: HTTPFields = [:],
        policy: RedirectPolicy = .follow(limit: 3),
        followed: Int = 0
    ) throws -> RedirectDecision {
        let url = try RequestURL(url)
        let request = TransportRequest(method: method, url: url, fields: fields, body: body, upload: upload)
        return RedirectDecision.make(
            for: ResponseHead(status: status, fields: location.map { [.location: $0] } ?? [:]),
            to: request,
            home: try RequestURL(Self.home).origin,
            policy: policy,
            followed: followed
        )
    }

    private func next(_ decision: RedirectDecision) throws -> TransportRequest {
        guard case .follow(let request) = decision else { throw NotFollowed(decision: "\(decision)") }
        return request
    }

    private struct NotFollowed: Error { let decision: String }

    @Test(
        "a redirect changes method and body as RFC 9110 section 15.4 says",
        arguments: [
            (301, "GET", "GET", false), (302, "GET", "GET", false), (303, "GET", "GET", false),
            (307, "GET", "GET", false), (308, "GET", "GET", false), (301, "POST", "GET", false),
            (302, "POST", "GET", false), (303, "POST", "GET", false), (307, "POST", "POST", true),
            (308, "POST", "POST", true), (301, "PUT", "PUT", true), (302, "PATCH", "PATCH", true),
            (303, "PUT", "GET", false), (303, "DELETE", "GET", false), (303, "HEAD", "HEAD", false),
            (302, "HEAD", "HEAD", false),
        ]
    )
    func methods(status: Int, before: String, after: String, keepsBody: Bool) throws {
        let method = try #require(HTTPRequest.Method(before))
        let hasBody = before != "GET" && before != "HEAD" && before != "DELETE"
        let request = try next(
            decide(
                status,
                method,
                to: "/v1/other",
                body: hasBody ? Data("x".utf8) : nil,
                fields: [.contentType: "text/plain", .accept: "*/*"]
            )
        )
        #expect(request.method.rawValue == after)
        #expect(request.url.absoluteString == "https://api.example.com/v1/other")
        #expect(request.body == (keepsBody && hasBody ? Data("x".utf8) : nil))
        #expect((request.fields[.contentType] == nil) == (after == "GET" && before != "GET"))
        #expect(request.fields[.accept] == "*/*")
    }

    @Test("a redirect without a location is returned as a response", arguments: [200, 201, 300, 304, 305, 306, 400])
    func others(status: Int) throws {
        guard case .none = try decide(status, .get, to: "/v1/x") else {
            Issue.record("\(status) was followed")
            return
        }
        guard case .none = try decide(302, .get, to: nil), case .none = try decide(302, .get, to: ""),
            case .none = try decide(302, .get, to: "/x", policy: .never)
        else {
            Issue.record("followed")
            return
        }
    }

    @Test(
        "a redirect to another origin removes credentials",
        arguments: [
            ("https://api.example.com/x", true), ("https://api.example.com:443/x", true), ("//api.example.com/x", true),
            ("https://api.example.com:8443/x", false), ("https://example.com/x", false),
            ("https://api.example.com.evil.example/x", false),
        ]
    )
    func credentials(location: String, keeps: Bool) throws {
        let fields: HTTPFields = [.authorization: "Bearer a", .cookie: "b", .accept: "c"]
        let request = try next(decide(302, .get, to: location, fields: fields))
        #expect((request.fields[.authorization] != nil) == keeps && (request.fields[.cookie] != nil) == keeps)
        #expect(request.fields[.accept] == "c")
    }

    @Test(
        "a redirect that must not be followed is refused with the reason",
        arguments: [
            ("http://api.example.com/x", "from https to http"), ("ftp://api.example.com/x", "invalid URL"),
            ("https://user:secret@api.example.com/x", "invalid URL"), ("javascript:alert(1)", "invalid URL"),
            ("https://", "invalid URL"), ("https://exa mple.com/", "invalid URL"),
        ]
    )
    func refused(location: String, why: String) throws {
        guard case .refuse(let text) = try decide(302, .get, to: location) else {
            Issue.record("\(location) was followed")
            return
        }
        #expect(text.contains(why) && !text.contains("secret"))
    }

    @Test("a redirect to another origin, and its body, are followed only if the policy allows it")
    func scope() throws {
        let elsewhere = "https://other.example.com/x"
        guard case .refuse = try decide(302, .get, to: elsewhere, policy: .sameOrigin()),
            case .follow = try decide(302, .get, to: elsewhere),
            case .refuse = try decide(307, .put, to: elsewhere, body: Data("x".utf8)),
            case .follow = try decide(307, .put, to: elsewhere),
            case .follow = try decide(
                307,
                .put,
                to: elsewhere,
                body: Data("x".utf8),
                policy: .follow(limit: 1, sendsBodiesElsewhere: true)
            )
        else {
            Issue.record("the policy was not kept")
            return
        }
    }

    @Test("a body that cannot be sent again is not redirected")
    func uploads() throws {
        let once = UploadBody(length: nil, isReplayable: false) { throw NotFollowed(decision: "") }
        guard case .refuse = try decide(308, .put, to: "/x", upload: once) else {
            Issue.record("followed")
            return
        }
        #expect(try next(decide(303, .put, to: "/x", upload: once)).upload == nil)
    }

    @Test("redirects are followed up to the limit")
    func limit() throws {
        guard case .follow = try decide(302, .get, to: "/x", followed: 2),
            case .tooMany(limit: 3) = try decide(302, .get, to: "/x", followed: 3)
        else {
            Issue.record("the limit was not kept")
            return
        }
    }
}

@Suite("Resolving references")
struct ResolvingTests {
    @Test(
        "references of redirects are resolved by RFC 3986 section 5.4",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g/"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("g?y/./x", "http://a/b/c/g?y/./x"), ("", "http://a/b/c/d;p?q"), ("#s", "http://a/b/c/d;p?q"),
            ("g#s", "http://a/b/c/g"), (";x", "http://a/b/c/;x"), ("g;x?y#s", "http://a/b/c/g;x?y"),
            (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"), ("g;x=1/../y", "http://a/b/c/y"),
            ("https://b:8/x/../y", "https://b:8/y"), ("/a b?ü#x", "http://a/a%20b?%C3%BC"), ("/%zz", "http://a/%zz"),
        ]
    )
    func examples(reference: String, expected: String) throws {
        #expect(
            try RequestURL("http://a/b/c/d;p?q").resolving(RequestURL.escapingStrays(reference)).absoluteString
                == expected
        )
    }

    @Test("no reference of a redirect traps, and each result can be requested", .tags(.random))
    func anyInput() throws {
        let base = try RequestURL("https://api.example.com/a/b?c")
        var generator = ProofLength.random(seed: 11)
        let alphabet = Array("aZ0:/?#[]@!.%20 é\u{0}\n\\&=~;")
        for _ in ProofLength.rounds(2000) {
            let text = String(
                (0..<Int.random(in: 0...24, using: &generator)).map { _ in
                    alphabet.randomElement(using: &generator) ?? "/"
                }
            )
            guard let url = try? base.resolving(RequestURL.escapingStrays(text)) else { continue }
            #expect(url.target.hasPrefix("/") && url.target.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
    }
}
