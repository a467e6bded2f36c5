import Foundation
import HeliumKit

/// Samples of the contents of requests and the conversion of responses.
struct RequestSamples {
    let print: Printer

    func bodies(_ helium: Helium, owner: String?) async throws {
        // sample: requests
        let created = try await helium.post("/todo", body: Draft(name: "Tea"), returning: Created.self).value()
        try await helium.put("/todo/:id", body: ["status": "checked"]).pathReplacements(["id": created.id]).value()
        try await helium.post("/labels", body: .form(["name": "kitchen", "rank": 3])).value()

        let text = try await helium.get("/about", returning: String.self).value()
        let found = try await helium.get("/todo/:id", returning: Todo?.self).pathReplacements(["id": created.id])
            .parameters(["owner": owner, "tags": ["hot", "green"], "since": Date(timeIntervalSince1970: 0)])
            .fields(["Accept-Language": "en"])
            .response()
        print(text, found.status, found[.contentType] ?? "", found.value?.name ?? "nothing", found.attempts.count)
        // end of sample
    }

    func stored(_ helium: Helium) async throws {
        // sample: stored
        let page = helium.get("/todo", returning: [Todo].self).parameters(["limit": 10])
        async let first = page.value()
        async let second = page.parameters(["skip": 10]).value()
        print(try await first.count + second.count)
        // end of sample
    }

    func stream(_ helium: Helium) async throws {
        // sample: stream
        let stream = try await helium.get("/export").stream()
        var size = 0
        for try await chunk in stream.body { size += chunk.count }
        print(stream.status, size)
        // end of sample
    }

    func errors(_ helium: Helium) async throws {
        // sample: errors
        do {
            try await helium.post("/todo", body: Draft(name: "")).value()
        } catch let error as HeliumError {
            switch error.kind {
            case .unacceptableStatus: print(error.status ?? 0, error.serverErrors)
            case .timedOut: print("too slow, in phase", error.phase ?? .total)
            default: print(error)  // the whole story on one line, without secrets
            }
            if error.delivery == .notSent { print("no byte has left: safe to send again") }
        }
        // end of sample
    }
}

// sample: models
struct Todo: Decodable, Sendable, FieldsSelector {
    static let selectionString = "{_id,name}"  // the server sends these members only

    let id: String
    let name: String

    enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name
    }
}

struct Draft: Encodable, Sendable {
    var name: String
}

struct Created: Decodable, Sendable {
    let id: String
}
// end of sample
