internal import HeliumJSON

/// The badges of the server (AppNet.md §6.2). Nobody has one.
enum PnutBadges {
    static let all: [JSONValue] = [
        ["id": "1", "name": "Sprout", "description": "For new growth"],
        ["id": "2", "name": "Oak", "description": "For those who stay"],
    ]

    /// - Throws: ``AppNetFailure`` with 404 for an id that no badge has.
    static func badge(_ id: String) throws(AppNetFailure) -> JSONValue {
        guard let badge = all.first(where: { $0["id"]?.stringValue == id }) else { throw .notFound }
        return badge
    }
}
