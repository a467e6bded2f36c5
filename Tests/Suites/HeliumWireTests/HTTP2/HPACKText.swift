import HeliumWire
import Testing

/// Decodes the first header section that a session writes.
///
/// Another session decodes the fields, as those of a response. Their strings are Huffman-coded, and a table for that
/// would be longer than the rest. A response has no pseudo-header fields of a request, so these get other names.
enum HPACKText {
    static func decode(_ block: [UInt8]) throws -> [String] {
        // RFC 7541, Appendix A.
        let names = ["", ":authority", ":method", ":method", ":path", ":path", ":scheme", ":scheme"]
        let values = [2: "GET", 3: "POST", 4: "/", 5: "/index.html", 6: "http", 7: "https"]
        var rest = block[...]
        var fields: [UInt8] = [0x88]
        for _ in 0..<4 {
            let first = try #require(rest.first)
            rest = rest.dropFirst()
            let index = Int(first & (first & 0x80 != 0 ? 0x7F : first & 0x40 != 0 ? 0x3F : 0x0F))
            try #require(names.indices.contains(index))
            let name = names[index]
            if first & 0x80 != 0 {
                let value = try #require(values[index])
                fields += HTTP2Frame.block([("pseudo-" + name.dropFirst(), value)])
            } else {
                let count = Int(try #require(rest.first) & 0x7F) + 1
                fields += HTTP2Frame.block([("pseudo-" + name.dropFirst(), "")]).dropLast() + rest.prefix(count)
                rest = rest.dropFirst(count)
            }
        }
        let wire = try HTTP2Wire()
        let probe = HTTP2Probe()
        _ = try wire.request(probe)
        fields += rest
        var frame = HTTP2Frame(type: 1, stream: 1, payload: Array(fields.prefix(16_384)))
        var isWhole = fields.count <= 16_384
        frame.flags = isWhole ? 4 : 0
        try #require(wire.send(frame) == nil)
        for start in stride(from: 16_384, to: fields.count, by: 16_384) {
            isWhole = start + 16_384 >= fields.count
            let piece = Array(fields.dropFirst(start).prefix(16_384))
            try #require(wire.send(.continuation(piece, on: 1, isWhole: isWhole)) == nil)
        }
        try #require(probe.events.last == "head")
        let lines = probe.head.section.split(separator: 10).map { String(decoding: $0.dropLast(), as: UTF8.self) }
        return lines.map { $0.hasPrefix("pseudo-") ? ":" + $0.dropFirst(7) : $0 }
    }
}
