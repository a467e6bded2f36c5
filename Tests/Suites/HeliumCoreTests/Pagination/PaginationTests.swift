import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Pagination", .timeLimit(.minutes(5)))
struct PaginationTests {
    private struct Page: Decodable, Sendable, Equatable {
        var items: [Int] = []
        var next: String?
    }

    private func pages(
        _ answers: [TransportResponse]
    ) throws -> (numbers: RequestBuilder<[Int]>, pages: RequestBuilder<Page>, transport: MockTransport) {
        let transport = transport(answering: answers.map { .success($0) })
        let pipeline = try makePipeline(transport, baseURL: "https://api.example.com/v1")
        return (pipeline.get("/items"), pipeline.get("/items"), transport)
    }

    private func json(_ text: String, link: String...) -> TransportResponse {
        var fields = HTTPFields()
        for link in link { fields.append(HTTPField(name: .link, value: link)) }
        return .json(text, fields: fields)
    }

    private func targets(_ transport: MockTransport) -> [String] { transport.requests.map(\.url.target) }

    @Test("pagination follows the Link field with its exact encoding and the request's own fields")
    func linkHeader() async throws {
        let (numbers, _, transport) = try pages([
            json("[1,2]", link: "<x>; rel=\"prev, next\"", "<?page=2&q=a%2Fb+c>; rel=\"last next\", <z>; rel=prev"),
            json("[]", link: "<HTTPS://API.example.com:443/v1/items?page=3>; rel=next"),
            json("[3]", link: "<?page=1>; rel=first, <elsewhere>; rel=next; anchor=\"#x\""),
        ])
        let request = numbers.parameters(["page": 1, "q": "a"]).field(.acceptLanguage, "de")
        let all = try await request.pages(.linkHeader()).collected()
        #expect(all.map(\.value) == [[1, 2], [], [3]] && all.map(\.status) == [200, 200, 200])
        #expect(targets(transport) == ["/v1/items?page=1&q=a", "/v1/items?page=2&q=a%2Fb+c", "/v1/items?page=3"])
        #expect(transport.requests.allSatisfy { $0.fields[.acceptLanguage] == "de" })
    }

    @Test("pagination follows another relation of the Link field")
    func otherRelation() async throws {
        let (numbers, _, transport) = try pages([json("[1]", link: "<?p=2>; rel=Older"), json("[2]")])
        #expect(try await numbers.pages(.linkHeader(rel: "OLDER")).elements.collected() == [1, 2])
        #expect(targets(transport) == ["/v1/items", "/v1/items?p=2"])
    }

    @Test("a malformed Link field is not the last page")
    func malformedLink() async throws {
        let (numbers, _, _) = try pages([json("[1]", link: "</v1/items?page=2; rel=next")])
        try await expectFailure(of: numbers.pages(.linkHeader()), after: 1, .malformedResponse)
        let (others, _, _) = try pages([json("[1]", link: "oops, <?page=2>; rel=next"), json("[2]")])
        #expect(try await others.pages(.linkHeader()).elements.collected() == [1, 2])
    }

