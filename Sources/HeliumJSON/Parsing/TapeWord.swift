/// A value or a member's name on the tape: its kind, the offset of its text and its length.
///
/// Bits 60–63 contain the kind, bits 0–31 the offset of the text, and bits 32–59 the length of the text in bytes: for a
/// string without its quotes, for a number the whole text. For arrays and objects, the offset is that of the bracket,
/// and the length is the number of words including their own. The next value can therefore be found without reading the
/// contents.
@usableFromInline
struct TapeWord {
    @usableFromInline let bits: UInt64

    @inlinable
    init(bits: UInt64) { self.bits = bits }

    @inlinable @inline(__always)
    init(_ kind: Kind, offset: Int, length: Int) {
        bits =
            UInt64(truncatingIfNeeded: kind.rawValue) &<< 60 | UInt64(truncatingIfNeeded: length) &<< 32
            | UInt64(truncatingIfNeeded: offset)
    }

    @usableFromInline
    struct Kind: Equatable {
        @usableFromInline let rawValue: UInt8

        @inlinable @inline(__always)
        init(rawValue: UInt8) { self.rawValue = rawValue }

        @inlinable static var null: Kind { @inline(__always) get { Kind(rawValue: 0) } }
        @inlinable static var `false`: Kind { @inline(__always) get { Kind(rawValue: 1) } }
        @inlinable static var `true`: Kind { @inline(__always) get { Kind(rawValue: 2) } }
        /// A number without fraction and exponent.
        @inlinable static var integer: Kind { @inline(__always) get { Kind(rawValue: 3) } }
        /// Any other number.
        @inlinable static var decimal: Kind { @inline(__always) get { Kind(rawValue: 4) } }
        /// A string whose text equals its value.
        @inlinable static var plainString: Kind { @inline(__always) get { Kind(rawValue: 5) } }
        /// A string with escapes.
        @inlinable static var escapedString: Kind { @inline(__always) get { Kind(rawValue: 6) } }
        @inlinable static var array: Kind { @inline(__always) get { Kind(rawValue: 7) } }
        @inlinable static var object: Kind { @inline(__always) get { Kind(rawValue: 8) } }

        @inlinable @inline(__always)
        static func == (left: Kind, right: Kind) -> Bool { left.rawValue == right.rawValue }
    }

    @inlinable
    var kind: Kind {
        @inline(__always) get { Kind(rawValue: UInt8(truncatingIfNeeded: bits &>> 60)) }
    }

    @inlinable
    var offset: Int {
        @inline(__always) get { Int(truncatingIfNeeded: bits & 0xFFFF_FFFF) }
    }

    @inlinable
    var length: Int {
        @inline(__always) get { Int(truncatingIfNeeded: bits &>> 32 & 0x0FFF_FFFF) }
    }

    @inlinable
    var isString: Bool {
        @inline(__always) get { kind.rawValue &- 5 < 2 }
    }

    @inlinable
    var isNumber: Bool {
        @inline(__always) get { kind.rawValue &- 3 < 2 }
    }

    @inlinable
    var isContainer: Bool {
        @inline(__always) get { kind.rawValue >= 7 }
    }

    /// Whether this is a string of so many bytes whose text equals its value. It compares kind and length at once.
    @inlinable @inline(__always)
    func isPlainString(ofLength length: Int) -> Bool {
        // A longer length would be added to the kind.
        bits &>> 32 == 0x5000_0000 &+ UInt64(truncatingIfNeeded: length) && length <= 0x0FFF_FFFF
    }

    /// Whether this is a string with escapes. It must be a string.
    @inlinable
    var isEscapedString: Bool {
        @inline(__always) get { bits &>> 32 >= 0x6000_0000 }
    }

    /// The number of words to the next value.
    @inlinable
    var span: Int {
        @inline(__always) get { isContainer ? length : 1 }
    }

    /// The largest offset and length that can be represented.
    static let maximumOffset = 0xFFFF_FFFF
    static let maximumLength = 0x0FFF_FFFF
}

extension TapeWord {
    /// The kind of value for messages, such as `a string`.
    var noun: String {
        switch kind {
        case .null: "null"
        case .true, .false: "a boolean"
        case .integer, .decimal: "a number"
        case .plainString, .escapedString: "a string"
        case .array: "an array"
        default: "an object"
        }
    }
}
