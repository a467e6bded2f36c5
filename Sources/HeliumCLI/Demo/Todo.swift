import Foundation
import HeliumKit

/// A todo of the middleware's demo project (middleware.md section 5.4).
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

/// What is sent to create or change one.
struct TodoDraft: Encodable, Sendable {
    var name: String?
    var status: String?
}

/// What creating one answers.
struct CreatedTodo: Decodable, Sendable {
    let id: String
}
