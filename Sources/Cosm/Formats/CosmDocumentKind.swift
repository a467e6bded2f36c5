package import Foundation
internal import HeliumCore
package import HeliumJSON

/// A kind of document with the name that `helium decode` uses: `cosm.feed`.
package struct CosmDocumentKind: Sendable {
    /// The name.
    package let name: String

    private let reader: @Sendable (Data, CosmFormat, CosmDialect) throws -> DecodedDocument

    /// A decoded document of any type.
    package struct DecodedDocument: Sendable {
        /// The value as JSON.
        package let value: JSONValue

        /// The names of the members that no property has.
        package let unknownMembers: [String]
    }

    private init<Value: CosmDocument & Encodable>(_ name: String, _ type: Value.Type) {
        self.name = "cosm.\(name)"
        reader = { data, format, dialect in
            let document = try Value.read(data, as: format, dialect: dialect)
            // A document that is checked must not lose a record.
            var fault: CosmDocumentError?
            if var holder = document.value as? any HoldsUnreadable {
                holder.updateUnreadable(at: "") { path, items in
                    guard fault == nil, let item = items.items.first else { return }
                    let (line, column) = (item.location?.line, item.location?.column)
                    fault = CosmDocumentError(format: format, reason: "\(item)", line: line, column: column, path: path)
                }
            }
            if let fault { throw fault }
            return DecodedDocument(
                value: try JSONValue(parsing: try HeliumJSONEncoder().encodeToBytes(document.value)),
                unknownMembers: document.unknownMembers
            )
        }
    }

    /// All kinds.
    package static let all = [
        Self("feed", Feed.self), Self("feeds", FeedPage.self),
        Self("datastream", Datastream.self), Self("datastreams", [Datastream].self),
        Self("datapoint", Datapoint.self), Self("datapoints", [Datapoint].self),
        Self("trigger", Trigger.self), Self("triggers", [Trigger].self),
        Self("key", APIKey.self), Self("keys", [APIKey].self),
        Self("user", User.self), Self("users", [User].self),
        Self("socket", SocketFrameDocument.self),
    ]

    /// Creates the kind with that name; `nil` if there is none.
    package init?(named name: String) {
        guard let kind = Self.all.first(where: { $0.name == name }) else { return nil }
        self = kind
    }

    /// Reads a document.
    ///
    /// - Throws: ``CosmDocumentError`` with the position and the reason.
    package func read(_ data: Data, as format: CosmFormat, dialect: CosmDialect) throws -> DecodedDocument {
        try reader(data, format, dialect)
    }
}
