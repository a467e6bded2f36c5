import Foundation
import HTTPTypes

@testable import HeliumCore
@testable import TestSupport

/// Makes requests whose parts each use what the grammar allows (RFC 9110, RFC 9112), as far as a server accepts them.
struct RequestGrammar {
    /// The forms that a server accepts beyond the common ones.
    struct Rules {
        /// Whether methods may be any token. Node's parser has a list, and so has SwiftNIO's, which is the same.
        var allowsAnyMethod = false
        /// Whether targets may have characters that URIs do not (RFC 3986), which some send.
        var allowsOddTargets = false
        /// Whether values may have tabs and bytes above 127.
        var allowsOddValues = true
    }

    private var random: SeededRandom
    private let rules: Rules

    init(seed: UInt64, rules: Rules) {
        random = SeededRandom(seed: seed)
        self.rules = rules
    }

    mutating func next(to server: Server, number: Int) throws -> SampleRequest {
        let base = try RequestURL(server.url + "/")
        let method = method()
        var request = TransportRequest(
            method: method,
            url: RequestURL(origin: base.origin, target: target(number)),
            fields: fields(),
            version: server.version
        )
        var body: Data?
        if random.oneIn(2) || [.post, .put, .patch].contains(method) {
            let content = content()
            body = content
            if random.oneIn(3) {
                let length = random.oneIn(2) ? Int64(content.count) : nil
                request.upload = UploadBody(length: length, isReplayable: true) { Pieces(content) }
            } else {
                request.body = content
            }
            if !content.isEmpty, random.oneIn(10), let expect = HTTPField.Name("Expect") {
                request.fields[expect] = "100-continue"
            }
        }
        return SampleRequest(request: request, body: body ?? Data())
    }
}

extension RequestGrammar {
    private mutating func method() -> HTTPRequest.Method {
        let known = [
            "GET", "GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "PROPFIND", "REPORT", "MKCOL", "SEARCH", "LOCK",
        ]
        guard rules.allowsAnyMethod, random.oneIn(3) else { return HTTPRequest.Method(random.pick(known)) ?? .get }
        let token = text(1...20, of: "ABCXYZ")
        return HTTPRequest.Method(token) ?? .get
    }

    private mutating func target(_ number: Int) -> String {
        let plain = "abcXYZ019-._~!$&'()*+,;=:@"
        let odd = rules.allowsOddTargets ? "\"<>[]\\^`{|}" : ""
        var target = "/\(number)"
        for _ in 0..<random.below(5) { target += "/" + segment(of: plain + odd) }
        if random.oneIn(2) { target += "?" + segment(of: plain + odd + "/?") }
        if random.oneIn(30) { target += "?" + text(1000...6000, of: plain) }
        return target
    }

    private mutating func segment(of characters: String) -> String {
        var segment = text(0...12, of: characters)
        if random.oneIn(4) { segment += random.pick(["%20", "%2F", "%41", "%c3%bc", "%7e", "%25"]) }
        // Servers resolve these, or reject those that lead out of the root.
        return segment == "." || segment == ".." ? "x" : segment
    }

    private mutating func fields() -> HTTPFields {
        var fields = HTTPFields()
        var names: [HTTPField.Name] = []
        for _ in 0..<random.below(random.oneIn(10) ? 40 : 6) {
            let name: HTTPField.Name
            if let old = names.last, random.oneIn(5) {
                name = old
            } else {
                name = HTTPField.Name("X-" + text(1...12, of: "abcXYZ019-_!#$%&'*+.^`|~")) ?? .accept
                names.append(name)
            }
            fields.append(HTTPField(name: name, value: value()))
        }
        if random.oneIn(3) { fields[.accept] = "*/*" }
        if random.oneIn(3) { fields[.cookie] = "a=b; c=d" }
        if random.oneIn(3) { fields[.userAgent] = "proof/1 (\(text(0...30, of: "abc ()")))x" }
        return fields
    }

    private mutating func value() -> [UInt8] {
        var bytes = (0..<random.below(random.oneIn(20) ? 3000 : 30)).map { _ -> UInt8 in
            guard rules.allowsOddValues, random.oneIn(8) else { return UInt8(0x20 + random.below(0x5F)) }
            return random.oneIn(4) ? 0x09 : UInt8(0x80 + random.below(0x80))
        }
        // White space around a value is no part of it.
        while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        return bytes
    }

    private mutating func content() -> Data {
        let isLarge = random.oneIn(10)
        let most = isLarge ? random.oneIn(100) ? 20 << 20 : 400_000 : 500
        let count = !isLarge && random.oneIn(6) ? 0 : random.below(most)
        let seed = UInt8(random.below(256))
        return Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) ^ seed })
    }

    private mutating func text(_ counts: ClosedRange<Int>, of characters: String) -> String {
        let characters = Array(characters.utf8)
        let count = counts.lowerBound + random.below(counts.count)
        return String(decoding: (0..<count).map { _ in random.pick(characters) }, as: UTF8.self)
    }
}
