package import HeliumEssentials
package import HeliumJSON

/// A list of objects with ids, decoded item by item.
///
/// Unlike ``LossyArray``, it names the items that were left out by their ids. A list in which no item can be decoded and
/// none has an id is an error: it is not the requested list, or the service's format has changed, and treating it as
/// empty would hide that. A list in which all items are unreadable but some have ids can be passed over, because each
/// of these items can be requested again.
package struct ReadableItems<Element: Sendable>: Sendable {
    /// The decoded items.
    package private(set) var elements: [Element] = []

    /// The items that were left out.
    package private(set) var unreadable = UnreadableItems()

    /// Creates a list of decoded items.
    package init(_ elements: [Element]) { self.elements = elements }
}

extension ReadableItems {
    /// Reads the elements of an array.
    ///
    /// - Parameter element: Reads an element; returns `nil` for one that is not an item of the list.
    /// - Throws: `DecodingError` for a value that is not an array, and for an array in which no element can be read and
    ///   none has an id.
    package init(json: borrowing JSONReader, _ element: (JSONReader) throws -> Element?) throws {
        var firstError: (any Error)?
        elements.reserveCapacity(json.elementCount)
        try json.forEachElement { value in
            do {
                if let element = try element(value) { elements.append(element) }
            } catch {
                let (id, error) =
                    ItemStandIn(json: value).map { ($0.id, value.corrupted($0.reason)) } ?? (Self.id(of: value), error)
                firstError = firstError ?? error
                unreadable.add(id: id, Element.self, error)
            }
        }
        if elements.isEmpty, !unreadable.hasUsableID, let firstError { throw firstError }
    }

    /// Returns the id of an object, or of the only object that it contains (`{"trigger":{"id":14}}`).
    fileprivate static func id(of value: JSONReader) -> String? {
        var id: String?
        func read(_ value: JSONReader) throws {
            switch value.kind {
            case .string: id = try value.read(String.self)
            case .number: id = try value.read(JSONNumber.self).description
            default: break
            }
        }
        func readMember(_ name: JSONName, _ value: JSONReader) throws {
            if id == nil, "id" ~= name { try read(value) }
        }
        switch value.kind {
        case .object:
            try? value.forEachMember(readMember)
            guard id == nil, value.elementCount == 1 else { break }
            try? value.forEachMember { _, value in if value.kind == .object { try value.forEachMember(readMember) } }
        default: break
        }
        return id
    }
}

extension ReadableItems: JSONReadable where Element: JSONReadable {
    package init(json: borrowing JSONReader) throws {
        try self.init(json: json) { try $0.read(Element.self) }
    }
}

extension ReadableItems: Decodable where Element: Decodable {
    package init(from decoder: any Decoder) throws {
        var firstError: (any Error)?
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                elements.append(try container.decode(Element.self))
            } catch {
                // Most decoders stay at an element that failed.
                let named = container.currentIndex == index ? try? container.decode(Named.self) : nil
                let error = named?.fault ?? error
                firstError = firstError ?? error
                unreadable.add(id: named?.id, Element.self, error)
                // Decoding can't continue if the decoder is unable to skip the element.
                guard container.currentIndex > index else { throw error }
            }
        }
        if elements.isEmpty, !unreadable.hasUsableID, let firstError { throw firstError }
    }
}

extension ReadableItems: Encodable where Element: Encodable {
    package func encode(to encoder: any Encoder) throws { try elements.encode(to: encoder) }
}

/// The id of an element whose other members are not read.
private struct Named: Decodable {
    private enum CodingKeys: String, CodingKey { case id }

    let id: String?
    /// The reason of a stand-in; `nil` for any other element.
    var fault: DecodingError?

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: CodingKeys.self) {
            let number = try? object.decode(Int64.self, forKey: .id)
            id = (try? object.decode(String.self, forKey: .id)) ?? number.map { "\($0)" }
        } else if let standIn = try? ItemStandIn(from: decoder) {
            id = standIn.id
            fault = .dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: standIn.reason)
            )
        } else {
            id = nil
        }
    }
}

extension ReadableItems {
    /// Returns a document in which a stand-in takes the place of each item that is nested too deep for the decoder, so
    /// that the other items can be decoded.
    ///
    /// - Parameters:
    ///   - document: A document that the decoder refused.
    ///   - paths: The paths at which the list may be, an empty path for the document itself.
    ///   - maximumDepth: The maximum nesting depth in the document.
    /// - Returns: `nil` if the document has no such item, or is not valid JSON for another reason.
    package static func withoutDeepItems(
        _ document: Data,
        at paths: [[String]],
        maximumDepth: Int = JSONLimits().maximumDepth
    ) -> Data? {
        DeepElements.replaced(in: document, at: paths, maximumDepth: maximumDepth) { item in
            ItemStandIn(id: id(of: item), reason: "nested deeper than \(maximumDepth) levels").value
        }
    }
}
