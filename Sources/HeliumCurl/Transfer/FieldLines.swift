import CLibcurl
import HTTPTypes
import HeliumEssentials

/// The field lines of a request as a list for libcurl. The memory is reused, so that no line needs an allocation.
///
/// The nodes are plain C structs. libcurl only reads them, and only while the transfer runs.
///
/// A class for the same reason as ``HeadParser``.
final class FieldLines {
    private var text: UnsafeMutablePointer<CChar>
    private var textCapacity = 1024
    private var nodes: UnsafeMutablePointer<curl_slist>
    private var nodeCapacity = 24
    private var count = 0
    private var used = 0

    init() {
        text = .allocate(capacity: textCapacity)
        nodes = .allocate(capacity: nodeCapacity)
    }

    deinit {
        text.deallocate()
        nodes.deallocate()
    }

    /// Whether all lines of the last ``write(_:host:codings:hasBody:)`` can be sent.
    enum Outcome { case written, unsendable }

    /// Writes `fields` except for those that the transport sets, and disables the fields that libcurl would add.
    ///
    /// - Parameters:
    /// - host: The value of the `Host` field if libcurl's own would differ.
    ///   - codings: The value of `Accept-Encoding`.
    func write(_ fields: HTTPFields, host: String?, codings: String, hasBody: Bool) -> Outcome {
        count = 0
        used = 0
        reserve(lines: fields.count + 5)
        var hasAccept = false
        var hasExpect = false
        var hasType = false
        append(line: "Accept-Encoding: ", codings)
        for field in fields {
            let name = field.name
            switch name.rawName.utf8.count {
            case 4 where name == FieldLines.host, 14 where name == .contentLength, 15 where name == .acceptEncoding,
                17 where name == .transferEncoding:
                continue
            case 6:
                if name == .accept { hasAccept = true } else if name == .expect { hasExpect = true }
            case 12 where name == .contentType: hasType = true
            default: break
            }
            guard append(field) else { return .unsendable }
        }
        if let host { append(line: "Host: ", host) }
        // A name without a value makes libcurl omit a field of its own.
        if !hasAccept { append(line: "Accept:") }
        if hasBody, !hasExpect { append(line: "Expect:") }
        if hasBody, !hasType { append(line: "Content-Type:") }
        return .written
    }

    /// The list for `CURLOPT_HTTPHEADER`. It is valid until the next ``write(_:host:codings:hasBody:)``.
    var list: UnsafeMutablePointer<curl_slist>? { count == 0 ? nil : nodes }

    private static let host = HTTPField.Name("Host")

    /// Makes room for the lines of a list that has none yet.
    private func reserve(lines: Int) {
        guard lines > nodeCapacity else { return }
        nodes.deallocate()
        nodeCapacity = lines * 2
        nodes = .allocate(capacity: nodeCapacity)
    }

    /// Makes room for more text. Counting all of it first would mean to process every field twice.
    private func reserve(bytes: Int) {
        guard used + bytes > textCapacity else { return }
        let old = text
        textCapacity = (used + bytes) * 2
        text = .allocate(capacity: textCapacity)
        memcpy(text, old, used)
        for index in 0..<count { nodes[index].data = nodes[index].data.map { text + ($0 - old) } }
        old.deallocate()
    }

    private func append(_ field: HTTPField) -> Bool {
        let start = used
        var name = field.name.rawName
        let isSendable = field.withUnsafeBytesOfValue { value in
            let value = UnsafeRawBufferPointer(value)
            name.withUTF8 { name in
                // For a colon, a space and the terminating zero.
                reserve(bytes: name.count + value.count + 3)
                copy(UnsafeRawBufferPointer(name))
            }
            // An empty value needs a semicolon, because libcurl takes the line for a removal otherwise.
            if value.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) {
                put(UInt8(ascii: ";"))
                return true
            }
            put(UInt8(ascii: ":"))
            put(0x20)
            copy(value)
            return !FieldLines.hasBreak(value)
        }
        endLine(at: start)
        return isSendable
    }

    /// Returns whether a value has a zero byte or a line break, with which the line would end. Three searches of the C
    /// library are faster than a loop over the bytes.
    private static func hasBreak(_ value: UnsafeRawBufferPointer) -> Bool {
        guard let start = value.baseAddress else { return false }
        let count = value.count
        return memchr(start, 0, count) != nil || memchr(start, 10, count) != nil || memchr(start, 13, count) != nil
    }

    private func append(line: StaticString, _ rest: String = "") {
        let start = used
        reserve(bytes: line.utf8CodeUnitCount + rest.utf8.count + 1)
        copy(UnsafeRawBufferPointer(start: line.utf8Start, count: line.utf8CodeUnitCount))
        var rest = rest
        rest.withUTF8 { copy(UnsafeRawBufferPointer($0)) }
        endLine(at: start)
    }

    private func copy(_ bytes: UnsafeRawBufferPointer) {
        if let source = bytes.baseAddress { memcpy(text + used, source, bytes.count) }
        used += bytes.count
    }

    private func put(_ byte: UInt8) {
        text[used] = CChar(bitPattern: byte)
        used += 1
    }

    private func endLine(at start: Int) {
        put(0)
        (nodes + count).initialize(to: curl_slist(data: text + start, next: nil))
        if count > 0 { nodes[count - 1].next = nodes + count }
        count += 1
    }
}
