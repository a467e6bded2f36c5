import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import Synchronization
import Testing

@Suite("Line streams", .timeLimit(.minutes(5)))
struct LineStreamTests {
    private struct Item: Decodable, Sendable, Equatable { let n: Int }

    private func builder(_ body: ScriptedBody, status: Int = 200) throws -> (RequestBuilder<Data>, MockTransport) {
        let transport = transport(answering: [.success(.stream(body, status: status))])
        let authorizer = try FieldAuthorizer(name: .authorization, secret: "s3cret-token")
        return (try makePipeline(transport, authorizer: authorizer).get("/items"), transport)
    }

    @Test("a text is delivered line by line, also the last without an end, without the byte order mark")
    func lines() async throws {
        let (builder, transport) = try builder(ScriptedBody(["\u{FEFF}on", "e\r", "\n\ntwo\nth", "ree"]))
        #expect(try await builder.lines().collected() == ["one", "", "two", "three"])
        #expect(transport.requests[0].responseBody == .stream && transport.requests[0].fields[.accept] == nil)
    }

    @Test("values are decoded line by line without blank lines")
    func values() async throws {
        let (builder, transport) = try builder(
            ScriptedBody(["{\"n\":1}\r\n\n \t\r\n{\"n\"", ":2}\n", "{\"n\":3}"])
        )
        #expect(try await builder.jsonLines(of: Item.self).collected() == [Item(n: 1), Item(n: 2), Item(n: 3)])
        #expect(transport.requests[0].fields[.accept] == "application/x-ndjson")
    }

    @Test("a line stream sends the caller's Accept field")
    func accept() async throws {
        let (builder, transport) = try builder(ScriptedBody([]))
        #expect(try await builder.field(.accept, "application/json").jsonLines(of: Item.self).collected() == [])
        #expect(transport.requests[0].fields[values: .accept] == ["application/json"])
    }

    @Test("an invalid line is an error with its number, and ends the sequence")
    func badLine() async throws {
        let body = ScriptedBody(["{\"n\":1}\n\n{\"n\":\"s3cret-token\"}\n{\"n\":3}\n"], then: .silence)
        let (builder, _) = try builder(body)
        var iterator = builder.jsonLines(of: Item.self).makeAsyncIterator()
        #expect(try await iterator.next() == Item(n: 1))
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .decodingFailed && error?.message == "line 3 can't be decoded as Item")
        #expect(error?.decoding?.codingPath == "n" && error?.underlying is DecodingError && error?.status == 200)
        #expect(error?.bodyExcerpt == "{\"n\":\"[redacted]\"}")
        #expect(body.isCancelled)
        #expect(try await iterator.next() == nil)
    }

    @Test("invalid lines are skipped and reported on request")
    func skipped() async throws {
        let (builder, _) = try builder(ScriptedBody(["oops\n{\"n\":2}\n{}\n[]"]))
        let reports = Guarded<[String]>([])
        let lines = builder.jsonLines(
            of: Item.self,
            badLines: .skip { error in reports.withLock { $0.append(error.message) } }
        )
        #expect(try await lines.collected() == [Item(n: 2)])
        #expect(
            reports.withLock { $0 } == [
                "line 1 can't be decoded as Item", "line 3 can't be decoded as Item", "line 4 can't be decoded as Item",
            ]
        )
    }

    @Test("a body that breaks off delivers the lines before the failure, and no partial line")
    func brokenOff() async throws {
        let (builder, _) = try builder(ScriptedBody(["one\ntw"], then: .failure(.connectionLost)))
        var iterator = builder.lines().makeAsyncIterator()
        #expect(try await iterator.next() == "one")
        let error = await #expect(throws: HeliumError.self) { try await iterator.next() }
        #expect(error?.kind == .connectionLost && error?.request.url == "https://api.example.com/items")
        #expect(try await iterator.next() == nil)
    }

    @Test("a last line without an end is an error if every line must have one")
    func finalLineEnd() async throws {
        var options = LineOptions()
        options.requiresFinalLineEnd = true
        let (whole, _) = try builder(ScriptedBody(["one\ntwo\n"]))
        #expect(try await whole.lines(options).collected() == ["one", "two"])
        let (half, _) = try builder(ScriptedBody(["one\ntw"]))
        let error = try await failure(of: { try await half.lines(options).collected() })
        #expect(error.kind == .connectionLost && error.message.contains("line 2"))
    }

    @Test(
        "a line beyond its limit is an error with its number, and ends the transfer",
        arguments: ["12345\n", "12345"]
    )
    func ceiling(line: String) async throws {
        var options = LineOptions()
        options.lineBytes = 4
        let body = ScriptedBody(["1234\n", line], then: .silence)
        let (builder, _) = try builder(body)
        let error = try await failure(of: { try await builder.lines(options).collected() })
        #expect(error.kind == .ceilingExceeded && error.ceiling == .lineBytes && error.message.contains("line 2"))
        #expect(body.isCancelled)
    }

    @Test("an unacceptable status is an error before the first line")
    func status() async throws {
        let (builder, _) = try builder(ScriptedBody(["{\"n\":1}\n"]), status: 500)
        let error = try await failure(of: { try await builder.jsonLines(of: Item.self).collected() })
        #expect(error.kind == .unacceptableStatus && error.status == 500)
    }

    @Test("a line stream sends its request at the first line, and reads on demand")
    func lazy() async throws {
        let body = ScriptedBody(["one\ntwo\n", "three\n", "four\n"])
        let (builder, transport) = try builder(body)
        var iterator = builder.lines().makeAsyncIterator()
        #expect(transport.requests.isEmpty)
        _ = try await iterator.next()
        _ = try await iterator.next()
        #expect(body.untaken == 2)
        #expect(try await iterator.next() == "three" && body.untaken == 1)
    }

    @Test("leaving the loop over lines ends the transfer")
    func leaving() async throws {
        let body = ScriptedBody(["one\ntwo\n"], then: .silence)
        let (builder, _) = try builder(body)
        for try await line in builder.lines() {
            #expect(line == "one")
            break
        }
        #expect(body.isCancelled)
    }

    @Test("cancelling a wait for a line throws CancellationError")
    func cancelling() async throws {
        let body = ScriptedBody(["one\ntw"], then: .silence)
        let (builder, _) = try builder(body)
        let (lines, continuation) = AsyncStream<String>.makeStream()
        let task = Task {
            for try await line in builder.lines() { continuation.yield(line) }
        }
        for await line in lines {
            #expect(line == "one")
            break
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(body.isCancelled)
    }
}
