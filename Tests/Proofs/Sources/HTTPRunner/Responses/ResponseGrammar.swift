@testable import TestSupport

/// A response as a peer sends it, with the method of its request.
struct SampleResponse {
    var isHead = false
    /// Whether the response was broken after it was made.
    var isDamaged = true
    var bytes: [UInt8]
}

/// Makes responses from a grammar (RFC 9112) and then breaks most of them.
struct ResponseGrammar {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func next() -> SampleResponse {
        let isHead = random.oneIn(12)
        var bytes: [UInt8] = []
        while random.oneIn(6), bytes.count < 1000 { append(interim(), to: &bytes) }
        append(response(), to: &bytes)
        var damage = random.oneIn(3) ? 0 : 1 + random.below(3)
        let isDamaged = damage > 0
        while damage > 0 {
            breakOnce(&bytes)
            damage -= 1
        }
        return SampleResponse(isHead: isHead, isDamaged: isDamaged, bytes: bytes)
    }

    private func append(_ text: String, to bytes: inout [UInt8]) { bytes += text.utf8 }
}

// MARK: Valid parts

extension ResponseGrammar {
    private mutating func interim() -> String {
        "HTTP/1.1 \(random.pick([100, 100, 102, 103, 103, 199])) \(reason())\r\n\(fields())\r\n"
    }

    private mutating func response() -> String {
        let version = random.oneIn(8) ? "HTTP/1.0" : "HTTP/1.1"
        let status = random.pick([200, 200, 200, 200, 201, 204, 206, 304, 301, 404, 417, 500, 503, 600, 999])
        let start = "\(version) \(status) \(reason())\r\n\(fields())"
        let content = text(upTo: random.oneIn(10) ? 3000 : 40)
        switch random.below(10) {
        case 0, 1: return start + fields() + "\r\n" + content
        case 2...5:
            return start + "\(name("Content-Length")):\(space())\(content.utf8.count)\(space())\r\n\(fields())\r\n"
                + content
        case 6: return start + "Content-Length: 0\r\n\r\n"
        default:
            let coding = random.pick(["chunked", "Chunked", "chunked", "chunked ", "\tchunked"])
            return start + "\(name("Transfer-Encoding")): \(coding)\r\n\(fields())\r\n" + chunks(content)
        }
    }

    private mutating func chunks(_ content: String) -> String {
        var rest = Array(content.utf8)[...]
        var result = ""
        while !rest.isEmpty {
            let count = 1 + random.below(rest.count)
            let zeros = random.oneIn(10) ? String(repeating: "0", count: random.below(20)) : ""
            let size = String(count, radix: 16, uppercase: random.oneIn(2))
            result +=
                zeros + size + chunkExtension() + "\r\n" + String(decoding: rest.prefix(count), as: UTF8.self) + "\r\n"
            rest = rest.dropFirst(count)
        }
        return result + "0" + chunkExtension() + "\r\n" + (random.oneIn(3) ? fields() : "") + "\r\n"
    }

    private mutating func chunkExtension() -> String {
        guard random.oneIn(8) else { return "" }
        return random.pick([";a", ";a=b", "; a=b", ";a=\"b c\"", " ;a", ";a=b;c=d", " ", "  "])
    }

    private mutating func fields() -> String {
        var result = ""
        for _ in 0..<random.below(4) {
            result += random.pick([
                "Server: x\r\n", "Date: Mon, 01 Jan 2024 00:00:00 GMT\r\n", "Connection: close\r\n",
                "Connection: keep-alive\r\n",
                "Keep-Alive: timeout=5\r\n", "X-A:\r\n", "X-A: b\r\n", "x-a:b\r\n", "X-Long: \(text(upTo: 60))\r\n",
                "X-Fold: a\r\n b\r\n", "Set-Cookie: a=b\r\n", "Vary: \t *\t\r\n", "X_!#$%&'*+.^`|~-1: v\r\n",
                "X-High: \u{FC}\r\n",
                "Content-Type: text/plain\r\n", "Trailer: X-A\r\n", "X-Quote: \"a, b\"\r\n", "ETag: W/\"1\"\r\n",
            ])
        }
        return result
    }

    private mutating func name(_ name: String) -> String {
        random.pick([name, name, name.lowercased(), name.uppercased()])
    }

