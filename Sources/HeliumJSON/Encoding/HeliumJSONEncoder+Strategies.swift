public import HeliumEssentials

extension HeliumJSONEncoder {
    /// How the text is laid out.
    public struct OutputFormatting: OptionSet, Hashable, Sendable {
        /// A bit for each option, the same as Foundation's.
        public let rawValue: UInt

        /// The options whose bits are set.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One member or element a line, two spaces for each level, `"name" : value`, as Foundation lays it out.
        public static let prettyPrinted = Self(rawValue: 1 << 0)

        /// Members sorted by the UTF-8 bytes of their names.
        public static let sortedKeys = Self(rawValue: 1 << 1)

        /// `/` as it is; without this option it is written `\/`, as Foundation does.
        public static let withoutEscapingSlashes = Self(rawValue: 1 << 3)
    }

    /// How coding keys become members' names.
    public enum KeyEncodingStrategy: Sendable {
        /// Keys are used as they are.
        case useDefaultKeys
        /// `createdAt` becomes `created_at`, by the rules of Foundation's strategy of this name.
        case convertToSnakeCase
        /// Names are made by a function of yours from the path to the member, its key last.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// How dates are written.
    public struct DateEncodingStrategy: Sendable {
        enum Storage: Sendable {
            case rfc3339(milliseconds: Bool)
            case seconds
            case milliseconds
            case deferredToDate
            case formatted(@Sendable (Date) -> String)
            case custom(@Sendable (Date, any Encoder) throws -> Void)
        }

        let storage: Storage

        /// RFC 3339 in UTC, rounded to milliseconds: `2016-02-12T08:00:07.000Z`. Dates outside of the years 1 to 9999 are
        /// written as the nearest inside.
        public static let rfc3339 = Self(storage: .rfc3339(milliseconds: true))

        /// RFC 3339 in UTC with whole seconds, as Foundation's strategy of this name: `2016-02-12T08:00:07Z`. What is left of
        /// a second is dropped.
        public static let iso8601 = Self(storage: .rfc3339(milliseconds: false))

        /// Seconds since 1970, as a number.
        public static let secondsSince1970 = Self(storage: .seconds)

        /// Milliseconds since 1970, as a number.
        public static let millisecondsSince1970 = Self(storage: .milliseconds)

        /// Seconds since 2001, as `Date` encodes itself: Foundation's default.
        public static let deferredToDate = Self(storage: .deferredToDate)

        /// A string that a function writes, for the formatters of HeliumFoundation.
        package static func formatted(_ write: @escaping @Sendable (Date) -> String) -> Self {
            Self(storage: .formatted(write))
        }

        /// As a function of yours encodes it. If that encodes nothing, an empty object comes out.
        public static func custom(_ write: @escaping @Sendable (Date, any Encoder) throws -> Void) -> Self {
            Self(storage: .custom(write))
        }
    }

    /// How data is written.
    public enum DataEncodingStrategy: Sendable {
        /// As `Data` encodes itself: an array of bytes.
        case deferredToData
        /// As Base64 text (RFC 4648 section 4).
        case base64
        /// As a function of yours encodes it. If that encodes nothing, an empty object comes out.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// How infinities and NaN are written.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Not at all: they are errors.
        case `throw`
        /// As these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension HeliumJSONEncoder.KeyEncodingStrategy {
    var isDefault: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// `oneTwoThree` as `one_two_three`, `myURLPath` as `my_url_path`.
    static func snakeCase(_ name: String) -> String {
        var words: [Substring] = []
        var start = name.startIndex
        // The first character begins the first word, whatever it is.
        var index = name.isEmpty ? start : name.index(after: start)
        while let upper = name[index...].firstIndex(where: \.isUpperOrTitle) {
            words.append(name[start..<upper])
            start = upper
            guard let lower = name[upper...].firstIndex(where: \.isLower) else { break }
            let last = name.index(before: lower)
            // A run of capitals is a word, but for the last one before a small letter.
            if last > upper {
                words.append(name[upper..<last])
                start = last
            }
            index = name.index(after: lower)
        }
        words.append(name[start...])
        return words.map { $0.lowercased() }.joined(separator: "_")
    }
}

extension Character {
    fileprivate var isUpperOrTitle: Bool {
        unicodeScalars.first.map {
            $0.properties.generalCategory == .uppercaseLetter || $0.properties.generalCategory == .titlecaseLetter
        } ?? false
    }

    fileprivate var isLower: Bool {
        unicodeScalars.first.map { $0.properties.generalCategory == .lowercaseLetter } ?? false
    }
}
