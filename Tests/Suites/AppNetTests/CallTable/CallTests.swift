import Foundation
import HTTPTypes
import HeliumKit
import HeliumTesting
import Testing

@testable import AppNet

@Suite("Requests of App.net's calls", .timeLimit(.minutes(5)))
struct CallTests {
    @Test(
        "a call sends the documented method, path, query and body, and nothing if the dialect lacks it",
        arguments: CallCase.all,
        AppNetDialect.allCases
    )
    func sent(test: CallCase, dialect: AppNetDialect) async throws {
        let transport = MockTransport(answers: [answer(test.answer)])
        let client = try makeClient(transport, dialect: dialect)
        guard let target = test.target(in: dialect) else {
            let error = try #require(await AppNetError.thrown { try await test.call(client) })
            #expect(error.kind == .unsupportedByDialect && !error.hasReachedServer)
            #expect(transport.requests.isEmpty)
            return
        }
        try await test.call(client)
        let request = try #require(transport.requests.first)
        let parts = target.split(separator: " ", maxSplits: 1)
        let root = dialect == .appNet ? "/stream/0/" : "/v1/"
        #expect(request.method.rawValue == parts[0] && request.url.target == root + parts[1], "\(request.url.target)")
        #expect(transport.requests.count == 1)
        #expect(request.fields[.authorization] == "Bearer secret-token-1234")
        if let body = test.body, dialect == .appNet || test.appNet == nil {
            let sent = try JSONValue(parsing: request.body ?? Data())
            #expect(sent == (try JSONValue(parsing: body)), "\(request.bodyText)")
            #expect(request.fields[.contentType] == "application/json")
        }
    }

    @Test("every call in the table is made by a method, and every method's call is in the table")
    func coverage() {
        let tested = Set(CallCase.all.map(\.name))
        let listed = CallTable.all.map(\.name)
        #expect(Set(listed).symmetricDifference(tested).isEmpty)
        #expect(Set(listed).count == listed.count, "no name twice")
    }

    @Test("the rows of the table of calls are consistent", arguments: CallTable.all)
    func table(call: CallSpecification) {
        #expect(call.appNet != nil || call.pnut != nil)
        if call.isPaginated { #expect(String(describing: call.result).contains("Array<")) }
        for endpoint in [call.appNet, call.pnut].compactMap(\.self) {
            #expect(!endpoint.path.hasPrefix("/") && !endpoint.path.hasSuffix("/"))
            if call.isPaginated || call.isSubscribable { #expect(endpoint.method == .get) }
        }
        if !call.scopes.isEmpty { #expect(call.tokens != .none && call.tokens != .app) }
    }

    @Test("no two calls of a dialect have the same method and path", arguments: AppNetDialect.allCases)
    func places(dialect: AppNetDialect) {
        let places = CallTable.all.compactMap { call in
            call.endpoint(in: dialect).map { "\($0.method) \($0.path) \($0.query)" }
        }
        #expect(Set(places).count == places.count)
    }

    @Test("the subscribable lists are those that are documented")
    func subscribable() async throws {
        let names = CallTable.all.filter(\.isSubscribable).map(\.name)
        let page = [
            "users.following", "users.followers", "posts.ofUser", "posts.mentions", "posts.replies",
            "posts.personalStream", "posts.unifiedStream", "channels.subscribed", "channels.subscribers",
            "messages.inChannel", "files.own", "token.current",
        ]
        #expect(Set(names) == Set(page))
        let transport = MockTransport(answers: [answer("[]")])
        let list = try makeClient(transport).posts.globalStream()
        let subscription = StreamSubscriptionParameters(connectionID: "c")
        let error = try #require(
            await AppNetError.thrown { _ = try await list.page(subscription: subscription) }
        )
        #expect(error.kind == .invalidRequest && transport.requests.isEmpty)
    }

    @Test("more than 200 ids are sent in several requests, and no ids in none")
    func batches() async throws {
        let transport = MockTransport { request in
            let count = request.queryItems.first { $0.name == "ids" }?.value.split(separator: ",").count ?? 0
            return answer("[" + Array(repeating: "{}", count: count).joined(separator: ",") + "]")
        }
        let client = try makeClient(transport)
        let found = try await client.messages.get((1...450).map { Message.ID($0) })
        #expect(found.count == 450)
        let counts = transport.requests.map { $0.queryItems.first?.value.split(separator: ",").count }
        #expect(counts == [200, 200, 50])
        #expect(try await client.users.get([AppNetUser.ID]()).isEmpty && transport.requests.count == 3)
        for bad in ["", "1,2", "1,\u{301}2"] {
            let error = try #require(await AppNetError.thrown { _ = try await client.posts.get([Post.ID(bad)]) })
            #expect(error.kind == .invalidRequest)
        }
    }

    @Test("an empty id, or one that would leave its path segment, sends no request")
    func ids() async throws {
        let transport = MockTransport(answers: [answer("{}")])
        let client = try makeClient(transport)
        let error = try #require(await AppNetError.thrown { _ = try await client.channels.get("") })
        #expect(error.kind == .invalidRequest && transport.requests.isEmpty)
        _ = try await client.channels.get("5/subscribe?x=1")
        #expect(transport.requests.first?.url.target == "/stream/0/channels/5%2Fsubscribe%3Fx%3D1")
    }

    @Test("one marker is sent alone to App.net and as a list to pnut.io, and more than ten are refused")
    func markers() async throws {
        let marker = StreamMarker(name: "global", id: 9, percentage: 10)
        let transport = MockTransport(answers: [answer(#"{"name":"global"}"#)])
        let stored = try await makeClient(transport).streamMarkers.update(marker)
        #expect(stored.name == "global")
        let sent = try JSONValue(parsing: transport.requests.first?.body ?? Data())
        #expect(sent == ["name": "global", "id": "9", "percentage": 10])

        let pnut = MockTransport(answers: [answer(#"[{"name":"global"}]"#, status: 201)])
        let client = try makeClient(pnut, dialect: .pnut)
        _ = try await client.streamMarkers.update(marker)
        #expect(pnut.requests.first?.bodyText.hasPrefix("[") == true)
        _ = try await client.streamMarkers.update(Array(repeating: marker, count: 25))
        #expect(pnut.requests.count == 1 + 3)

        for bad in [StreamMarker(id: 1), StreamMarker(name: "global"), StreamMarker(name: "x", id: 1, percentage: 101)]
        {
            let error = try #require(await AppNetError.thrown { _ = try await client.streamMarkers.update([bad]) })
            #expect(error.kind == .invalidRequest)
        }
    }
}
