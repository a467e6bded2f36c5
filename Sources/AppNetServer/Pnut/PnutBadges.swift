internal import HeliumJSON

/// The badges of the server (Docs/Protocols/AppNet.md §6.2). No user has a badge.
enum PnutBadges {
    static let all: [JSONValue] = [
        ["id": "1", "name": "Sprout", "description": "For new growth"],
        ["id": "2", "name": "Oak", "description": "For those who stay"],
    ]

    /// Returns a badge.
    ///
    /// - Throws: ``AppNetFailure`` with 404 if there is no badge with this id.
    static func badge(_ id: String) throws(AppNetFailure) -> JSONValue {
        guard let badge = all.first(where: { $0["id"]?.stringValue == id }) else { throw .notFound }
        return badge
    }
}
