import Foundation
import HTTPTypes
import HeliumCore
import HeliumKit
import HeliumTesting
import Synchronization
import Testing

@Suite("Elements of an array that arrives", .timeLimit(.minutes(5)))
struct ArrayElementsTests {
    private struct Item: Decodable, Sendable, Equatable { let n: Int }

    private func builder(
        _ body: ScriptedBody,
        status: Int = 200,
        configure: (inout ClientOptions) -> Void = { _ in }
    ) throws -> (RequestBuilder<Data>, MockTransport) {
        let transport = transport(answering: [.success(.stream(body, status: status))])
        let authorizer = try FieldAuthorizer(name: .authorization, secret: "s3cret-token")
        return (try makePipeline(transport, authorizer: authorizer, configure: configure).get("/items"), transport)
    }

    @Test("elements of an array are decoded wherever chunks are cut, at the top or at a path")
    func elements() async throws {
        let items = [Item(n: 1), Item(n: 2)]
        let (top, transport) = try builder(ScriptedBody(["[{\"n\"", ":1},", "{\"n\":2}", "]"]))
        #expect(try await top.elements(of: Item.self).collected() == items)
        #expect(transport.requests[0].fields[values: .accept] == ["application/json"])
        #expect(transport.requests[0].responseBody == .stream)

        let document = ["{\"total\":2,\"data\":{\"items\":[{\"n\":1},{\"n\":2}", "]},\"more\":[null]}\n"]
        let (inside, _) = try builder(ScriptedBody(document))
        #expect(try await inside.elements(of: Item.self, at: ["data", "items"]).collected() == items)

        let (enveloped, _) = try builder(ScriptedBody(["{\"status\":200,\"response\":[{\"n\":1},{\"n\":2}]}"])) {
            $0.envelope = .middleware
        }
        #expect(try await enveloped.elements(of: Item.self).collected() == items)
    }

    @Test("a sequence of elements sends the caller's Accept field")
    func accept() async throws {
        let (builder, transport) = try builder(ScriptedBody(["[]"]))
        #expect(try await builder.field(.accept, "application/geo+json").elements(of: Item.self).collected() == [])
        #expect(transport.requests[0].fields[values: .accept] == ["application/geo+json"])
    }

