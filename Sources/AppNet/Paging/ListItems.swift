internal import Foundation
package import HeliumCore
package import HeliumJSON

/// The items of a page. An item that cannot be decoded is left out and named.
extension ReadableItems: PnutTranslated where Element: AppNetObject {
    /// Translates a list item by item. A stand-in takes the place of an item that cannot be translated, so that it is
    /// named as unreadable.
    package static func translate(_ value: JSONValue, _ direction: PnutDirection) throws -> JSONValue {
        guard case .array(let items) = value else { return try Element.translate(value, direction) }
        return .array(
            items.map { item in
                guard case .object = item else { return item }
                do {
                    return try Element.translate(item, direction)
                } catch {
                    let id = item["id"].flatMap { $0.stringValue ?? $0.numberValue?.description }
                    return ItemStandIn(id: id, reason: "it has no form in App.net's terms: \(error)").value
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

    /// Returns a document in which stand-ins take the place of items that are nested too deep; `nil` if it has none.
    static func withoutDeepItems(_ document: Data, at paths: [[String]], maximumDepth: Int) -> Data?
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
