/// A key by which a server recognizes repeated requests as one. It is created once per logical call and is the same on
/// each of its attempts.
///
/// A field of that name (``ClientOptions/idempotencyKeyField``) that is set by hand is the call's key too.
///
/// To make a call repeatable after a crash, store the key together with the data of the call.
public struct IdempotencyKey: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The key as it is sent.
    public let rawValue: String

    /// Creates a custom key: 1 to 255 printable ASCII characters. A call with an invalid key fails with
    /// ``FailureKind/invalidRequest``.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Creates a random UUID (RFC 9562 version 4).
    public static func random(using source: RandomSource = .system) -> Self {
        var high = source.bits()
        var low = source.bits()
        high = high & ~0xF000 | 0x4000
        low = low & ~(0b11 << 62) | (0b10 << 62)
        let digits = hex(high) + hex(low)
        var text = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { text.append("-") }
            text.append(digit)
        }
        return Self(rawValue: text)
    }

    /// The key.
    public var description: String { rawValue }

    var isSendable: Bool { 1...255 ~= rawValue.utf8.count && rawValue.utf8.allSatisfy { 0x20...0x7E ~= $0 } }

    private static func hex(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
