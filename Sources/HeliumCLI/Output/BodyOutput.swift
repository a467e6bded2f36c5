import Foundation

/// Writes a response body to standard output, or to a terminal that is named as a file, while it arrives. A pipe or file gets the bytes unchanged; a terminal gets
/// text with control characters escaped.
struct BodyOutput {
    private let isTerminal: Bool
    private let write: (Data) throws -> Void
    /// The beginning of an incomplete character, or a carriage return.
    private var rest = Data()

    /// - Parameter write: Writes the bytes. Throws ``Console/BrokenPipe`` or ``OutputFailure``.
    init(isTerminal: Bool, write: @escaping (Data) throws -> Void) {
        self.isTerminal = isTerminal
        self.write = write
    }

    /// Creates an output to the standard output of a console.
    init(_ console: Console = .current) {
        self.init(isTerminal: console.isTerminal, write: console.streamUnescaped)
    }

    mutating func append(_ chunk: Data) throws {
        guard isTerminal else { return try write(chunk) }
        rest.append(chunk)
        let complete = rest.count - Self.incompleteBytes(at: rest)
        let text = String(decoding: rest.prefix(complete), as: UTF8.self)
        rest = Data(rest.dropFirst(complete))
        if !text.isEmpty { try write(Data(PrintableText.lines(text).utf8)) }
    }

    /// Writes the bytes that were held back.
    mutating func finish() throws {
        guard !rest.isEmpty else { return }
        try write(Data(PrintableText.lines(String(decoding: rest, as: UTF8.self)).utf8))
        rest = Data()
    }

    /// Counts the bytes at the end that depend on later bytes: an incomplete UTF-8 sequence, or a carriage return.
    private static func incompleteBytes(at bytes: Data) -> Int {
        if bytes.last == UInt8(ascii: "\r") { return 1 }
        for (index, byte) in bytes.suffix(3).reversed().enumerated() {
            let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : byte >= 0x80 ? 0 : 1
            if length > 0 { return length > index + 1 ? index + 1 : 0 }
        }
        return 0
    }
}
