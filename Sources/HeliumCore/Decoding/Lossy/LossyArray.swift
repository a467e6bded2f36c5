/// An array that leaves out the elements that can't be decoded and reports them.
///
/// ```swift
/// struct Page: Decodable {
///     @LossyArray var shows: [Show]
/// }
/// let shows = try await helium.get("/shows", returning: LossyArray<Show>.self).value().wrappedValue
/// ```
///
/// The left-out elements are in the ``DecodingReport``, and their number is ``droppedCount``. A missing value, or one
/// that is not an array, is still an error.
@propertyWrapper
public struct LossyArray<Element> {
    /// The decoded elements in order.
    public var wrappedValue: [Element]

    /// The number of elements that were left out during decoding.
    public private(set) var droppedCount = 0

    /// Creates an array.
    public init(wrappedValue: [Element]) { self.wrappedValue = wrappedValue }

    /// The wrapper itself, for example for `page.$shows.droppedCount`.
    public var projectedValue: Self { self }
}

extension LossyArray: Sendable where Element: Sendable {}

/// Arrays are equal if their elements are equal, whatever was left out.
extension LossyArray: Equatable where Element: Equatable {
    /// Returns whether the elements are equal.
    public static func == (left: Self, right: Self) -> Bool { left.wrappedValue == right.wrappedValue }
}

extension LossyArray: Hashable where Element: Hashable {
    /// Hashes the elements.
    public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension LossyArray: Decodable where Element: Decodable {
    /// Decodes the elements that can be decoded.
    ///
    /// - Throws: The decoder's error for a value that is not an array.
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
                // Most decoders stay at an element that failed. Decoding can't continue if the decoder is unable to
                // skip it.
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

/// A value that is skipped without being read.
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
