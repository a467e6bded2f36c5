public import HeliumEssentials

// MARK: Conversions from numbers

extension JSONNumber {
    /// Creates a whole number.
    public init(_ value: some BinaryInteger) {
        storage = Int64(exactly: value).map(Storage.integer) ?? .text(value.description)
    }

    /// Creates a whole number of 64 bits.
    package init(integer value: Int64) { storage = .integer(value) }

    /// Creates a number with the fewest digits that read back as the same value: `1.0`, `0.1`, `1e+16`.
    ///
    /// Returns `nil` for infinities and NaN, which JSON does not support.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        storage = .text(value.description)
    }

    /// Creates a number with the fewest digits that read back as the same value.
    ///
    /// Returns `nil` for infinities and NaN, which JSON does not support.
    public init?(_ value: Float) {
        guard value.isFinite else { return nil }
        storage = .text(value.description)
    }

    /// Creates a number with all digits of the decimal. Returns `nil` for NaN.
    public init?(_ value: Decimal) {
        guard let number = JSONNumber(value.description) else { return nil }
        self = number
    }
}

extension JSONNumber: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
    /// Creates a whole number.
    public init(integerLiteral value: Int128) { self.init(value) }

    /// Creates a number with the precision of `Double`. A literal beyond its range, for which the compiler emits a
    /// warning, becomes the largest finite value.
    public init(floatLiteral value: Double) {
        let largest = Double.greatestFiniteMagnitude
        storage = .text(min(max(value, -largest), largest).description)
    }
}

// MARK: Conversions to numbers

extension FixedWidthInteger {
    /// Creates an integer from a JSON number. Returns `nil` if the number is not whole (`1.0` and `1e2` are whole) or
    /// does not fit.
    public init?(exactly number: JSONNumber) {
        let value: Self?
        switch number.storage {
        case .integer(let integer): value = Self(exactly: integer)
        case .text(var text): value = text.withUTF8 { DecimalForm($0).integer(as: Self.self) }
        }
        guard let value else { return nil }
        self = value
    }
}

extension JSONNumber {
    /// The nearest double; `nil` if the number is beyond a double's range. A number that is too small becomes zero.
    public var doubleValue: Double? {
        switch storage {
        case .integer(let value):
            return Double(value)
        case .text(var text):
            if let value = text.withUTF8(NumberText.double) { return value }
            return Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// The decimal that equals this number exactly; `nil` if `Decimal`, which has 38 digits, can't represent it.
    public var decimalValue: Decimal? {
        switch storage {
        case .integer(let value): Decimal(value)
        case .text(var text): text.withUTF8 { DecimalForm($0).decimal }
        }
    }
}

extension DecimalForm {
    fileprivate var decimal: Decimal? {
        guard var significand, var exponent, -128...(127 + 38) ~= exponent else { return nil }
        while exponent > 127 {
            let (tens, overflow) = significand.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            significand = tens
            exponent -= 1
        }
        let text = "\(isNegative ? "-" : "")\(significand)E\(exponent)"
        return Decimal(string: text, locale: Self.plainLocale)
    }

    private static let plainLocale = Locale(identifier: "en_US_POSIX")
}
