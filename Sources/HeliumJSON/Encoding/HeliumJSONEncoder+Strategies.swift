public import HeliumEssentials

extension HeliumJSONEncoder {
    /// The layout of the text.
    public struct OutputFormatting: OptionSet, Hashable, Sendable {
        /// A bit for each option, with the same values as Foundation's.
        public let rawValue: UInt

        /// Creates the options whose bits are set.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// One member or element per line, two spaces for each level, `"name" : value`, like Foundation's layout.
        public static let prettyPrinted = Self(rawValue: 1 << 0)

        /// Members sorted by the UTF-8 bytes of their names.
        public static let sortedKeys = Self(rawValue: 1 << 1)

        /// Slashes are not escaped. Without this option, `/` is written as `\/`, as in Foundation.
        public static let withoutEscapingSlashes = Self(rawValue: 1 << 3)
    }

    /// The strategy that converts coding keys to member names.
    public enum KeyEncodingStrategy: Sendable {
        /// Uses the keys unchanged.
        case useDefaultKeys
        /// Converts `createdAt` to `created_at`, by the rules of Foundation's strategy of this name.
        case convertToSnakeCase
        /// Converts keys with a function. Its argument is the path to the member, with the member's key last.
        case custom(@Sendable (_ path: [any CodingKey]) -> any CodingKey)
    }

    /// The format of dates.
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

        /// RFC 3339 in UTC, rounded to milliseconds: `2016-02-12T08:00:07.000Z`. A date outside of the years 1 to 9999
        /// is replaced by the nearest one inside.
        public static let rfc3339 = Self(storage: .rfc3339(milliseconds: true))

        /// RFC 3339 in UTC with whole seconds, like Foundation's strategy of this name: `2016-02-12T08:00:07Z`.
        /// Fractions of a second are dropped.
        public static let iso8601 = Self(storage: .rfc3339(milliseconds: false))

        /// Seconds since 1970, as a number.
        public static let secondsSince1970 = Self(storage: .seconds)

        /// Milliseconds since 1970, as a number.
        public static let millisecondsSince1970 = Self(storage: .milliseconds)

        /// Seconds since 2001, the encoding of `Date` itself and Foundation's default.
        public static let deferredToDate = Self(storage: .deferredToDate)

        /// A string that a function writes, for the formatters of HeliumFoundation.
        package static func formatted(_ write: @escaping @Sendable (Date) -> String) -> Self {
            Self(storage: .formatted(write))
        }

        /// Encodes dates with a function. If it encodes nothing, the result is an empty object.
        public static func custom(_ write: @escaping @Sendable (Date, any Encoder) throws -> Void) -> Self {
            Self(storage: .custom(write))
        }
    }

    /// The format of data.
    public enum DataEncodingStrategy: Sendable {
        /// An array of bytes, the encoding of `Data` itself.
        case deferredToData
        /// Base64 text (RFC 4648 §4).
        case base64
        /// Encodes data with a function. If it encodes nothing, the result is an empty object.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The format of infinities and NaN.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Infinities and NaN are errors.
        case `throw`
        /// Infinities and NaN are written as these strings.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }
}

extension HeliumJSONEncoder.KeyEncodingStrategy {
    var isDefault: Bool {
        if case .useDefaultKeys = self { return true }
        return false
    }

    /// Returns `one_two_three` for `oneTwoThree`, and `my_url_path` for `myURLPath`.
    static func snakeCase(_ name: String) -> String {
        // An array, because each search in a part of a string looks back through runs of regional indicators.
        let name = Array(name)
        var words: [ArraySlice<Character>] = []
        var start = 0
        // The first character always begins the first word.
        var index = min(1, name.count)
        while let upper = name[index...].firstIndex(where: \.isUpperOrTitle) {
            words.append(name[start..<upper])
            start = upper
            guard let lower = name[upper...].firstIndex(where: \.isLower) else { break }
            let last = lower - 1
            // A run of capitals is a word, except for the last one before a lower-case letter.
            if last > upper {
                words.append(name[upper..<last])
                start = last
            }
            index = lower + 1
        }
        words.append(name[start...])
        return words.map { String($0).lowercased() }.joined(separator: "_")
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