    @Test("pagination follows a cursor until there is none")
    func cursor() async throws {
        let (_, builder, transport) = try pages([
            .json(#"{"items":[1],"next":"a+b/c="}"#), .json(#"{"items":[2],"next":"d"}"#),
            .json(#"{"items":[3],"next":""}"#),
        ])
        let pages = builder.parameters(["limit": 1]).pages(.cursor(parameter: "after", from: { $0.value.next }))
        #expect(try await pages.elements(of: \.items).collected() == [1, 2, 3])
        #expect(
            targets(transport)
                == ["/v1/items?limit=1", "/v1/items?after=a%2Bb%2Fc%3D&limit=1", "/v1/items?after=d&limit=1"]
        )
    }

    @Test("pagination follows a URL in the body")
    func nextURL() async throws {
        let (_, builder, transport) = try pages([
            .json(#"{"items":[1],"next":"/other?p=%2f"}"#), .json(#"{"items":[],"next":"more"}"#),
            .json(#"{"items":[3]}"#),
        ])
        #expect(try await builder.pages(.nextURL(from: { $0.value.next })).elements(of: \.items).collected() == [1, 3])
        #expect(targets(transport) == ["/v1/items", "/other?p=%2f", "/more"])
    }

    @Test("pagination counts pages until one is empty or the last")
    func pageNumbers() async throws {
        let (numbers, _, transport) = try pages([.json("[1]"), .json("[2]"), .json("[]")])
        #expect(try await numbers.parameters(["q": "x"]).pages(.pageNumber()).elements.collected() == [1, 2])
        #expect(targets(transport) == (1...3).map { "/v1/items?page=\($0)&q=x" })
        let (known, _, second) = try pages([.json("[1]"), .json("[2]")])
        let strategy = PaginationStrategy<[Int]>.pageNumber(parameter: "p", startingAt: 0) { $0.value == [2] }
        #expect(try await known.pages(strategy).collected().count == 2)
        #expect(targets(second) == ["/v1/items?p=0", "/v1/items?p=1"])
    }

    @Test("pagination counts offsets by received elements until a page is empty or the total is reached")
    func offsets() async throws {
        let (numbers, _, transport) = try pages([.json("[1,2]"), .json("[3]"), .json("[]")])
        #expect(try await numbers.pages(.offset(limit: 2)).elements.collected() == [1, 2, 3])
        #expect(targets(transport) == [0, 2, 3].map { "/v1/items?limit=2&offset=\($0)" })
        let (known, _, second) = try pages([.json("[1,2]"), .json("[3]")])
        let strategy = PaginationStrategy<[Int]>.offset(
            parameter: "skip",
            startingAt: 10,
            limitParameter: "take",
            limit: 2,
            count: { $0.value.count },
            total: { _ in 13 }
        )
        #expect(try await known.pages(strategy).collected().count == 2)
        #expect(targets(second) == ["/v1/items?skip=10&take=2", "/v1/items?skip=12&take=2"])
    }

    @Test("a page number that would overflow is an error")
    func overflow() async throws {
        let (numbers, _, _) = try pages([.json("[1]")])
        try await expectFailure(of: numbers.pages(.pageNumber(startingAt: .max)), after: 1, .invalidRequest)
        let (others, _, _) = try pages([.json("[1]")])
        try await expectFailure(of: others.pages(.offset(startingAt: .max, limit: 1)), after: 1, .invalidRequest)
    }

    @Test(
        "a next page on another origin is an error that names it",
        arguments: [
            "https://evil.example/v1/items?page=2", "http://api.example.com/v1/items?page=2", "//evil.example/x",
            "https://api.example.com:8443/x", "https://api.example.com.evil.example/",
        ]
    )
    func otherOrigin(reference: String) async throws {
        let (numbers, _, transport) = try pages([json("[1]", link: "<\(reference)>; rel=next")])
        let error = try await expectFailure(of: numbers.pages(.linkHeader()), after: 1, .redirectRefused)
        #expect(error.message.contains("another origin") && error.message.contains("https://api.example.com"))
        #expect(error.status == 200 && transport.requests.count == 1)
    }

    @Test(
        "an invalid URL of the next page is an error",
        arguments: ["ftp://a/", "https://u:s3cret@api.example.com/", "/a b", "/ä"]
    )
    func badURL(reference: String) async throws {
        let page = "{\"items\":[1],\"next\":\"\(reference)\"}"
        let (_, builder, _) = try pages([.json(page)])
        let strategy = PaginationStrategy<Page>.nextURL(from: { $0.value.next })
        let error = try await expectFailure(of: builder.pages(strategy), after: 1, .malformedResponse)
        #expect(!error.description.contains("s3cret"))
    }

    @Test("pagination after a redirect to another origin sends the request's own fields to its origin only")
    func redirectedElsewhere() async throws {
        let elsewhere = "https://other.example.com/items"
        let transport = transport(answering: [
            .success(.empty(status: 302, fields: [.location: elsewhere])),
            .success(json("[1]", link: "<?page=2>; rel=next")),
        ])
        let pipeline = try makePipeline(transport) { $0.redirects = .follow(limit: 5) }
        let request = pipeline.get("/items", as: [Int].self).field(HTTPField.Name(constant: "x-manual"), "credential")
        try await expectFailure(of: request.pages(.linkHeader()), after: 1, .redirectRefused)
        #expect(transport.requests.map(\.url.absoluteString) == ["https://api.example.com/items", elsewhere])

        let back = HeliumCoreTests.transport(answering: [
            .success(.empty(status: 302, fields: [.location: elsewhere])),
            .success(json("[1]", link: "<https://api.example.com/items?page=2>; rel=next")), .success(json("[2]")),
        ])
        let other = try makePipeline(back) { $0.redirects = .follow(limit: 5) }
        let all = try await other.get("/items", as: [Int].self).pages(.linkHeader()).collected()
        #expect(all.map(\.value) == [[1], [2]])
    }

    @Test("pagination in a loop is an error", arguments: [1, 2, 5])
    func loop(length: Int) async throws {
        let transport = MockTransport { request in
            let page = request.url.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            return .json("{\"items\":[\(page)],\"next\":\"c=\((page + 1) % length)\"}")
        }
        let builder: RequestBuilder<Page> = try makePipeline(transport).get("/items?c=0")
        let strategy = PaginationStrategy<Page>.nextURL(from: { $0.value.next.map { "?" + $0 } })
        try await expectFailure(of: builder.pages(strategy), after: length, .malformedResponse)
        #expect(transport.requests.count == length)
        let cursors: RequestBuilder<Page> = try makePipeline(
            MockTransport(answers: [.json(#"{"items":[],"next":"a"}"#)])
        )
        .get("/items")
        try await expectFailure(of: cursors.pages(.cursor(from: { $0.value.next })), after: 2, .malformedResponse)
    }

    @Test("pagination stops at the maximum of pages with an error", arguments: [0, 1])
    func maximum(prefetch: Int) async throws {
        let transport = MockTransport(answers: [.json("[1]")])
        let builder: RequestBuilder<[Int]> = try makePipeline(transport).get("/items")
        let pages = builder.pages(.pageNumber(), maximum: 3, prefetch: prefetch)
        let error = try await expectFailure(of: pages, after: 3, .ceilingExceeded)
        #expect(error.ceiling == .pages && transport.requests.count == 3)
        let last = builder.pages(.pageNumber(isLast: { _ in true }), maximum: 1)
        #expect(try await last.collected().count == 1)
    }

    @Test("a page that fails ends the sequence with its error, after the pages before", arguments: [0, 1])
    func failingPage(prefetch: Int) async throws {
        let (numbers, _, transport) = try pages([.json("[1]"), .json("{}", status: 503), .json("[3]")])
        let pages = numbers.retry(.never).pages(.pageNumber(), prefetch: prefetch)
        let error = try await expectFailure(of: pages, after: 1, .unacceptableStatus)
        #expect(error.status == 503 && transport.requests.count == 2)
    }

    @Test("an invalid first request of pagination fails before any I/O")
    func invalidRequest() async throws {
        let transport = MockTransport(answers: [.json("[1]")])
        let builder: RequestBuilder<[Int]> = try makePipeline(transport).get("/items/:id")
        try await expectFailure(of: builder.pages(.pageNumber()), after: 0, .invalidRequest)
        #expect(transport.requests.isEmpty)
    }

    @Test("pagination fetches a page on demand")
    func lazy() async throws {
        let (numbers, _, transport) = try pages([.json("[1,2]"), .json("[3]"), .json("[]")])
        let elements = numbers.pages(.pageNumber()).elements
        var iterator = elements.makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        for (element, count) in [(1, 1), (2, 1), (3, 2)] {
            #expect(try await iterator.next() == element && transport.requests.count == count)
        }
    }

    @Test("iterators of pagination are independent")
    func iterators() async throws {
        let transport = MockTransport { request in
            let page = request.url.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
            return .json(page < 3 ? "[\(page)]" : "[]")
        }
        let builder: RequestBuilder<[Int]> = try makePipeline(transport).get("/items")
        let elements = builder.pages(.pageNumber()).elements
        var first = elements.makeAsyncIterator()
        var second = elements.makeAsyncIterator()
        #expect(try await first.next() == 1)
        #expect(try await second.next() == 1)
        #expect(try await first.next() == 2)
        #expect(try await first.next() == nil)
        #expect(try await second.next() == 2)
    }

    @Test("pagination fetches one page ahead on request, and cancels it when it is not needed")
    func prefetch() async throws {
        let second = Latch()
        let ended = Latch()
        let transport = MockTransport { request throws(TransportFailure) in
            if request.url.target.hasSuffix("1") { return .json("[1]") }
            second.open()
            do { try await Task.sleep(for: .seconds(3600)) } catch { ended.open() }
            throw TransportFailure(.cancelled, delivery: .maybeSent, message: "cancelled")
        }
        let builder: RequestBuilder<[Int]> = try makePipeline(transport).get("/items")
        for try await page in builder.pages(.pageNumber(), prefetch: 1) {
            #expect(page.value == [1])
            await second.wait()
            break
        }
        await ended.wait()
        #expect(transport.requests.count == 2)
    }

    @Test("cancelling pagination ends its transfer", arguments: [0, 1])
    func cancelling(prefetch: Int) async throws {
        let second = Latch()
        let transport = MockTransport { request throws(TransportFailure) in
            if request.url.target.hasSuffix("1") { return .json("[1]") }
            second.open()
            try? await Task.sleep(for: .seconds(3600))
            throw TransportFailure(.cancelled, delivery: .maybeSent, message: "cancelled")
        }
        let builder: RequestBuilder<[Int]> = try makePipeline(transport).get("/items")
        let task = Task { try await builder.pages(.pageNumber(), prefetch: prefetch).collected() }
        await second.wait()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a cancelled task gets no further element of pagination, and CancellationError once")
    func cancelledElements() async throws {
        let (numbers, _, _) = try pages([.json("[1,2]")])
        let task = Task {
            var iterator = numbers.pages(.pageNumber()).elements.makeAsyncIterator()
            let first = try await iterator.next()
            withUnsafeCurrentTask { $0?.cancel() }
            await #expect(throws: CancellationError.self) { try await iterator.next() }
            return (first, try await iterator.next())
        }
        let (first, last) = try await task.value
        #expect(first == 1 && last == nil)
    }

    @Test("the elements are those of any sequence of pages, and end after its error")
    func otherPages() async throws {
        struct BrokenOff: Error {}
        let pages = AsyncThrowingStream<[Int], any Error> { continuation in
            for page in [[1, 2], [], [3]] { continuation.yield(page) }
            continuation.finish(throwing: BrokenOff())
        }
        var iterator = PageElements(pages) { $0.map { -$0 } }.makeAsyncIterator()
        for element in [-1, -2, -3] { #expect(try await iterator.next() == element) }
        await #expect(throws: BrokenOff.self) { _ = try await iterator.next() }
        #expect(try await iterator.next() == nil)
    }

    @Test("the elements lead back to the pages")
    func pagesOfElements() async throws {
        let (numbers, _, _) = try pages([.json("[1,2]"), .json("[3]"), .json("[]")])
        let all = try await numbers.pages(.pageNumber()).elements.pages.collected()
        #expect(all.map(\.value) == [[1, 2], [3], []])
    }

    /// Takes the pages, which must fail after so many, once.
    @discardableResult
    private func expectFailure<Value>(
        of pages: Pages<Value>,
        after count: Int,
        _ kind: FailureKind,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> HeliumError {
        var iterator = pages.makeAsyncIterator()
        for _ in 0..<count {
            let page = try await iterator.next()
            #expect(page != nil, sourceLocation: sourceLocation)
        }
        var failure: HeliumError?
        do {
            _ = try await iterator.next()
        } catch let error as HeliumError {
            failure = error
        }
        let error = try #require(failure, sourceLocation: sourceLocation)
        #expect(error.kind == kind, sourceLocation: sourceLocation)
        let after = try await iterator.next()
        #expect(after == nil, sourceLocation: sourceLocation)
        return error
    }
}

/// Opens once; waits until then.
private final class Latch: Sendable {
    private let stream = AsyncStream<Void>.makeStream()

    func open() { stream.continuation.finish() }

    func wait() async {
        for await _ in stream.stream {}
    }
}

extension HTTPField.Name {
    fileprivate static let link = Self(constant: "Link")
}
