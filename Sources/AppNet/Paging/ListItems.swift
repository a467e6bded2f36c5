package import HeliumCore
package import HeliumJSON

/// The items of a page. An item that cannot be decoded is left out and named.
extension ReadableItems: PnutTranslated where Element: AppNetObject {
    /// Translates a list item by item. An item that cannot be translated becomes a list of its id, from which no object
    /// can be decoded, so that it is named as unreadable.
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        guard case .array(let items) = value else { return try Element.translate(value, direction) }
        return .array(
            items.map { item in
                do {
                    return try Element.translate(item, direction)
                } catch {
                    return .array(item["id"].map { [$0] } ?? [])
                }
            }
        )
    }
}

extension ReadableItems: AppNetObject where Element: AppNetObject {}

/// A list that is decoded item by item.
protocol ItemList {
    /// The type of the whole list.
    static var listType: any AppNetObject.Type { get }
}

extension ReadableItems: ItemList where Element: AppNetObject {
    static var listType: any AppNetObject.Type { [Element].self }
}

extension Page {
    /// Returns the items of a page that must be complete, because what is missing in it would be created again or
    /// treated as deleted.
    ///
    /// - Throws: ``AppNetError`` of kind `undecodable` if an item could not be decoded.
    package func completeElements() throws(AppNetError) -> [Element] {
        guard unreadable.isEmpty else {
            throw AppNetError(
                .undecodable,
                "the list has items that can't be decoded: \(unreadable)",
                delivery: .answered
            )
        }
        return elements
    }
}
