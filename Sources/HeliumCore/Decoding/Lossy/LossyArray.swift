/// An array that leaves out the elements that do not decode, and says so: one bad row does not lose the page.
///
/// ```swift
/// struct Page: Decodable {
///     @LossyArray var shows: [Show]
/// }
/// let shows = try await helium.get("/shows", returning: LossyArray<Show>.self).value().wrappedValue
/// ```
///
/// What is left out is in the ``DecodingReport``; how many, in ``droppedCount``. A value that is no array at all, or
/// missing, is an error as ever.
@propertyWrapper
public struct LossyArray<Element> {
    /// The elements that decoded, in their order.
    public var wrappedValue: [Element]

    /// How many elements were left out when this was decoded.
    public private(set) var droppedCount = 0

    /// An array.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }

    /// The wrapper itself: `page.$shows.droppedCount`.
    public var projectedValue: Self { self }
}

extension LossyArray: Sendable where Element: Sendable {}

/// Equal elements make equal arrays, whatever was left out.
extension LossyArray: Equatable where Element: Equatable {
    /// Whether the elements are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Takes what decodes.
    ///
    /// - Throws: What the decoder throws for a value that is no array.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        wrappedValue = []
        while !container.isAtEnd {
            let index = container.currentIndex
            do {
                wrappedValue.append(try container.decode(Element.self))
            } catch {
                droppedCount += 1
                DecodingReportCollector.note(
                    .droppedElement,
                    Element.self,
                    at: decoder.codingPath + [ElementIndex(index)],
                    error
                )
                // Most decoders stay at an element that failed; one that does not even pass over it can't go on.
                if container.currentIndex == index { _ = try container.decode(Ignored.self) }
                guard container.currentIndex > index else { throw error }
            }
        }
    }
}

extension LossyArray: Encodable where Element: Encodable {
    /// Encodes the elements.
    public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}

/// Any value, not looked at.
private struct Ignored: Decodable {
    init(from decoder: any Decoder) throws {}
}

private struct ElementIndex: CodingKey {
    let index: Int
    var intValue: Int? { index }
    var stringValue: String { "\(index)" }

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { nil }
}
