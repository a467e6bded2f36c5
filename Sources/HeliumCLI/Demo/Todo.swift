import Foundation
import HeliumKit

/// A todo of the middleware's demo project (Docs/Protocols/Middleware.md §5.4).
struct Todo: Decodable, Sendable, FieldsSelector {
    static let selectionString = "{_id,name,status,created}"

    let id: String
    let name: String
    let status: String
    let created: Date

    private enum CodingKeys: String, CodingKey {
        case id = "_id"
        case name, status, created
    }
}

/// The body of a request that creates or changes a todo.
struct TodoDraft: Encodable, Sendable {
    var name: String?
    var status: String?
}

/// The response to a create request.
struct CreatedTodo: Decodable, Sendable {
    let id: String
}
