import Foundation
import HeliumJSON
import Logging
import TestSupport
import Testing

@testable import HeliumServer
@testable import HeliumServerKit
@testable import HeliumServerTesting
@testable import JetstreamHosting

@Suite("Secrets in descriptions of a server", .timeLimit(.minutes(5)))
struct DescriptionSecretTests {
    private func shown(_ value: Any) -> String {
        var text = "\(value) \(String(reflecting: value))"
        dump(value, to: &text)
        return text
    }

    @Test("no description, reflection and dump of a server, its parts and its configuration has a secret")
    func values() async throws {
        try await PlantedServer.run { planted in
            let (server, ready) = (planted.server, planted.transport.ready)
            let configuration = server.configuration
            // One row for each property of the public types that a protocol adds.
            #expect(EmbeddedServer.protocolTypes.count == 5)
            let values: [Any] = [
                server, configuration, ready, server.requests, server.faults, planted.transport,
                RunningServer(server: server, ready: ready), configuration.middleware, configuration.cosm,
                configuration.appNet, configuration.conAir, configuration.jetstream, ready.middleware, ready.cosm,
                ready.appNet, ready.conAir, ready.jetstream, server.middleware, server.cosm, server.appNet,
                server.conAir, server.jetstream, configuration.middleware.secrets, configuration.middleware.staticKeys,
                configuration.appNet.accounts, configuration.appNet.accounts.users, configuration.appNet.accounts.apps,
            ]
            let secrets = try await planted.secrets()
            for value in values {
                let text = shown(value)
                for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
            }
        }
    }

    @Test("no description of a Jetstream session and of what it asks for has its parameters")
    func jetstream() {
        let session = JetstreamSessionInfo(id: 1, connection: ["token": "s3cret"], parameters: ["password": "s3cret"])
        let fetch = JetstreamFetch(session: session, scope: "Board", parameters: ["password": "s3cret"])
        #expect("\(fetch)" == "session 1 fetches Board")
        let write = JetstreamWrite(
            session: session,
            scope: "Board",
            uuid: UUID(),
            className: "Card",
            isAdd: true,
            property: "title",
            value: "a"
        )
        for value in [session, fetch, write] as [Any] { #expect(!shown(value).contains("s3cret")) }
    }
}
