import HTTPTypes
package import HeliumBytes
import HeliumEssentials

/// Writes requests in HTTP/1.1 (RFC 9112).
package enum HTTP1Writer {
    /// Appends the head of a request: the request line, `Host`, `Accept-Encoding`, the caller's fields, and
    /// `Content-Length` or `Transfer-Encoding`. The head must have no ``RequestHead/fault``.
    package static func write(_ head: RequestHead, into output: inout ByteQueue) {
        output.reserve(128 + head.target.utf8.count + head.fields.count * 64)
        output.append(head.method)
        if head.isAbsolute {
            output.append(" ", head.scheme)
            output.append("://", head.authority)
            // The target of OPTIONS for a whole server has no path in absolute form (RFC 9112 §3.2.4).
            if head.target != "*" { output.append("", head.target) }
        } else {
            output.append(" ", head.target)
        }
        output.append(" HTTP/1.1\r\nHost: ", head.authority)
        if !head.acceptEncoding.isEmpty { output.append("\r\nAccept-Encoding: ", head.acceptEncoding) }
        output.append("\r\n", "")
        for field in head.fields where !RequestHead.isOwn(field.name) { write(field, into: &output) }
        switch head.body {
        case .none: output.append("\r\n", "")
        case .length(let length):
            output.append("Content-Length: ", "")
            output.append(number: UInt64(max(0, length)), radix: 10)
            output.append("\r\n\r\n", "")
        case .unknown: output.append("Transfer-Encoding: chunked\r\n\r\n", "")
        }
    }

    /// Appends a chunk of a body whose length is not known. A chunk without bytes would end the body, so nothing is
    /// written for it.
    package static func writeChunk(_ bytes: UnsafeRawBufferPointer, into output: inout ByteQueue) {
        guard !bytes.isEmpty else { return }
        output.reserve(bytes.count + 20)
        output.append(number: UInt64(bytes.count), radix: 16)
        output.append("\r\n", "")
        output.append(bytes)
        output.append("\r\n", "")
    }

    /// Appends the end of a body that was written in chunks. It has no trailer section.
    package static func writeEnd(into output: inout ByteQueue) { output.append("0\r\n\r\n", "") }

    private static func write(_ field: HTTPField, into output: inout ByteQueue) {
        var name = field.name.rawName
        name.withUTF8 { name in
            field.withUnsafeBytesOfValue { value in
                let nameCount = name.count
                // For a colon, a space and the line end.
                output.append(upTo: nameCount + value.count + 4) { room in
                    guard let start = room.baseAddress else { return 0 }
                    var end = start
                    copy(UnsafeRawBufferPointer(name), to: &end)
                    put(UInt8(ascii: ":"), to: &end)
                    if !value.isEmpty {
                        put(0x20, to: &end)
                        copy(UnsafeRawBufferPointer(value), to: &end)
                    }
                    put(0x0D, to: &end)
                    put(0x0A, to: &end)
                    return end - start
                }
            }
        }
    }

    private static func copy(_ bytes: UnsafeRawBufferPointer, to end: inout UnsafeMutableRawPointer) {
        if let source = bytes.baseAddress { memcpy(end, source, bytes.count) }
        end += bytes.count
    }

    private static func put(_ byte: UInt8, to end: inout UnsafeMutableRawPointer) {
        end.storeBytes(of: byte, as: UInt8.self)
        end += 1
    }
}

extension ByteQueue {
    /// Appends two texts.
    fileprivate mutating func append(_ first: StaticString, _ second: String) {
        append(UnsafeRawBufferPointer(start: first.utf8Start, count: first.utf8CodeUnitCount))
        if !second.isEmpty { append(second) }
    }

    /// Appends a number in lower-case digits.
    fileprivate mutating func append(number: UInt64, radix: UInt64) {
        var rest = number
        var count = 1
        while rest >= radix {
            rest /= radix
            count += 1
        }
        append(upTo: count) { room in
            var rest = number
            for index in stride(from: count - 1, through: 0, by: -1) {
                let digit = UInt8(truncatingIfNeeded: rest % radix)
                room[index] = digit < 10 ? digit + 48 : digit + 87
                rest /= radix
            }
            return count
        }
    }
}
