/// A reader of header blocks (RFC 7541), with a dynamic table of the default size.
struct HPACKReader {
    /// A block that a decoder must refuse.
    struct Invalid: Error {}

    private typealias Field = (name: String, value: String)

    private var table: [Field] = []
    private var limit = 4096

    /// The fields of a whole block, in order.
    mutating func read(_ block: [UInt8]) throws -> [(name: String, value: String)] {
        var bytes = block[...]
        var fields: [Field] = []
        while let first = bytes.first {
            switch first {
            case 0x80...:
                fields.append(try field(at: Self.integer(&bytes, prefix: 7)))
            case 0x40...:
                let field = try literal(&bytes, prefix: 6)
                insert(field)
                fields.append(field)
            case 0x20...:
                limit = try Self.integer(&bytes, prefix: 5)
                guard limit <= 4096 else { throw Invalid() }
                evict()
            default:
                fields.append(try literal(&bytes, prefix: 4))
            }
        }
        return fields
    }

    private func field(at index: Int) throws -> Field {
        guard index > 0, index <= Self.fixed.count + table.count else { throw Invalid() }
        return index <= Self.fixed.count ? Self.fixed[index - 1] : table[index - Self.fixed.count - 1]
    }

    private func literal(_ bytes: inout ArraySlice<UInt8>, prefix: UInt8) throws -> Field {
        let index = try Self.integer(&bytes, prefix: prefix)
        let name = try index == 0 ? Self.string(&bytes) : field(at: index).name
        return (name, try Self.string(&bytes))
    }

    private mutating func insert(_ field: Field) {
        table.insert(field, at: 0)
        evict()
    }

    private mutating func evict() {
        while table.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count + 32 }) > limit { table.removeLast() }
    }

    /// Reads an integer whose first bits share a byte with something else (RFC 7541 §5.1).
    private static func integer(_ bytes: inout ArraySlice<UInt8>, prefix: UInt8) throws -> Int {
        guard let first = bytes.popFirst() else { throw Invalid() }
        let most = 1 << Int(prefix) - 1
        var value = Int(first) & most
        guard value == most else { return value }
        for shift in stride(from: 0, through: 21, by: 7) {
            guard let byte = bytes.popFirst() else { throw Invalid() }
            value += Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Invalid()
    }

    private static func string(_ bytes: inout ArraySlice<UInt8>) throws -> String {
        guard let first = bytes.first else { throw Invalid() }
        let count = try integer(&bytes, prefix: 7)
        guard count <= bytes.count else { throw Invalid() }
        let text = bytes.prefix(count)
        bytes = bytes.dropFirst(count)
        return String(decoding: first < 0x80 ? Array(text) : try HuffmanCode.decode(text), as: UTF8.self)
    }

    /// The static table (RFC 7541 Appendix A).
    private static let fixed: [Field] =
        [
            (":authority", ""), (":method", "GET"), (":method", "POST"), (":path", "/"), (":path", "/index.html"),
            (":scheme", "http"), (":scheme", "https"), (":status", "200"), (":status", "204"), (":status", "206"),
            (":status", "304"), (":status", "400"), (":status", "404"), (":status", "500"), ("accept-charset", ""),
            ("accept-encoding", "gzip, deflate"),
        ]
        + [
            "accept-language", "accept-ranges", "accept", "access-control-allow-origin", "age", "allow",
            "authorization", "cache-control", "content-disposition", "content-encoding", "content-language",
            "content-length", "content-location", "content-range", "content-type", "cookie", "date", "etag", "expect",
            "expires", "from", "host", "if-match", "if-modified-since", "if-none-match", "if-range",
            "if-unmodified-since", "last-modified", "link", "location", "max-forwards", "proxy-authenticate",
            "proxy-authorization", "range", "referer", "refresh", "retry-after", "server", "set-cookie",
            "strict-transport-security", "transfer-encoding", "user-agent", "vary", "via", "www-authenticate",
        ].map { ($0, "") }
}
