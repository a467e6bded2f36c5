import ArgumentParser
import Foundation

/// A switch on the command line: `on` or `off`.
enum Switch: String, ExpressibleByArgument, CaseIterable {
    case on, off
}

/// A pair `name=value` on the command line.
struct NamedValue: ExpressibleByArgument {
    let name: String
    let value: String

    init(name: String, value: String) {
        self.name = name
        self.value = value
    }

    init?(argument: String) { self.init(argument, separator: UInt8(ascii: "=")) }

    /// - Parameter separator: The byte after the name. It is found among bytes, because a combining mark after it, as in
    ///   `a=\u{301}x`, forms one character with it.
    init?(_ text: String, separator: UInt8) {
        let bytes = text.utf8
        guard let index = bytes.firstIndex(of: separator), index > bytes.startIndex else { return nil }
        name = String(decoding: bytes[..<index], as: UTF8.self)
        value = String(decoding: bytes[bytes.index(after: index)...], as: UTF8.self)
    }

    /// Returns the values by name. The values of each name keep their order.
    static func lists(_ items: [NamedValue]) -> [String: [String]] {
        var lists: [String: [String]] = [:]
        for item in items { lists[item.name, default: []].append(item.value) }
        return lists
    }
}

/// A header field `Name: value` on the command line.
struct HeaderArgument: ExpressibleByArgument {
    let field: NamedValue

    init?(argument: String) {
        guard let field = NamedValue(argument, separator: UInt8(ascii: ":")) else { return nil }
        self.field = field
    }

    var name: String { field.name }
    var value: String { field.value.trimmingCharacters(in: .whitespaces) }
}

/// A duration: `500ms`, `5s`, `2m`, or plain seconds.
struct DurationArgument: ExpressibleByArgument {
    let duration: Duration

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("", 1)]
        for (suffix, factor) in units where argument.hasSuffix(suffix) {
            guard let number = Double(argument.dropLast(suffix.count)), number.isFinite, number > 0,
                number * factor <= 86_400
            else { return nil }
            duration = .seconds(number * factor)
            return
        }
        return nil
    }
}

/// A number of bytes: `1000`, `10k`, `5M` or `2G`. The units are powers of 1,024, as in curl.
struct ByteSize: ExpressibleByArgument, Hashable {
    let bytes: Int64

    init(bytes: Int64) { self.bytes = bytes }

    /// The value in its largest unit, for the default value in the help text.
    var defaultValueDescription: String {
        for (unit, size) in [("G", 1 << 30), ("M", 1 << 20), ("k", 1 << 10)] as [(String, Int64)]
        where bytes > 0 && bytes.isMultiple(of: size) {
            return "\(bytes / size)\(unit)"
        }
        return "\(bytes)"
    }

    init?(argument: String) {
        let units: [Character: Int64] = ["k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40]
        let unit = argument.last.flatMap { units[Character($0.lowercased())] }
        let digits = unit == nil ? argument[...] : argument.dropLast()
        guard !digits.isEmpty, digits.utf8.allSatisfy({ 48...57 ~= $0 }), let number = Int64(digits) else { return nil }
        let (bytes, isTooLarge) = number.multipliedReportingOverflow(by: unit ?? 1)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
