public import HeliumEssentials

extension JSONDecoder.DateDecodingStrategy {
    /// Decodes dates with the first rule that applies. Use it for a custom `JSONDecoder`.
    public static func rules(_ rules: [DateRule]) -> Self { .custom { try $0.date(by: rules) } }
}

extension Decoder {
    /// Decodes a date.
    ///
    /// - Throws: `DecodingError.dataCorrupted` with path, text and rules; `typeMismatch` for a value that is neither
    ///   text nor a number.
    func date(by rules: [DateRule]) throws -> Date {
        let container = try singleValueContainer()
        let source = try container.dateSource(textFirst: rules.first?.prefersText ?? true)
        for rule in rules {
            if let date = rule.date(from: source) { return date }
        }
        let names = rules.map(\.description).joined(separator: ", ")
        throw DecodingError.dataCorruptedError(
            in: container,
            debugDescription: "\(source.excerpt) is not a date in the formats: \(names)"
        )
    }
}

extension SingleValueDecodingContainer {
    fileprivate func dateSource(textFirst: Bool) throws -> DateRule.Source {
        if textFirst, let text = try? decode(String.self) { return .text(text) }
        if let integer = try? decode(Int64.self) { return .integer(integer) }
        if let number = try? decode(Double.self) { return .number(number) }
        // The last attempt throws the error that describes the mismatch.
        return .text(try decode(String.self))
    }
}
