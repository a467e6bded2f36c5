import Foundation
import HeliumJSON
import JetstreamHosting
import Logging
import ServiceLifecycle

// The samples of JetstreamHosting's documentation, compiled as they are shown.

enum HostingSamples {
    static func authorize(_ logger: Logger) async throws {
        // sample
        let file = try ScopeFile(parsing: Data(contentsOf: URL(filePath: "board.json")))
        var configuration = JetstreamServer.Configuration(scopes: file)
        configuration.jetstream.authorization.session = { session in
            guard session.parameters["user"] != nil else { throw JetstreamRefusal("sign in first") }
        }
        let server = try JetstreamServer(configuration)
        try await ServiceGroup(services: [server], logger: logger).run()
        // end of sample
    }

    static func store(_ logger: Logger) async throws {
        // sample
        let file = try ScopeFile(parsing: Data(contentsOf: URL(filePath: "board.json")))
        var configuration = JetstreamServer.Configuration(scopes: file)
        configuration.store = "board.sqlite"
        let server = try JetstreamServer(configuration)
        try await ServiceGroup(services: [server], logger: logger).run()
        // end of sample
    }

    static func update(_ server: JetstreamServer) async throws {
        // sample
        try await server.control.update("Board", ["$push": ["cards": ["text": "Water the plants"]]])
        // end of sample
    }
}
