import HTTPTypes
import HeliumCore
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Copies of requests and responses")
struct SharedValuesTests {
    private typealias Change = @Sendable (inout TransportRequest) -> Void

    private static let changes: [Change] = [
        { $0.method = .put },
        { $0.url = (try? RequestURL("http://b.test/other")) ?? $0.url },
        { $0.fields[.accept] = "text/plain" },
        { $0.body?.append(1) },
        { $0.body = nil },
        { $0.upload = UploadBody(length: 3, isReplayable: true) { throw CancellationError() } },
        { $0.timeouts.total = .seconds(7) },
        { $0.limits.bodyBytes = 5 },
        { $0.responseBody = .stream },
        { $0.version = .http1 },
        { $0.acceptsContentCodings = false },
    ]

    @Test("a change of a copy changes nothing else of it, and nothing of the original", arguments: changes.indices)
    func request(index: Int) throws {
        let url = try RequestURL("http://a.test/path")
        let original = TransportRequest(method: .post, url: url, fields: [.accept: "a/b"], body: Data([9]))
        let before = Self.parts(of: original)
        var copy = original
        Self.changes[index](&copy)
        #expect(Self.parts(of: original) == before)
        let differences = zip(Self.parts(of: copy), before).filter { $0 != $1 }
        #expect(differences.count == 1)

        // The values are the copy's own now: another change leaves the first one.
        let changed = copy
        for change in Self.changes { change(&copy) }
        #expect(zip(Self.parts(of: changed), before).filter { $0 != $1 }.count == 1)
    }

    @Test("a response behaves likewise")
    func response() {
        let head = ResponseHead(status: 200, section: [])
        let original = TransportResponse(head: head, body: .collected(Data([1, 2])))
        var (first, second, third) = (original, original, original)
        first.head = ResponseHead(status: 404, section: [])
        second.body = .collected(Data())
        third.timings.total = .seconds(1)
        #expect([original, first, second, third].map(\.head.status) == [200, 404, 200, 200])
        #expect([original, first, second, third].map { Self.count(of: $0) } == [2, 2, 0, 2])
        #expect([original, first, second, third].map(\.timings.total) == [nil, nil, nil, .seconds(1)])
    }

    private static func count(of response: TransportResponse) -> Int? {
        guard case .collected(let body) = response.body else { return nil }
        return body.count
    }

    /// The values of a request in an order of their own, as texts.
    private static func parts(of request: TransportRequest) -> [String] {
        [
            request.method.rawValue, request.url.absoluteString, "\(request.fields.map { "\($0.name): \($0.value)" })",
            "\(request.body.map(Array.init) ?? [])", "\(request.upload?.length ?? 0)", "\(request.timeouts)",
            "\(request.limits)", "\(request.responseBody)", "\(request.version)", "\(request.acceptsContentCodings)",
        ]
    }
}
