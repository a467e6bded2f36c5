import Foundation
import HeliumKit
import HeliumServer
import HeliumTesting
import TestSupport
import Testing

/// The samples of doc comments that no article has, run.
@Suite("Samples: doc comments of client and server", .timeLimit(.minutes(5)))
struct CommentSamples {
    private struct Show: Decodable, Sendable { var title: String }

    private func withHelium(_ transport: MockTransport, _ run: (Helium) async throws -> Void) async throws {
        let url = try #require(URL(string: "https://api.example.com"))
        let helium = try Helium(baseURL: url, environment: ClientEnvironment(transport: transport))
        try await run(helium)
        await helium.close()
    }

    @Test("sample in doc comments: a token that is refreshed")
    func refreshing() throws {
        struct SignIn {
            func renew(_ refreshToken: Secret?) async throws -> BearerCredential { BearerCredential(token: "second") }
        }
        let signIn = SignIn()
        let stored = BearerCredential(token: "first", refreshToken: "refresh")
        // sample
        let authorizer = try RefreshingBearerAuthorizer(initial: stored) { request in
            try await signIn.renew(request.current?.refreshToken)
        }
        // end of sample
        authorizer.close()
    }

    @Test("sample in doc comments: a decoder of a request")
    func decoder() async throws {
        struct Legacy: Decodable, Sendable { let createdBy: String }
        try await withHelium(MockTransport { _ in .json(#"{"created_by":"mira"}"#) }) { helium in
            // sample
            var decoder = HeliumJSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let legacy = try await helium.get("/legacy", returning: Legacy.self).decoder(decoder).value()
            // end of sample
            #expect(legacy.createdBy == "mira")
        }
    }

    @Test("sample in doc comments: the members that a type selects")
    func selection() async throws {
        // sample
        struct TVShow: Decodable, FieldsSelector {
            static let selectionString = "{id,titles{default},images(subType:\"cover\"){url}}"
        }
        // end of sample
        let transport = MockTransport { _ in .json("{}") }
        try await withHelium(transport) { helium in
            _ = try await helium.get("/tvshows/42", returning: TVShow.self).value()
        }
        #expect(transport.requests.first?.url.target.contains("titles") == true)
    }

    @Test("sample in doc comments: findings of any decoder")
    func findings() throws {
        let decoder = HeliumJSONDecoder()
        let data = Data(#"[{"title":"Tea"},{}]"#.utf8)
        // sample
        let (shows, report) = try DecodingReport.collecting { try decoder.decode(LossyArray<Show>.self, from: data) }
        // end of sample
        #expect(shows.wrappedValue.map(\.title) == ["Tea"] && report.findings.count == 1)
    }

    @Test("sample in doc comments: a list without its invalid rows")
    func lossyList() async throws {
        try await withHelium(MockTransport { _ in .json(#"[{"title":"Tea"},{}]"#) }) { helium in
            // sample
            struct Page: Decodable {
                @LossyArray var shows: [Show]
            }
            let shows = try await helium.get("/shows", returning: LossyArray<Show>.self).value().wrappedValue
            // end of sample
            #expect(shows.map(\.title) == ["Tea"])
            #expect(try HeliumJSONDecoder().decode(Page.self, from: #"{"shows":[{}]}"#).shows.isEmpty)
        }
    }

    @Test("sample in doc comments: an open enumeration")
    func openEnum() throws {
        let decoder = HeliumJSONDecoder()
        let data = Data(#"{"status":"archived"}"#.utf8)
        let print = Printer()
        // sample
        enum Status: String { case draft, published }
        struct Show: Codable { var status: OpenEnum<Status> }

        let show = try decoder.decode(Show.self, from: data)
        switch show.status {
        case .known(.draft): print("a draft")
        case .known(.published): print("published")
        case .unknown(let name): print("a status that this version does not know:", name)
        }
        // end of sample
        #expect(print.output == ["a status that this version does not know: archived"])
    }

    @Test("sample in doc comments: elements that arrive")
    func elements() async throws {
        try await withHelium(MockTransport { _ in .json(#"{"data":[{"title":"Tea"}]}"#) }) { helium in
            let print = Printer()
            // sample
            for try await show in helium.get("/shows", returning: Data.self).elements(of: Show.self, at: ["data"]) {
                print(show.title)
            }
            // end of sample
            #expect(print.output == ["Tea"])
        }
    }

    @Test("sample in doc comments: a server in a task")
    func server() async throws {
        let print = Printer()
        // sample
        let server = try EmbeddedServer(EmbeddedServerConfiguration())
        try await withThrowingTaskGroup { group in
            group.addTask { try await server.run() }
            let ready = try await server.ready()
            print(ready.middleware.base, ready.cosm.base)  // base URLs for clients
            group.cancelAll()
        }
        // end of sample
        #expect(print.output.first?.hasPrefix("http://127.0.0.1:") == true)
    }
}
