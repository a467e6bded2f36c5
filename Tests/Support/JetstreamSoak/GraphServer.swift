package import Foundation
internal import HeliumJSON
package import JetstreamHosting
internal import TestSupport

/// A server of one scope, `Graph`, whose root refers to a node for each client.
package enum GraphServer {
    /// The identifier of a node: 0 is the root, the others are the clients'.
    package static func id(_ number: Int) -> UUID {
        UUID(uuid: (0, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, UInt8(number >> 8 & 0xFF), UInt8(number & 0xFF)))
    }

    /// The scope file of the models in `JetstreamTestModels`.
    package static func file(clients: Int) throws -> ScopeFile {
        let nodes = (0..<clients).map { JSONValue.object(["$uuid": .string(id($0 + 1).uuidString)]) }
        let file: JSONValue = [
            "classes": [
                "Node": [
                    "properties": [
                        "text": "string", "count": ["type": "number", "default": 7], "done": "boolean", "due": "date",
                        "tags": ["string"], "next": "Node", "nodes": ["Node"], "leaf": "Leaf",
                    ]
                ],
                "Leaf": ["properties": ["node": "Node"]],
            ],
            "scopes": [
                "Graph": ["root": "Node", "initial": ["$uuid": .string(id(0).uuidString), "nodes": .array(nodes)]]
            ],
        ]
        return try ScopeFile(parsing: file.data())
    }

    /// Runs a server on a free port as long as `body` takes.
    package static func run<Value: Sendable>(
        clients: Int = 0,
        isolation: isolated (any Actor)? = #isolation,
        _ change: (inout JetstreamServer.Configuration) -> Void = { _ in },
        _ body: (JetstreamControl, URL) async throws -> Value
    ) async throws -> Value {
        var configuration = JetstreamServer.Configuration(scopes: try file(clients: clients))
        configuration.port = 0
        change(&configuration)
        let server = try JetstreamServer(configuration)
        return try await withRunning({ try await server.run() }) {
            try await body(server.control, try await server.ready().webSocket)
        }
    }
}