    private mutating func space() -> String { random.pick([" ", " ", " ", "", "  ", "\t"]) }
    private mutating func reason() -> String { random.pick(["OK", "", "Not Found", "a b c", "\u{FC}"]) }

    private mutating func text(upTo count: Int) -> String {
        String(decoding: (0..<random.below(count + 1)).map { _ in UInt8(97 + random.below(26)) }, as: UTF8.self)
    }
}

// MARK: Damage

extension ResponseGrammar {
    private static let pieces = [
        "Content-Length: 5\r\n", "Content-Length: 0\r\n", "Content-Length: 3, 3\r\n", "Content-Length: 3, 4\r\n",
        "Content-Length: -1\r\n", "Content-Length: +5\r\n", "Content-Length: 0x5\r\n", "Content-Length: 5 5\r\n",
        "Content-Length:\r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length: 9223372036854775807\r\n",
        "Content-Length: 5;a\r\n",
        "Content-Length : 5\r\n", "Content-Length\r\n", "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: identity\r\n",
        "Transfer-Encoding: gzip\r\n", "Transfer-Encoding: chunked, chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding: chunked, identity\r\n", "Transfer-Encoding: xchunked\r\n",
        "Transfer-Encoding:\r\n chunked\r\n",
        "Transfer-Encoding : chunked\r\n", "Transfer-Encoding: \"chunked\"\r\n", "Connection: close\r\n",
        "Connection: upgrade\r\n",
        "Upgrade: h2c\r\n", " folded\r\n", "\tfolded\r\n", ": no name\r\n", "no colon\r\n", "X Y: space\r\n",
        "X-Nul: a\0b\r\n",
        "X-Return: a\rb\r\n", "X-Feed: a\nb\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 101 S\r\n\r\n",
        "\r\n", "\n", "\r", "\0", " ", "\r\n\r\n", "0\r\n\r\n", "5\r\nhello\r\n", "-1\r\n", "0x5\r\n", "5;\n",
        "fffffffffffffffff\r\n",
        "8000000000000000\r\n", "7fffffffffffffff\r\n", "\u{7F}", "\u{1}", "\u{FEFF}", "HTTP/2 200\r\n",
        "HTTP/0.9 200\r\n", "ICY 200 OK\r\n",
        "HTTP/1.2 200 OK\r\n", "HTTP/1.1  200 OK\r\n", "http/1.1 200 OK\r\n", "HTTP/1.1 20 OK\r\n",
        "HTTP/1.1 2000 OK\r\n",
    ]

    private mutating func breakOnce(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else { return }
        let place = random.below(bytes.count)
        switch random.below(12) {
        case 0: bytes.removeSubrange(place...)
        case 1: bytes[place] = UInt8(random.below(256))
        case 2: bytes[place] = random.pick(Array("\r\n\0\t :;,0159afxX-+".utf8))
        case 3: bytes.remove(at: place)
        case 4: bytes.insert(random.pick(Array("\r\n\0\t :;,0159afxX-+".utf8)), at: place)
        case 5: bytes.insert(contentsOf: random.pick(Self.pieces).utf8, at: place)
        case 6, 7, 8: bytes.insert(contentsOf: random.pick(Self.pieces).utf8, at: lineStart(in: bytes))
        case 9: joinLines(&bytes)
        case 10: bytes.replace([0x0D, 0x0A], with: [0x0A], maxReplacements: 1 + random.below(3))
        default:
            let end = min(bytes.count, place + 1 + random.below(30))
            bytes.insert(contentsOf: bytes[place..<end], at: lineStart(in: bytes))
        }
    }

    /// The index after a random line end, mostly in the header section.
    private mutating func lineStart(in bytes: [UInt8]) -> Int {
        let starts = bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
        return starts.isEmpty ? 0 : random.oneIn(4) ? random.pick(starts) : random.pick(Array(starts.prefix(4)))
    }

    private mutating func joinLines(_ bytes: inout [UInt8]) {
        let ends = bytes.indices.filter { bytes[$0] == 0x0D && $0 + 1 < bytes.count && bytes[$0 + 1] == 0x0A }
        guard !ends.isEmpty else { return }
        let end = random.pick(ends)
        bytes.removeSubrange(end...(end + 1))
    }
}
