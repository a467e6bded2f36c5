import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Signatures over the wire", .timeLimit(.minutes(5)))
struct SigningOverTheWireTests {
    @Test(
        "the signed target is the one that is sent, for any path, query and body",
        arguments: [
            ("/todo", [:] as [String: String]), ("/todo/", [:]), ("/todo", ["name": "\u{C4}pfel & Birnen + 100%"]),
            ("/todo", ["a": "", "b": "{x}", "c": "a/b?c#d"]), ("/TODO", [:]), ("/todo?x=%7e&y={z}", ["w": "1"]),
            ("/x/../todo", [:]), ("/todo?", [:]), ("/todo?q=a b", [:]),
        ]
    )
    func targets(path: String, parameters: [String: String]) async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let response = try await helium.get(path, returning: Data.self).parameters(parameters).response()
                #expect(response.status == 200 && response.attempts.count == 1)
            }
        }
    }

    @Test("an escaped segment is signed as it is escaped", arguments: ["a b/cé", "a%2Fb", "ΟΔΟΣ", "İ", "~-._"])
    func segments(value: String) async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                // The server knows no such todo; what counts is that the signature is accepted (no 401).
                let error = try await failure(of: {
                    try await helium.get("/todo/:id").pathReplacements(["id": value]).value()
                })
                #expect(error.status == 500 || error.status == 400 || error.status == 404)
            }
        }
    }

    @Test("only JSON bodies are signed, and every kind of body is accepted")
    func bodies() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let json = Data(" { \"name\" : \"\\u00c4 ΟΔΟΣ Σ İ\" } ".utf8)
                let id = try await helium.post("/todo", body: .json(bytes: json), returning: Created.self).value().id
                let todo = try await helium.get("/todo/:id", returning: [Todo].self).pathReplacements(["id": id])
                    .value()
                #expect(todo.map(\.name) == ["Ä ΟΔΟΣ Σ İ"])
                for content in [RequestContent.text("x"), .form(["name": "x"]), .bytes(Data([1, 2, 255]))] {
                    let error = try? await failure(of: { try await helium.post("/todo", body: content).value() })
                    #expect(error?.status != 401)
                }
            }
        }
    }

    @Test("the signature over IPv6 has the address of the Host field")
    func ipv6() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.host = "::1"
        try await withEmbeddedServer(configuration) { server in
            try await server.withHelium { helium in
                let todos = try await helium.get("/todo", returning: [Todo].self).value()
                #expect(todos.isEmpty)
            }
        }
    }

    @Test("signed calls over TLS use HTTP/2 by default, and HTTP/1.1 on request")
    func tls() async throws {
        try await ThrowawayCertificates.with { certificates in
            var configuration = EmbeddedServerConfiguration()
            configuration.host = "localhost"
            configuration.tls = certificates.server
            try await withEmbeddedServer(configuration) { server in
                try await server.withHelium({ $0.connection.certificateAuthorityFile = certificates.authorityPath }) {
                    helium in
                    let response = try await helium.get("/todo", returning: [Todo].self).response()
                    #expect(response.head.version == .http2)
                    let old = try await helium.get("/todo", returning: [Todo].self).httpVersion(.http1).response()
                    #expect(old.head.version == .http1_1)
                    try await helium.post("/todo", body: TodoDraft(name: "x")).value()
                }
                // Without the authority the server is a stranger.
                try await server.withHelium { helium in
                    let error = try await failure(of: { try await helium.get("/todo").value() })
                    #expect(error.kind == .registrationFailed && error.delivery == .notSent)
                    let registration = error.underlying as? HeliumError
                    #expect((registration?.underlying as? HeliumError)?.kind == .tlsFailed, "\(error)")
                }
            }
        }
    }

    @Test("a certificate authority is trusted by a folder of OpenSSL's hashed names")
    func authorityFolder() async throws {
        try await ThrowawayCertificates.with { certificates in
            let folder = certificates.authorityDirectoryPath
            var configuration = EmbeddedServerConfiguration()
            configuration.host = "localhost"
            configuration.tls = certificates.server
            try await withEmbeddedServer(configuration) { server in
                try await server.withHelium({ $0.connection.certificateAuthorityDirectory = folder }) { helium in
                    let response = try await helium.get("/todo").response()
                    #expect(response.status == 200)
                }
            }
        }
    }

    @Test("signed calls over HTTP/2 with prior knowledge are accepted")
    func priorKnowledge() async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.usesPriorKnowledgeHTTP2 = true
        try await withEmbeddedServer(configuration) { server in
            try await server.withHelium({ $0.options.httpVersion = .http2PriorKnowledge }) { helium in
                let response = try await helium.get("/todo", returning: [Todo].self).response()
                #expect(response.head.version == .http2)
            }
        }
    }
}
