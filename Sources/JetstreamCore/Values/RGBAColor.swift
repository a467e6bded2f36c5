public import HeliumJSON

/// A color with opacity and 8 bits per component, sent on the wire as the number `0xRRGGBBAA`
/// (Docs/Protocols/Jetstream.md §2.3).
///
/// Colors are compared as 32-bit values, so converting a color back and forth does not change it.
public struct RGBAColor: Sendable, Hashable, Codable {
    /// The number `0xRRGGBBAA`.
    public var rawValue: UInt32

    /// Creates a color from a number `0xRRGGBBAA`.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }

    /// Creates a color from components between 0 and 1. Values out of range are clamped, and NaN becomes 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        // Truncated, like in the original library.
        func byte(_ component: Double) -> UInt32 { component > 0 ? UInt32(min(component, 1) * 255) : 0 }
        rawValue = byte(red) << 24 | byte(green) << 16 | byte(blue) << 8 | byte(alpha)
    }

    /// Red, from 0 to 1.
    public var red: Double { component(24) }
    /// Green, from 0 to 1.
    public var green: Double { component(16) }
    /// Blue, from 0 to 1.
    public var blue: Double { component(8) }
    /// Opacity, from 0 to 1.
    public var alpha: Double { component(0) }

    private func component(_ shift: UInt32) -> Double { Double(rawValue >> shift & 0xFF) / 255 }
}

extension RGBAColor: ModelScalar {
    /// The kind: a number.
    public static var modelKind: ModelKind { .number }
    /// Returns whether all 32 bits are equal.
    public static func isSame(_ left: RGBAColor, _ right: RGBAColor) -> Bool { left.rawValue == right.rawValue }
    /// Returns the number `0xRRGGBBAA`.
    public func modelJSON(_ format: ModelFormat) -> JSONValue { rawValue.modelJSON(format) }
    /// Reads a number. Numbers that do not fit into 32 bits are ignored.
    public static func fromModelJSON(_ json: JSONValue, _ source: ModelSource) -> RGBAColor? {
        UInt32.fromModelJSON(json, source).map { RGBAColor($0) }
    }
}
