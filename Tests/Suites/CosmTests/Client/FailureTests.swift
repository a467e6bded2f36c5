import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@testable import Cosm

@Suite("Failures of Cosm's calls", .timeLimit(.minutes(5)))
struct FailureTests {
    @Test(
        "each status of Cosm has its kind of error, with the server's message in any shape",
        arguments: [
            (
                400, #"{"title":"JSON Parser Error","errors":"Invalid timestamp"}"#, CosmError.Kind.badRequest,
                ["Invalid timestamp"]
            ),
            (401, #"{"title":"Unauthorized","errors":["a","b"]}"#, .unauthorized, ["a", "b"]),
            (
                403, #"{"title":"Forbidden","errors":"You do not have the necessary permissions"}"#, .forbidden,
                ["You do not have the necessary permissions"]
            ),
            (403, #"{"title":"Forbidden","errors":"Rate limit exceeded"}"#, .rateLimited, ["Rate limit exceeded"]),
            (404, #"{"title":"Not found","errors":{"feed":["is gone"]}}"#, .notFound, ["feed is gone"]),
            (404, "<errors><title>Not found</title><error>x</error><error>y</error></errors>", .notFound, ["x", "y"]),
            (405, "", .methodNotAllowed, []), (406, "no", .notAcceptable, []),
            (422, #"{"title":"Invalid","errors":["Title can't be blank"]}"#, .invalid, ["Title can't be blank"]),
            (429, "", .rateLimited, []), (500, "<html>", .serverFailed, []), (503, "", .overloaded, []),
            (418, "", .failed, []),
        ]
    )
    func kinds(status: Int, body: String, kind: CosmError.Kind, messages: [String]) async throws {
        let transport = MockTransport(answers: [.data(Data(body.utf8), status: status)])
        let cosm = try makeAPI(transport)
        let error = try #require(await CosmError.thrown { _ = try await cosm.feed(1) })
        #expect(error.kind == kind && error.messages == messages && error.status == status)
        #expect(error.body == (body.isEmpty ? error.body : Data(body.utf8)))
        #expect(error.description.contains("GET") && error.description.contains("status \(status)"))
    }

    @Test("the texts of an error are cut and limited in number, and escaped in descriptions")
    func hostileTexts() async throws {
        let text = #""a\u001b[31m\nFAKE"# + String(repeating: "x", count: 6000) + "\""
        let errors = [text] + Array(repeating: #""e""#, count: 4000)
        let body = #"{"title":\#(text),"errors":[\#(errors.joined(separator: ","))]}"#
        let cosm = try makeAPI(MockTransport(answers: [.json(body, status: 422)]))
        let error = try #require(await CosmError.thrown { _ = try await cosm.feed(1) })
        #expect(error.messages.count == 100 && error.messages[0].utf8.count <= 5000)
        #expect(error.description.utf8.count < 2000)
        #expect(error.description.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0 ~= $0.value) })
    }

    @Test("an unknown host is an error of its own kind")
    func wrongHost() async throws {
        let failure = TransportFailure(.hostNotFound, delivery: .notSent, message: "no address")
        let cosm = try makeAPI(MockTransport(failing: failure))
        let error = try #require(await CosmError.thrown { _ = try await cosm.feed(1) })
        #expect(error.kind == .hostNotFound)
    }

    @Test("the key is in no description, also if the server echoes it")
    func secret() async throws {
        let body = #"{"title":"secret-key-1234","errors":["unknown key secret-key-1234"]}"#
        let cosm = try makeAPI(MockTransport(answers: [.json(body, status: 401)]))
        let error = try #require(await CosmError.thrown { _ = try await cosm.feed(1) })
        var dumped = ""
        dump(error, to: &dumped)
        dump(cosm, to: &dumped)
        #expect(!"\(error) \(error.localizedDescription) \(dumped)".contains("secret-key"))
        #expect(error.messages == ["unknown key [redacted]"])

        let odd = try makeAPI(MockTransport(answers: [.json(#"{"updated":"secret-key-1234"}"#)]))
        let undecodable = try #require(await CosmError.thrown { _ = try await odd.feed(1) })
        #expect(undecodable.kind == .undecodable && !"\(undecodable)".contains("secret-key"))
    }

    @Test(
        "a key in a URL is in no description of a failure, however short it is",
        arguments: ["secret-key-1234", "other-secret/1", "k"]
    )
    func keyInURL(text: String) async throws {
        let key = Secret(text)
        let escaped = text.replacingOccurrences(of: "/", with: "%2F")
        let responses: [TransportResponse] = [
            .json(#"{"title":"Not found"}"#, status: 404), .json("no JSON"), .json(#"{"key":[1]}"#),
            // The server quotes the key. Texts of fewer than 6 bytes are not masked there.
            .json(#"{"title":"Not found","errors":"no keys/\#(text.count < 6 ? "" : text)"}"#, status: 404),
            .json(#"{"errors":[{"key":"keys/\#(text.count < 6 ? "" : text)"}]}"#, status: 422),
        ]
        for response in responses {
            let cosm = try makeAPI(MockTransport(answers: [response]))
            for call in [
                { _ = try await cosm.key(key) }, { try await cosm.deleteKey(key) },
                { try await cosm.updateKey(key, APIKey()) },
            ] {
                guard let error = await CosmError.thrown(by: call) else { continue }
                var dumped = "\(error) \(error.localizedDescription) \(String(describing: error.underlying))"
                dump(error, to: &dumped)
                #expect(!dumped.contains("keys/\(text)") && !dumped.contains("keys/\(escaped)"), "\(dumped)")
                #expect(error.underlying?.request.url == "http://cosm.test/v2/keys/[redacted]", "\(dumped)")
            }
        }
        let socket = SocketAddress(url: try #require(URL(string: "ws://cosm.test:8080/")), key: nil)
        let failure = socket.error(.connectionLost, .maybeSent, "lost", resource: "/keys/\(escaped)?key=\(escaped)&a")
        #expect(failure.request.url == "ws://cosm.test:8080/keys/[redacted]?key=***&a=***")
        guard text.count >= 6 else { return }
        let frame = try SocketFrame(#"{"status":404,"resource":"r","body":"no key \#(text)"}"#)
        let refusal = CosmError(frame, to: .get, "/keys/\(escaped).json?a=1", on: socket)
        #expect(refusal.messages == ["no key [redacted]"])
    }

    @Test("a 403 for the rate limit is retried by safe calls, and no other 403 is")
    func rateLimit() async throws {
        let limited = TransportResponse.json(#"{"title":"Forbidden","errors":"Rate limit exceeded"}"#, status: 403)
        let refused = TransportResponse.json(#"{"title":"Forbidden","errors":"no"}"#, status: 403)
        func quick(_ options: inout ClientOptions) {
            options.retry = .attempts(3)
            options.retry.baseDelay = .zero
        }
        let transport = MockTransport(answers: [limited, limited, .json(#"{"id":1}"#)])
        #expect(try await makeAPI(transport, change: quick).feed(1).id == 1)
        #expect(transport.requests.count == 3)

        let refusing = MockTransport(answers: [refused])
        let error = try #require(await CosmError.thrown { _ = try await makeAPI(refusing, change: quick).feed(1) })
        #expect(error.kind == .forbidden && refusing.requests.count == 1)

        let posting = MockTransport(answers: [limited])
        _ = await CosmError.thrown { try await makeAPI(posting, change: quick).createFeed(Feed(title: "x")) }
        #expect(posting.requests.count == 1, "a POST is not repeated by itself")
    }

    @Test("a response that is not the expected document is an error with the position")
    func undecodable() async throws {
        for (answer, format) in [("{\n]", CosmFormat.json), ("a,b,c,d", .csv), ("<rss/>", .xml)] {
            let cosm = try makeAPI(MockTransport(answers: [.data(Data(answer.utf8))]))
            let error = try #require(await CosmError.thrown { _ = try await cosm.feed(1, format: format) })
            #expect(error.kind == .undecodable && error.document?.format == format && error.document?.line != nil)
        }
    }

    @Test("an empty response in CSV is a feed or datastream without values")
    func noRows() async throws {
        let cosm = try makeAPI(MockTransport(answers: [.data(Data("\n".utf8))]))
        #expect(try await cosm.feed(1, format: .csv) == Feed())
        #expect(try await cosm.feeds(format: .csv) == FeedPage())
        #expect(try await cosm.datastream("t", in: 1, format: .csv) == Datastream())
        let error = await CosmError.thrown { _ = try await cosm.feed(1) }
        #expect(error?.kind == .undecodable, "in JSON it is no document")
    }

    @Test("a value that breaks a rule of Cosm is refused before a request")
    func rules() async throws {
        let transport = MockTransport()
        let cosm = try makeAPI(transport)
        let calls: [() async throws -> Void] = [
            { _ = try await cosm.feeds(FeedQuery(page: 0)) }, { _ = try await cosm.feeds(FeedQuery(perPage: 1001)) },
            { _ = try await cosm.feeds(FeedQuery(area: FeedQuery.Area(latitude: 91, longitude: 0))) },
            { _ = try await cosm.feeds(FeedQuery(area: FeedQuery.Area(latitude: 0, longitude: 0, distance: .nan))) },
            { _ = try await cosm.feed("") }, { _ = try await cosm.feed(1, options: ReadOptions(datastreams: ["a,b"])) },
            { _ = try await cosm.feed(1, options: ReadOptions(datastreams: ["a,\u{301}b"])) },
            { _ = try await cosm.feed(1, options: ReadOptions(history: HistoryQuery(limit: 0))) },
            { try await cosm.createFeed(Feed(title: "x"), format: .csv) },
            { try await cosm.createDatastreams([Datastream(id: "x")], in: 1, format: .csv) },
            { try await cosm.deleteDatapoints(DatapointRange(), of: "a", in: 1) },
            { try await cosm.deleteDatapoints(DatapointRange(duration: .days(1)), of: "a", in: 1) },
            { try await cosm.deleteDatapoint(at: .now, of: "", in: 1) },
            { try await cosm.storeDatapoints([Datapoint(value: "1")], of: "a", in: 1) },
        ]
        for call in calls {
            let error = await CosmError.thrown(by: call)
            #expect(error?.kind == .invalidRequest)
        }
        // What a format would lose is not sent either.
        let lossy: [() async throws -> Void] = [
            { try await cosm.updateFeed(1, Feed(title: "x"), format: .csv) },
            { try await cosm.createFeed(Feed(title: " x"), format: .xml) },
            { try await cosm.createTrigger(Trigger(), format: .csv) },
            { try await cosm.updateFeed(1, Feed(location: Location(latitude: .infinity))) },
        ]
        for call in lossy {
            let error = await CosmError.thrown(by: call)
            #expect(error?.kind == .unencodable)
        }
        #expect(transport.requests.isEmpty)
    }

    @Test("a creation whose response has no location is an error of its own kind")
    func location() async throws {
        for answer in [TransportResponse.empty(status: 201), created("http://cosm.test/v2/feeds/")] {
            let cosm = try makeAPI(MockTransport(answers: [answer]))
            let error = await CosmError.thrown { try await cosm.createFeed(Feed(title: "x")) }
            #expect(error?.kind == .missingLocation)
        }
    }

    @Test(
        "the id of a created object is found in the location",
        arguments: [
            ("http://api.pachube.com/v2/feeds/55025", "55025"), ("/v2/feeds/55025/", "55025"),
            ("/v2/feeds/7.json", "7"),
            ("/v2/feeds/7?key=K", "7"), ("feeds/7", "7"),
        ]
    )
    func locations(location: String, id: String) {
        #expect(CreatedLocation.id(in: location, after: "feeds") == id)
    }

    @Test("a location that is slow to compare is searched in time that grows with its length", .timeLimit(.minutes(5)))
    func slowLocation() {
        // One comparison as `String` takes minutes.
        let marks = "f" + String(repeating: "\u{301}\u{316}", count: 400_000)
        #expect(CreatedLocation.id(in: "/v2/\(marks)", after: "feeds") == nil)
        #expect(CreatedLocation.id(in: "/v2/feeds/\(marks).json/", after: "feeds")?.hasSameBytes(as: marks) == true)
    }

    @Test("a cancelled call throws CancellationError")
    func cancelled() async throws {
        let gate = MockTransport.Gate()
        let transport = MockTransport { _ in .streaming(["{}"], gate: gate) }
        let cosm = try makeAPI(transport)
        let task = Task { try await cosm.feed(1) }
        task.cancel()
        await #expect(throws: CancellationError.self) { _ = try await task.value }
    }

    @Test("the default API is set once, and is an error before")
    func defaults() throws {
        let holder = DefaultAPI()
        #expect(throws: CosmError.self) { _ = try holder.get() }
        let first = try makeAPI(MockTransport())
        try holder.set(first)
        let second = try #require(throws: CosmError.self) { try holder.set(try makeAPI(MockTransport())) }
        #expect(second.kind == .defaultAPIAlreadySet)
        #expect(try holder.get() === first)
    }
}
