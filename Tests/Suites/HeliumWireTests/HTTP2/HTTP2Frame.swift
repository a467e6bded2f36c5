/// A frame, made and read by hand (RFC 9113 §4.1).
struct HTTP2Frame: Equatable, CustomStringConvertible {
    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    var description: String { "\(type)/\(flags) on \(stream): \(payload.count) \(payload.prefix(24))" }

    /// The frame as it is sent.
    var bytes: [UInt8] {
        let count = payload.count
        let length = [UInt8(count >> 16 & 255), UInt8(count >> 8 & 255), UInt8(count & 255)]
        return length + [type, flags] + big(stream) + payload
    }

    /// The 32-bit number at a place of the payload.
    func number(at place: Int = 0) -> UInt32 {
        payload.dropFirst(place).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The frames in `bytes`.
    static func all(in bytes: [UInt8]) -> [HTTP2Frame] {
        var rest = bytes[...]
        var frames: [HTTP2Frame] = []
        while rest.count >= 9 {
            let header = Array(rest.prefix(9))
            let count = Int(header[0]) << 16 | Int(header[1]) << 8 | Int(header[2])
            let stream = header[5...].reduce(0) { $0 << 8 | UInt32($1) }
            let payload = Array(rest.dropFirst(9).prefix(count))
            frames.append(HTTP2Frame(type: header[3], flags: header[4], stream: stream, payload: payload))
            rest = rest.dropFirst(9 + count)
        }
        return frames
    }
}

func big(_ number: UInt32) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) } }

// MARK: The frames of a server

extension HTTP2Frame {
    static func data(_ text: String, on stream: UInt32, isLast: Bool = false, padding: Int? = nil) -> HTTP2Frame {
        data(Array(text.utf8), on: stream, isLast: isLast, padding: padding)
    }

    static func data(_ bytes: [UInt8], on stream: UInt32, isLast: Bool = false, padding: Int? = nil) -> HTTP2Frame {
        let pad = padding.map { [UInt8($0)] } ?? []
        let zeros = [UInt8](repeating: 0, count: padding ?? 0)
        let flags: UInt8 = (isLast ? 1 : 0) | (padding == nil ? 0 : 8)
        return HTTP2Frame(type: 0, flags: flags, stream: stream, payload: pad + bytes + zeros)
    }

    /// A whole header section, with the fields as literals that are not indexed (RFC 7541 §6.2.2).
    static func head(
        _ fields: [(String, String)],
        on stream: UInt32,
        isLast: Bool = false,
        isWhole: Bool = true
    ) -> HTTP2Frame {
        let flags: UInt8 = (isLast ? 1 : 0) | (isWhole ? 4 : 0)
        return HTTP2Frame(type: 1, flags: flags, stream: stream, payload: block(fields))
    }

    static func head(_ status: Int, on stream: UInt32, isLast: Bool = false) -> HTTP2Frame {
        head([(":status", "\(status)")], on: stream, isLast: isLast)
    }

    static func continuation(_ block: [UInt8], on stream: UInt32, isWhole: Bool = false) -> HTTP2Frame {
        HTTP2Frame(type: 9, flags: isWhole ? 4 : 0, stream: stream, payload: block)
    }

    static func reset(_ code: UInt32, on stream: UInt32) -> HTTP2Frame {
        HTTP2Frame(type: 3, stream: stream, payload: big(code))
    }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> HTTP2Frame {
        HTTP2Frame(type: 4, payload: values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] + big($1) })
    }

    static let settingsAcknowledgement = HTTP2Frame(type: 4, flags: 1)
    static let ping = HTTP2Frame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7, 8])

    static func goAway(after last: UInt32, _ code: UInt32 = 0) -> HTTP2Frame {
        HTTP2Frame(type: 7, payload: big(last) + big(code))
    }

    static func windowUpdate(_ count: UInt32, on stream: UInt32 = 0) -> HTTP2Frame {
        HTTP2Frame(type: 8, stream: stream, payload: big(count))
    }

    static func block(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { [0] + string($0) + string($1) }
    }

    /// A string without Huffman coding (RFC 7541 §5.2).
    private static func string(_ text: String) -> [UInt8] {
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        var count = bytes.count
        if count < 127 { return [UInt8(count)] + bytes }
        var length: [UInt8] = [127]
        count -= 127
        while count >= 128 {
            length.append(UInt8(count & 127) | 128)
            count >>= 7
        }
        return length + [UInt8(count)] + bytes
    }
}