    @Test("an invalid element is an error with its index, and ends the sequence")
    func badElement() async throws {
        let body = ScriptedBody(["{\"data\":[{\"n\":1},\n {\"n\":\"s3cret-token\"},{\"n\":3}]}"], then: .silence)
        let (builder, _) = try builder(body)
        var iterator = builder.elements(of: Item.self, at: ["data"]).makeAsyncIterator()
        #expect(try await iterator.next() == Item(n: 1))
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .decodingFailed && error?.status == 200 && error?.delivery == .answered)
        #expect(error?.message == "the element with index 1, at line 2, column 2 (byte 19), can't be decoded as Item")
        #expect(error?.decoding?.codingPath == "data.1.n" && error?.underlying is DecodingError)
        #expect(error?.bodyExcerpt == "{\"n\":\"[redacted]\"}")
        #expect(body.isCancelled)
        #expect(try await iterator.next() == nil)
    }

    @Test("invalid elements are skipped and reported on request, and invalid JSON fails")
    func skipped() async throws {
        let (builder, _) = try builder(ScriptedBody(["[\"oops\",{\"n\":2},{},[],{\"n\":5}", ",}"]))
        let reports = Guarded<[String]>([])
        let elements = builder.elements(
            of: Item.self,
            badElements: .skip { error in reports.withLock { $0.append(error.decoding?.codingPath ?? "") } }
        )
        var iterator = elements.makeAsyncIterator()
        #expect(try await iterator.next() == Item(n: 2))
        #expect(try await iterator.next() == Item(n: 5))
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(reports.withLock { $0 } == ["0", "2", "3"])
        #expect(error?.kind == .decodingFailed)
        #expect(error?.decoding?.reason == "line 1, column 31 (byte 30): expected a value, found '}'")
    }

    @Test(
        "a body without the array is an error",
        arguments: [
            ("", .emptyResponse, ""), ("  ", .emptyResponse, ""), ("{}", .emptyResponse, ""),
            ("{\"data\":null}", .decodingFailed, "data"), ("{\"data\":{}}", .decodingFailed, "data"),
            ("[]", .decodingFailed, ""), ("{\"data\":[1]", .decodingFailed, ""), ("<html>", .decodingFailed, ""),
        ] as [(String, FailureKind, String)]
    )
    func noArray(_ body: (text: String, kind: FailureKind, codingPath: String)) async throws {
        let (builder, _) = try builder(ScriptedBody([body.text].filter { !$0.isEmpty }))
        let error = try await failure(of: { try await builder.elements(of: Int.self, at: ["data"]).collected() })
        #expect(error.kind == body.kind && error.decoding?.codingPath == body.codingPath && error.status == 200)
    }

    @Test("a body that breaks off delivers the elements before the failure")
    func brokenOff() async throws {
        let (builder, _) = try builder(ScriptedBody(["[1,2", "3"], then: .failure(.connectionLost)))
        var iterator = builder.elements(of: Int.self).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .connectionLost && error?.request.url == "https://api.example.com/items")
        #expect(try await iterator.next() == nil)
    }

    @Test(
        "an element beyond its limit is an error and ends the transfer",
        arguments: ["[1,12345]", "[1,12345"]
    )
    func ceiling(text: String) async throws {
        var options = ElementOptions()
        options.elementBytes = 4
        let body = ScriptedBody([text], then: .silence)
        let (builder, _) = try builder(body)
        var iterator = builder.elements(of: Int.self, options).makeAsyncIterator()
        #expect(try await iterator.next() == 1)
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .ceilingExceeded && error?.ceiling == .elementBytes)
        #expect(error?.decoding?.codingPath == "1" && body.isCancelled)
    }

    @Test("nesting beyond its limit is an error")
    func depth() async throws {
        var options = ElementOptions()
        options.maximumDepth = 2
        let (builder, _) = try builder(ScriptedBody(["[[1],[[2]]]"]))
        let error = try await failure(of: { try await builder.elements(of: [Int].self, options).collected() })
        #expect(error.kind == .decodingFailed && error.decoding?.reason.contains("(maximumDepth)") == true)
    }

    @Test("an unacceptable status is an error before the first element")
    func status() async throws {
        let (builder, _) = try builder(ScriptedBody(["[1]"]), status: 500)
        let error = try await failure(of: { try await builder.elements(of: Int.self).collected() })
        #expect(error.kind == .unacceptableStatus && error.status == 500)
    }

    @Test("a sequence of elements sends its request at the first element, and reads on demand")
    func lazy() async throws {
        let body = ScriptedBody(["[1,2,", "3,", "4]"])
        let (builder, transport) = try builder(body)
        var iterator = builder.elements(of: Int.self).makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        _ = try await iterator.next()
        #expect(try await iterator.next() == 2 && body.untaken == 2)
        #expect(try await iterator.next() == 3 && body.untaken == 1)
    }

    @Test("leaving the loop over elements ends the transfer")
    func leaving() async throws {
        let body = ScriptedBody(["[1,2,3"], then: .silence)
        let (builder, _) = try builder(body)
        for try await number in builder.elements(of: Int.self) {
            #expect(number == 1)
            break
        }
        #expect(body.isCancelled)
    }

    @Test("cancelling a wait for an element throws CancellationError")
    func cancelling() async throws {
        let body = ScriptedBody(["[1,2"], then: .silence)
        let (builder, _) = try builder(body)
        let (numbers, continuation) = AsyncStream<Int>.makeStream()
        let task = Task {
            for try await number in builder.elements(of: Int.self) { continuation.yield(number) }
        }
        for await number in numbers {
            #expect(number == 1)
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(body.isCancelled)
    }
}
