#if HTTP2
    import CNGHTTP2
    import HTTPTypes
    import HeliumEssentials

    /// The fields of a request for nghttp2, which copies them. The memory is reused.
    struct HTTP2FieldList: ~Copyable {
        private var text: UnsafeMutablePointer<UInt8>
        private var textCapacity = 1024
        private var fields: UnsafeMutablePointer<nghttp2_nv>
        private var fieldCapacity = 32
        private var used = 0
        private(set) var count = 0

        init() {
            text = .allocate(capacity: textCapacity)
            fields = .allocate(capacity: fieldCapacity)
        }

        deinit {
            text.deallocate()
            fields.deallocate()
        }

        /// The fields of the last ``write(_:)``.
        var start: UnsafePointer<nghttp2_nv> { UnsafePointer(fields) }

        /// Writes the fields of a request (RFC 9113 §8.3.1), without those that HTTP/2 forbids (RFC 9113 §8.2.2).
        mutating func write(_ head: RequestHead) {
            count = 0
            used = 0
            append(":method", head.method)
            append(":scheme", head.scheme)
            append(":authority", head.authority)
            append(":path", head.target)
            if !head.acceptEncoding.isEmpty { append("accept-encoding", head.acceptEncoding) }
            for field in head.fields {
                let name = field.name
                if RequestHead.isOwn(name) || HTTP2FieldList.isForbidden(field) { continue }
                let start = append(name.canonicalName)
                let middle = used
                field.withUnsafeBytesOfValue { append(UnsafeRawBufferPointer($0)) }
                endField(from: start, middle)
            }
            if case .length(let length) = head.body { append("content-length", String(length)) }
        }

        private static let keepAlive = HTTPField.Name("Keep-Alive")
        private static let proxyConnection = HTTPField.Name("Proxy-Connection")
        private static let settings = HTTPField.Name("HTTP2-Settings")

        private static func isForbidden(_ field: HTTPField) -> Bool {
            let name = field.name
            return switch name.rawName.utf8.count {
            case 2: name == .te && field.value.lowercased() != "trailers"
            case 7: name == .upgrade
            case 10: name == keepAlive
            case 14: name == settings
            case 16: name == proxyConnection
            default: false
            }
        }

        private mutating func append(_ name: String, _ value: String) {
            let start = append(name)
            endField(from: start, append(value))
        }

        /// Appends text, and returns where it begins.
        private mutating func append(_ text: String) -> Int {
            let start = used
            var text = text
            text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
            return start
        }

        /// Adds the field whose name begins at `start` and whose value from `middle` is the last text.
        private mutating func endField(from start: Int, _ middle: Int) {
            reserveField()
            fields[count] = nghttp2_nv(
                name: text + start,
                value: text + middle,
                namelen: middle - start,
                valuelen: used - middle,
                flags: UInt8(truncatingIfNeeded: NGHTTP2_NV_FLAG_NONE.rawValue)
            )
            count += 1
        }

        private mutating func append(_ bytes: UnsafeRawBufferPointer) {
            guard let start = bytes.baseAddress else { return }
            if used + bytes.count > textCapacity { growText(bytes.count) }
            memcpy(text + used, start, bytes.count)
            used += bytes.count
        }

        private mutating func growText(_ room: Int) {
            textCapacity = max(textCapacity * 2, used + room)
            let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: textCapacity)
            larger.update(from: text, count: used)
            for index in 0..<count {
                fields[index].name = larger + (fields[index].name - text)
                fields[index].value = larger + (fields[index].value - text)
            }
            text.deallocate()
            text = larger
        }

        private mutating func reserveField() {
            guard count == fieldCapacity else { return }
            fieldCapacity *= 2
            let larger = UnsafeMutablePointer<nghttp2_nv>.allocate(capacity: fieldCapacity)
            larger.update(from: fields, count: count)
            fields.deallocate()
            fields = larger
        }
    }
#endif
