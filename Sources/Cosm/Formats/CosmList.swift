package import Foundation
public import HeliumCore

/// A list of values of the service, without those that could not be read.
///
/// It is a collection of the readable values. Check ``unreadable`` before you treat it as complete.
///
/// ```swift
/// let triggers = try await cosm.triggers()
/// for trigger in triggers { print(trigger.url ?? "") }
/// if !triggers.unreadable.isEmpty { print(triggers.unreadable) }  // 1 unreadable: 14
/// ```
public struct CosmList<Element: Hashable & Sendable>: Hashable, Sendable {
    /// The values that could be read, in the order of the service.
    public var elements: [Element]

    /// The values that could not be read. A list of which no value can be read and none has an id is an
    /// error.
    public var unreadable: UnreadableItems

    /// Creates a list.
    public init(_ elements: [Element], unreadable: UnreadableItems = UnreadableItems()) {
        self.elements = elements
        self.unreadable = unreadable
    }
}

extension CosmList: RandomAccessCollection, MutableCollection, ExpressibleByArrayLiteral {
    /// The index of the first value.
    public var startIndex: Int { elements.startIndex }

    /// The index after the last value.
    public var endIndex: Int { elements.endIndex }

    /// The value at an index.
    public subscript(index: Int) -> Element {
        get { elements[index] }
        set { elements[index] = newValue }
    }

    /// Creates a list of the values of a literal.
    public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension CosmList: CosmDocument, CosmValue where Element: CosmListElement {
    package static func readValue(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<Element>> {
        try Element.readItems(data, as: format, dialect: dialect)
    }

    package func encodedValue(as format: CosmFormat) throws -> EncodedDocument {
        var document = try Element.encodedList(elements, as: format)
        if !unreadable.isEmpty {
            document.losses.append(EncodedDocument.Loss(path: "", reason: "\(unreadable)"))
        }
        return document
    }
}

extension CosmListElement {
    package static func readItems(
        _ data: Data,
        as format: CosmFormat,
        dialect: CosmDialect
    ) throws -> ReadDocument<CosmList<Self>> {
        let list = try readList(data, as: format, dialect: dialect)
        return ReadDocument(value: CosmList(list.value), membersAround: list.membersAround)
    }
}
