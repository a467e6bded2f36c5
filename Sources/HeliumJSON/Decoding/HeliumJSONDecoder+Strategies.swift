public import HeliumEssentials

extension HeliumJSONDecoder {
    /// How members' names become coding keys.
    public enum KeyDecodingStrategy: Sendable {
        /// Names are used as they stand in the document.
        case useDefaultKeys
        /// `created_at` becomes `createdAt`, by the rules of Foundation's strategy of this name.
        case convertFromSnakeCase
        /// Keys are made by a function of yours from the path to the member, its name last.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are written.
    public struct DateDecodingStrategy: Sendable {
        enum Storage: Sendable {
            case rules([DateRule])
            case deferredToDate
            case formatted(@Sendable (String) -> Date?)
            case custom(@Sendable (any Decoder) throws -> Date)
        }

        let storage: Storage

        /// RFC 3339, tolerantly: see ``DateRule/rfc3339``. A number is an error.
        public static let rfc3339 = Self.rules([.rfc3339])

        /// The same as ``rfc3339``, under the name of Foundation's narrower strategy.
        public static let iso8601 = rfc3339

        /// Seconds since 1970, as a number: see ``DateRule/epochSeconds``.
        public static let secondsSince1970 = Self.rules([.epochSeconds])

        /// Milliseconds since 1970, as a number: see ``DateRule/epochMilliseconds``.
        public static let millisecondsSince1970 = Self.rules([.epochMilliseconds])

        /// Seconds since 2001, as `Date` itself is encoded: Foundation's default.
        public static let deferredToDate = Self(storage: .deferredToDate)

        /// The first of these rules that applies.
        public static func rules(_ rules: [DateRule]) -> Self { Self(storage: .rules(rules)) }

        /// A string that a function reads, for the formatters of HeliumFoundation. The function returns `nil` for a string that is
        /// no date.
        package static func formatted(_ read: @escaping @Sendable (String) -> Date?) -> Self {
            Self(storage: .formatted(read))
        }

        /// As a function of yours reads it.
        public static func custom(_ read: @escaping @Sendable (any Decoder) throws -> Date) -> Self {
            Self(storage: .custom(read))
        }

        var beginsWithRFC3339: Bool {
            guard case .rules(let rules) = storage else { return false }
            return rules.first?.isRFC3339 ?? false
        }
    }

    /// How data is written.
    public enum DataDecodingStrategy: Sendable {
        /// As `Data` itself is encoded: an array of bytes.
        case deferredToData
        /// As Base64 text (RFC 4648 section 4).
        case base64
        /// As a function of yours reads it.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// How infinities and NaN are written.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Not at all: only numbers are numbers.
        case `throw`
        /// As these strings.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension HeliumJSONDecoder.KeyDecodingStrategy {
    /// The key for a name; `nil` if it is the name itself.
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

    /// `one_two_three` as `oneTwoThree`; underscores at either end stay.
    static func camelCase(_ name: String) -> String {
        guard let first = name.firstIndex(where: { $0 != "_" }), let last = name.lastIndex(where: { $0 != "_" }) else {
            return name
        }
        let words = name[first...last].split(separator: "_")
        guard words.count > 1 else { return name }
        let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
        return name[..<first] + joined + name[name.index(after: last)...]
    }
}
