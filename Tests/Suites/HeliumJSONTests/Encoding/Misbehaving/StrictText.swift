/// A parser of JSON for what an encoder wrote, by RFC 8259 alone: it shares nothing with the parsers of the library.
struct StrictText {
    /// A text that is not one valid value, or that has a name twice in one object.
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    private let bytes: [UInt8]
    private var index = 0
    /// The numbers of the text, in its order.
    private(set) var numbers: [Double] = []

    init(_ bytes: [UInt8]) throws {
        self.bytes = bytes
        try value()
        guard index == bytes.count else { throw fault("text after the value") }
    }

    private func fault(_ reason: String) -> Fault {
        Fault(description: "\(reason) at \(index) of \(String(decoding: bytes, as: UTF8.self))")
    }

    private var next: UInt8 { index < bytes.count ? bytes[index] : 0 }

    private mutating func take(_ text: StaticString) throws {
        for byte in UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount) {
            guard next == byte else { throw fault("no \(text)") }
            index += 1
        }
    }

    private mutating func skipSpace() {
        while [0x20, 0x0A].contains(next) { index += 1 }
    }

    private mutating func value() throws {
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): try object()
        case UInt8(ascii: "["): try array()
        case UInt8(ascii: "\""): _ = try string()
        case UInt8(ascii: "n"): try take("null")
        case UInt8(ascii: "t"): try take("true")
        case UInt8(ascii: "f"): try take("false")
        default: try number()
        }
        skipSpace()
    }

    private mutating func object() throws {
        index += 1
        skipSpace()
        var names: Set<ArraySlice<UInt8>> = []
        while next != UInt8(ascii: "}") {
            if !names.isEmpty {
                try take(",")
                skipSpace()
            }
            guard names.insert(try string()).inserted else { throw fault("a name twice") }
            skipSpace()
            try take(":")
            try value()
        }
        index += 1
    }

    private mutating func array() throws {
        index += 1
        skipSpace()
        var isFirst = true
        while next != UInt8(ascii: "]") {
            if !isFirst { try take(",") }
            isFirst = false
            try value()
        }
        index += 1
    }

    private mutating func string() throws -> ArraySlice<UInt8> {
        let start = index
        try take("\"")
        while next != UInt8(ascii: "\"") {
            guard next >= 0x20 else { throw fault("an open string") }
            index += next == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
        return bytes[start..<index]
    }

    private mutating func number() throws {
        let start = index
        while next > 0x2A, next < 0x3A && next != 0x2C && next != 0x2F || next == 0x65 || next == 0x45 { index += 1 }
        guard let number = Double(String(decoding: bytes[start..<index], as: UTF8.self)) else {
            throw fault("no value")
        }
        numbers.append(number)
    }
}
