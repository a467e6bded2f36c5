import HTTPTypes
package import HeliumBytes
import HeliumEssentials

/// Writes requests in HTTP/1.1 (RFC 9112).
package enum HTTP1Writer {
    /// Appends the head of a request: the request line, `Host`, `Accept-Encoding`, the caller's fields, and
    /// `Content-Length` or `Transfer-Encoding`. The head must have no ``RequestHead/fault``.
    package static func write(_ head: borrowing RequestHead, into output: inout ByteQueue) {
        let fields = head.fields
        // The texts have at most 64 bytes between them.
        let firstLines =
            64 + head.method.utf8.count + head.scheme.utf8.count + 2 * head.authority.utf8.count
            + head.target.utf8.count + head.acceptEncoding.utf8.count
        output.reserve(firstLines + fields.count * usualField + lastLines)
        var index = 0
        output.append(upTo: firstLines + fields.count * usualField) { room in
            var pen = Pen(room)
            writeFirstLines(of: head, &pen)
            index = write(fields, from: 0, &pen)
            return pen.count
        }
        while index < fields.count {
            let size = fields[index].name.rawName.utf8.count + fields[index].withUnsafeBytesOfValue(\.count)
            output.append(upTo: size + (fields.count - index) * usualField) { room in
                var pen = Pen(room)
                index = write(fields, from: index, &pen)
                return pen.count
            }
        }
        output.append(upTo: lastLines) { room in
            var pen = Pen(room)
            switch head.body {
            case .none: pen.write("\r\n")
            case .length(let length):
                pen.write("Content-Length: ")
                pen.write(UInt64(max(0, length)), radix: 10)
                pen.write("\r\n\r\n")
            case .unknown: pen.write("Transfer-Encoding: chunked\r\n\r\n")
            }
            return pen.count
        }
    }

    /// The number of bytes that most fields need.
    private static let usualField = 64
    /// The largest number of bytes after the caller's fields.
    private static let lastLines = 48

    @inline(__always)
    private static func writeFirstLines(of head: borrowing RequestHead, _ pen: inout Pen) {
        pen.write(head.method)
        pen.write(" ")
        if head.isAbsolute {
            pen.write(head.scheme)
            pen.write("://")
            pen.write(head.authority)
            // The target of OPTIONS for a whole server has no path in absolute form (RFC 9112 §3.2.4).
            if head.target != "*" { pen.write(head.target) }
        } else {
            pen.write(head.target)
        }
        pen.write(" HTTP/1.1\r\nHost: ")
        pen.write(head.authority)
        if !head.acceptEncoding.isEmpty {
            pen.write("\r\nAccept-Encoding: ")
            pen.write(head.acceptEncoding)
        }
        pen.write("\r\n")
    }

    /// Writes the fields for which there is room, without those that the transport sets. Returns the index of the first
    /// one for which there is none.
    @inline(__always)
    private static func write(_ fields: HTTPFields, from first: Int, _ pen: inout Pen) -> Int {
        var index = first
        while index < fields.count {
            guard fields.isOwn(at: index) || pen.write(fields, at: index) else { return index }
            index &+= 1
        }
        return index
    }

    /// Appends a chunk of a body whose length is not known. A chunk without bytes would end the body, so nothing is
    /// written for it.
    package static func writeChunk(_ bytes: UnsafeRawBufferPointer, into output: inout ByteQueue) {
        guard !bytes.isEmpty else { return }
        output.append(upTo: bytes.count + 20) { room in
            var pen = Pen(room)
            pen.write(UInt64(bytes.count), radix: 16)
            pen.write("\r\n")
            pen.write(bytes)
            pen.write("\r\n")
            return pen.count
        }
    }

    /// Appends the end of a body that was written in chunks. It has no trailer section.
    package static func writeEnd(into output: inout ByteQueue) {
        output.append(upTo: 5) { room in
            var pen = Pen(room)
            pen.write("0\r\n\r\n")
            return pen.count
        }
    }
}

/// Writes bytes into memory whose size the caller has computed.
private struct Pen {
    private let start: UnsafeMutableRawPointer?
    private let limit: Int
    private(set) var count = 0

    @inline(__always)
    init(_ memory: UnsafeMutableRawBufferPointer) {
        start = memory.baseAddress
        limit = memory.count
    }

    /// The place for this number of bytes.
    @inline(__always)
    private mutating func take(_ size: Int) -> UnsafeMutableRawPointer? {
        precondition(size <= limit &- count, "the room was computed wrongly")
        defer { count &+= size }
        return start.map { $0 + count }
    }

    @inline(__always)
    mutating func write(_ bytes: UnsafeRawBufferPointer) {
        if let place = take(bytes.count), let source = bytes.baseAddress { memcpy(place, source, bytes.count) }
    }

    @inline(__always)
    mutating func write(_ text: StaticString) {
        if let place = take(text.utf8CodeUnitCount) { memcpy(place, text.utf8Start, text.utf8CodeUnitCount) }
    }

    @inline(__always)
    mutating func write(_ text: String) {
        if let place = take(text.utf8.count) { text.copy(to: place) }
    }

    /// Writes a number in lower-case digits.
    @inline(__always)
    mutating func write(_ number: UInt64, radix: UInt64) {
        var digits = 1
        var rest = number / radix
        while rest > 0 {
            rest /= radix
            digits &+= 1
        }
        guard let place = take(digits) else { return }
        rest = number
        for index in stride(from: digits - 1, through: 0, by: -1) {
            let digit = UInt8(truncatingIfNeeded: rest % radix)
            place.storeBytes(of: digit < 10 ? digit + 48 : digit + 87, toByteOffset: index, as: UInt8.self)
            rest /= radix
        }
    }

    /// Writes a field. Returns `false` if there is no room for it.
    ///
    /// Each expression copies one part of the field: a whole one has three counted references.
    @inline(__always)
    mutating func write(_ fields: HTTPFields, at index: Int) -> Bool {
        let nameCount = fields[index].name.rawName.utf8.count
        // For a colon, a space and the line end.
        let room = limit &- count &- nameCount &- 4
        guard room >= 0, let line = start.map({ $0 + count }) else { return false }
        let valueCount = fields[index].withUnsafeBytesOfValue { value in
            copyValue(value, to: line + nameCount + 2, upTo: room)
        }
        guard valueCount <= room else { return false }
        fields[index].name.rawName.copy(to: line)
        line.storeBytes(of: UInt8(ascii: ":"), toByteOffset: nameCount, as: UInt8.self)
        var end = nameCount &+ 1
        if valueCount > 0 {
            line.storeBytes(of: 0x20, toByteOffset: end, as: UInt8.self)
            end &+= 1 &+ valueCount
        }
        line.storeBytes(of: 0x0D, toByteOffset: end, as: UInt8.self)
        line.storeBytes(of: 0x0A, toByteOffset: end &+ 1, as: UInt8.self)
        count &+= end &+ 2
        return true
    }
}
