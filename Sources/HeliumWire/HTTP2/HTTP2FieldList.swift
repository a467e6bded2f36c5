#if HTTP2
    import CNGHTTP2
    import HTTPTypes
    import HeliumEssentials

    /// The fields of a request for nghttp2, which copies their values. The memory is reused.
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

        /// The largest number of fields that are not the caller's.
        private static let ownFields = 6

        /// Writes the fields of a request (RFC 9113 §8.3.1), without those that HTTP/2 forbids (RFC 9113 §8.2.2).
        mutating func write(_ head: borrowing RequestHead) {
            reserve(head.fields.count + HTTP2FieldList.ownFields)
            // The fields refer to the memory of the texts. So when it is too small, all are written again into a larger
            // one, which happens seldom, because it is kept.
            while let missing = fill(head) { growText(missing) }
        }

        /// Writes the fields. Returns `nil`, or the number of bytes for which there is no room.
        private mutating func fill(_ head: borrowing RequestHead) -> Int? {
            count = 0
            used = 0
            if let missing = append(":method", head.method) { return missing }
            if let missing = append(":scheme", head.scheme) { return missing }
            if let missing = append(":authority", head.authority) { return missing }
            if let missing = append(":path", head.target) { return missing }
            if !head.acceptEncoding.isEmpty, let missing = append("accept-encoding", head.acceptEncoding) {
                return missing
            }
            let fields = head.fields
            for index in fields.indices {
                if let missing = append(fields, at: index) { return missing }
            }
            if case .length(let length) = head.body { return append("content-length", String(length)) }
            return nil
        }

        /// Returns whether HTTP/2 forbids a field.
        @inline(__always)
        private static func isForbidden(_ list: HTTPFields, at index: Int) -> Bool {
            // The length decides for most fields.
            switch list[index].name.canonicalName.utf8.count {
            case 2, 7, 10, 14, 16: isForbidden(list[index])
            default: false
            }
        }

        @inline(never)
        private static func isForbidden(_ field: HTTPField) -> Bool {
            switch field.name.canonicalName {
            case "te": field.value.lowercased() != "trailers"
            case "upgrade", "keep-alive", "http2-settings", "proxy-connection": true
            default: false
            }
        }

        /// Adds a field whose name is always the same, so that nghttp2 need not copy it.
        @inline(__always)
        private mutating func append(_ name: StaticString, _ value: String) -> Int? {
            let valueCount = value.utf8.count
            guard valueCount <= textCapacity - used else { return valueCount }
            value.copy(to: text + used)
            let name = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
            add(name, valueCount, NGHTTP2_NV_FLAG_NO_COPY_NAME)
            return nil
        }

        /// Adds a field of the caller unless it is not sent.
        @inline(__always)
        private mutating func append(_ list: HTTPFields, at index: Int) -> Int? {
            if list.isOwn(at: index) || HTTP2FieldList.isForbidden(list, at: index) { return nil }
            let nameCount = list[index].name.canonicalName.utf8.count
            let room = textCapacity - used - nameCount
            guard room >= 0 else { return nameCount }
            let name = text + used
            let valueCount = list[index].withUnsafeBytesOfValue { value in
                copyValue(value, to: name + nameCount, upTo: room)
            }
            guard valueCount <= room else { return nameCount + valueCount }
            list[index].name.canonicalName.copy(to: name)
            used += nameCount
            add(UnsafeBufferPointer(start: name, count: nameCount), valueCount, NGHTTP2_NV_FLAG_NONE)
            return nil
        }

        /// Adds a field whose value was copied to the end of the text.
        @inline(__always)
        private mutating func add(_ name: UnsafeBufferPointer<UInt8>, _ valueCount: Int, _ flag: nghttp2_nv_flag) {
            fields[count] = nghttp2_nv(
                name: UnsafeMutablePointer(mutating: name.baseAddress),
                value: text + used,
                namelen: name.count,
                valuelen: valueCount,
                flags: UInt8(truncatingIfNeeded: flag.rawValue)
            )
            used += valueCount
            count += 1
        }

        private mutating func growText(_ room: Int) {
            textCapacity = max(textCapacity * 2, used + room)
            text.deallocate()
            text = .allocate(capacity: textCapacity)
        }

        private mutating func reserve(_ limit: Int) {
            guard limit > fieldCapacity else { return }
            fieldCapacity = max(fieldCapacity * 2, limit)
            fields.deallocate()
            fields = .allocate(capacity: fieldCapacity)
        }
    }
#endif
