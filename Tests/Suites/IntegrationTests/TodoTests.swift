import Foundation
import HeliumKit
import HeliumServer
import HeliumServerTesting
import Testing

@Suite("Todos through the fluent API", .timeLimit(.minutes(5)))
struct TodoTests {
    @Test("todos are created, listed, read, updated and deleted")
    func everyday() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let created = try await helium.post(
                    "/todo",
                    body: TodoDraft(name: "ÄPFEL ΟΔΟΣ"),
                    returning: Created.self
                )
                .value()
                let call = helium.get("/todo/:id", returning: [Todo].self).pathReplacements(["id": created.id])
                #expect(try await call.value().map(\.name) == ["ÄPFEL ΟΔΟΣ"])
                let draft = TodoDraft(status: "checked")
                try await helium.put("/todo/:id", body: draft).pathReplacements(["id": created.id]).value()
                #expect(try await call.value().map(\.status) == ["checked"])
                let list = try await helium.get("/todo", returning: [Todo].self).parameters(["limit": 10, "skip": 0])
                    .value()
                #expect(list.map(\.id) == [created.id])
                try await helium.delete("/todo/:id").pathReplacements(["id": created.id]).value()
                #expect(try await call.value().isEmpty)
                #expect(try await server.middleware.deviceCount() == 1)
            }
        }
    }

    @Test("services and todos are decoded as in the original's tests")
    func services() async throws {
        struct Service: Decodable, Sendable { let id: String }
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let services = try await helium.get("/services", returning: [Service].self).value()
                let todos = try await helium.get("/todo", returning: [Todo].self).value()
                #expect(!services.isEmpty && todos.isEmpty)
            }
        }
    }

    @Test("a validation error has all violations")
    func violations() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let error = try await failure(of: {
                    try await helium.get("/todo").parameters(["limit": "x", "skip": "y"]).value()
                })
                #expect(error.kind == .unacceptableStatus && error.status == 400)
                #expect(Set(error.serverErrors.compactMap(\.id)) == ["limit", "skip"])
                #expect(error.serverErrors.allSatisfy { $0.location == "query" })
            }
        }
    }

    @Test("an unknown route is a 404 with an empty error")
    func unknownRoute() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let error = try await failure(of: { try await helium.get("/nowhere").value() })
                #expect(error.status == 404 && error.serverErrors == [ServerError()])
            }
        }
    }

    @Test("a fields selector makes the server send only the selected members")
    func selection() async throws {
        struct Name: Decodable, FieldsSelector, Sendable {
            static let selectionString = "{name}"
            let name: String
            let status: String?
        }
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                try await helium.post("/todo", body: TodoDraft(name: "Tea", status: "checked")).value()
                let names = try await helium.get("/todo", returning: [Name].self).value()
                #expect(names.map(\.name) == ["Tea"] && names.map(\.status) == [nil])
            }
        }
    }

    @Test("an unchanged list gets 304 for its ETag")
    func notModified() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                let first = try await helium.get("/todo").response()
                let tag = try #require(first[.eTag])
                let second = try await helium.get("/todo").field(.ifNoneMatch, tag)
                    .acceptableStatusCodes(200..<305).response()
                #expect(second.status == 304)
            }
        }
    }

    @Test("HEAD has fields and no body, and a long list is compressed")
    func headAndGzip() async throws {
        try await withEmbeddedServer { server in
            try await server.withHelium { helium in
                for number in 0..<20 {
                    try await helium.post("/todo", body: TodoDraft(name: "Todo number \(number)")).value()
                }
                let response = try await helium.get("/todo", returning: [Todo].self).response()
                #expect(response.value.count == 20)
                #expect(response[.contentEncoding] == "gzip")
            }
        }
    }
}
