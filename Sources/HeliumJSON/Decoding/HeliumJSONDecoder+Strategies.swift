public import HeliumEssentials

extension HeliumJSONDecoder {
    /// The strategy that converts member names to coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Uses the names unchanged.
        case useDefaultKeys
        /// Converts `created_at` to `createdAt`, by the rules of Foundation's strategy of this name.
        case convertFromSnakeCase
        /// Converts names with a function. Its argument is the path to the member, with the member's name last.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// The format of dates.
    public struct DateDecodingStrategy: Sendable {
        enum Storage: Sendable {
            case rules([DateRule])
            case deferredToDate
            case formatted(@Sendable (String) -> Date?)
            case custom(@Sendable (any Decoder) throws -> Date)
        }

        let storage: Storage

        /// RFC 3339 with common deviations: see ``DateRule/rfc3339``. A number is an error.
        public static let rfc3339 = Self.rules([.rfc3339])

        /// The same as ``rfc3339``, under the name of Foundation's stricter strategy.
        public static let iso8601 = rfc3339

        /// Seconds since 1970, as a number: see ``DateRule/epochSeconds``.
        public static let secondsSince1970 = Self.rules([.epochSeconds])

        /// Milliseconds since 1970, as a number: see ``DateRule/epochMilliseconds``.
        public static let millisecondsSince1970 = Self.rules([.epochMilliseconds])

        /// Seconds since 2001, the encoding of `Date` itself and Foundation's default.
        public static let deferredToDate = Self(storage: .deferredToDate)

        /// Decodes dates with the first of these rules that applies.
        public static func rules(_ rules: [DateRule]) -> Self { Self(storage: .rules(rules)) }

        /// A string that a function reads, for the formatters of HeliumFoundation. The function returns `nil` for a string that is
        /// no date.
        package static func formatted(_ read: @escaping @Sendable (String) -> Date?) -> Self {
            Self(storage: .formatted(read))
        }

        /// Decodes dates with a function.
        public static func custom(_ read: @escaping @Sendable (any Decoder) throws -> Date) -> Self {
            Self(storage: .custom(read))
        }

        var beginsWithRFC3339: Bool {
            guard case .rules(let rules) = storage else { return false }
            return rules.first?.isRFC3339 ?? false
        }
    }

    /// The format of data.
    public enum DataDecodingStrategy: Sendable {
        /// An array of bytes, the encoding of `Data` itself.
        case deferredToData
        /// Base64 text (RFC 4648 §4).
        case base64
        /// Decodes data with a function.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// The format of infinities and NaN.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Infinities and NaN are not decoded: only numbers are valid.
        case `throw`
        /// Infinities and NaN are these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension HeliumJSONDecoder.KeyDecodingStrategy {
    /// Returns the key for a name, or `nil` if the key is the name itself.
    func convert(_ name: String, at path: [any CodingKey]) -> (any CodingKey)? {
        switch self {
        case .useDefaultKeys: nil
        case .convertFromSnakeCase: PathKey.name(Self.camelCase(name))
        case .custom(let convert): convert(path + [PathKey.name(name)])
        }
    }

    var isDefault: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// Returns `oneTwoThree` for `one_two_three`. Underscores at either end are kept.
    static func camelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        // A copy: splitting a part of a string looks back through runs of regional indicators.
        let words = String(name[first...last]).split(separator: "_")
        guard words.count > 1 else { return name }
        let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}
