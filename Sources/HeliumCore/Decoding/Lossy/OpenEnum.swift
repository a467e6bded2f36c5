/// An enumeration to which the server may add cases. A case that the model does not define is kept as its raw value and
/// encoded unchanged.
///
/// ```swift
/// enum Status: String { case draft, published }
/// struct Show: Codable { var status: OpenEnum<Status> }
///
/// let show = try decoder.decode(Show.self, from: data)
/// switch show.status {
/// case .known(.draft): print("a draft")
/// case .known(.published): print("published")
/// case .unknown(let name): print("a status that this version does not know:", name)
/// }
/// ```
///
/// Unknown cases are in the ``DecodingReport``. A value of another type than the raw value's is still an error.
public enum OpenEnum<Case: RawRepresentable> {
    /// A case of the model.
    case known(Case)
    /// The raw value of a case that the model does not define.
    case unknown(Case.RawValue)

    /// The case; `nil` if the model does not define it.
    public var known: Case? {
        if case .known(let value) = self { return value }
        return nil
    }
}

extension OpenEnum: RawRepresentable {
    /// Creates the known case with this raw value, or an unknown case. Never returns `nil`.
    ///
    /// Text with more than 256 combining marks in a row is always an unknown case, because comparing it takes too long.
    public init(rawValue: Case.RawValue) {
        if let text = rawValue as? String, text.isSlowToCompare {
            self = .unknown(rawValue)
        } else {
            self = Case(rawValue: rawValue).map { .known($0) } ?? .unknown(rawValue)
        }
    }

    /// The raw value of a known or unknown case.
    public var rawValue: Case.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let raw): raw
        }
    }
}

extension OpenEnum: Sendable where Case: Sendable, Case.RawValue: Sendable {}

/// Values are equal if their raw values are equal.
extension OpenEnum: Equatable where Case.RawValue: Equatable {
    /// Returns whether the raw values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }
}

extension OpenEnum: Hashable where Case.RawValue: Hashable {
    /// Hashes the raw value.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension OpenEnum: Decodable where Case.RawValue: Decodable {
    /// Decodes any raw value.
    ///
    /// - Throws: The decoder's error for a value of another type.
    public init(from decoder: any Decoder) throws {
        let raw = try decoder.singleValueContainer().decode(Case.RawValue.self)
        self.init(rawValue: raw)
        guard case .unknown = self else { return }
        DecodingReportCollector.note {
            let text = "\(raw)"
            return DecodingReport.Finding(
                consequence: .unknownCase,
                path: decoder.codingPath.dotted,
                type: String(describing: Case.self),
                reason: "unknown case \"\(text.excerpt(64))\""
            )
        }
    }
}

extension OpenEnum: Encodable where Case.RawValue: Encodable {
    /// Encodes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension OpenEnum: CustomStringConvertible {
    /// The raw value.
    public var description: String { "\(rawValue)" }
}
