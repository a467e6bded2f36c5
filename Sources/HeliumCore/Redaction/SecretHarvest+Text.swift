internal import HeliumEssentials

extension SecretHarvest {
    /// The number of bytes before a sign that are examined for a name, and after a name for its value.
    private static let nameBytes = 64

    /// Adds the secrets in text of any format: `name=value` of queries, forms and attributes, the elements of XML, the
    /// parts of multipart forms, and the user information of URLs.
    ///
    /// No byte is examined more than a fixed number of times, whatever the text is.
    mutating func readText(_ bytes: [UInt8]) {
        readDecodedText(bytes)
        // A parameter can be a URL with parameters, and so on.
        var bytes = bytes
        for _ in 0..<2 {
            guard let decoded = Self.percentDecoded(bytes) else { return }
            readDecodedText(decoded)
            bytes = decoded
        }
    }

    /// Returns the text of a URL in a parameter, with valid escapes decoded; `nil` if there is no escaped `=`.
    private static func percentDecoded(_ bytes: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var hasSign = false
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let high = PercentEncoding.digit(bytes[index + 1]), let low = PercentEncoding.digit(bytes[index + 2])
            {
                out.append(high << 4 | low)
                // An escaped percent sign may introduce one at the next level.
                if out.last == UInt8(ascii: "=") || out.last == UInt8(ascii: "%") { hasSign = true }
                index += 3
            } else {
                out.append(bytes[index])
                index += 1
            }
        }
        return hasSign ? out : nil
    }

    private mutating func readDecodedText(_ bytes: [UInt8]) {
        var index = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "="): index = readPair(bytes, at: index)
            case UInt8(ascii: "<"): index = readElement(bytes, at: index)
            case UInt8(ascii: ":"):
                readUserInformation(bytes, at: index)
                index += 1
            default: index += 1
            }
        }
    }

    private static func isName(_ byte: UInt8) -> Bool {
        48..<58 ~= byte || 97..<123 ~= byte | 32 || "-_.%[]".utf8.contains(byte)
    }

    private static func endsValue(_ byte: UInt8) -> Bool { byte <= 0x20 || "&\"'<>;,#`)}\\".utf8.contains(byte) }

    /// Reads the pair whose `=` is at `sign`, and returns the index from which to continue.
    private mutating func readPair(_ bytes: [UInt8], at sign: Int) -> Int {
        var start = sign
        while start > 0, sign - start < Self.nameBytes, Self.isName(bytes[start - 1]) { start -= 1 }
        guard start < sign else { return sign + 1 }
        let text = String(decoding: bytes[start..<sign], as: UTF8.self)
        let name = PercentEncoding.decoded(text) ?? text
        var value = sign + 1
        let quote = value < bytes.count && "\"'".utf8.contains(bytes[value]) ? bytes[value] : nil
        if quote != nil { value += 1 }
        // The name of a form's field is itself a value: `name="password"`.
        let isFieldName = quote != nil && name.lowercased().hasSameBytes(as: "name")
        let isParameter = start == 0 || "?&#".utf8.contains(bytes[start - 1])
        guard isFieldName || (isParameter ? isChosen(parameter: name) : isChosen(name)) else { return sign + 1 }
        let last =
            bytes[value...].firstIndex { byte in
                quote.map { byte == $0 || byte == 0x0A } ?? Self.endsValue(byte)
            } ?? bytes.count
        guard isFieldName else {
            if Self.isWord(bytes[value..<last]) {
                // Masked with its name only, because the word itself is a part of other texts.
                if last - value >= Self.shortestSecret { take(bytes[start..<last]) }
                return last
            }
            take(bytes[value..<last])
            // The dot may end a sentence.
            if last > value, bytes[last - 1] == UInt8(ascii: ".") { take(bytes[value..<(last - 1)]) }
            return last
        }
        guard isChosen(String(decoding: bytes[value..<last].prefix(Self.nameBytes), as: UTF8.self)) else { return last }
        return readField(bytes, from: last)
    }

    /// Reads the value of a form's field after its name: the content of a part, or the attribute `value`.
    private mutating func readField(_ bytes: [UInt8], from start: Int) -> Int {
        let near = bytes[start..<min(bytes.count, start + 256)]
        if let blank = near.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound {
            // The content ends before the next delimiter (RFC 2046 §5.1.1).
            let end = bytes[blank...].firstRange(of: Array("\r\n--".utf8))?.lowerBound ?? bytes.count
            take(bytes[blank..<end])
            return end
        }
        let tag = near.prefix { $0 != UInt8(ascii: ">") }
        if let value = tag.firstRange(of: Array("value=\"".utf8))?.upperBound {
            let end = bytes[value...].firstIndex(of: UInt8(ascii: "\"")) ?? bytes.count
            take(bytes[value..<end])
            return end
        }
        return start
    }

    /// Reads the element whose `<` is at `start`, and returns the index from which to continue.
    private mutating func readElement(_ bytes: [UInt8], at start: Int) -> Int {
        let name = bytes[(start + 1)...].prefix(Self.nameBytes).prefix { Self.isName($0) || $0 == UInt8(ascii: ":") }
        let local = name.split(separator: UInt8(ascii: ":")).last ?? []
        guard !local.isEmpty, isChosen(String(decoding: local, as: UTF8.self)) else { return start + 1 }
        // The attributes are read next. No other element begins in a tag, so no byte is examined for two of them.
        let open = bytes[name.endIndex...].firstIndex { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "<") }
        guard let open, bytes[open] == UInt8(ascii: ">") else { return name.endIndex }
        let end = bytes[open...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
        let text = String(decoding: bytes[(open + 1)..<end], as: UTF8.self)
        take(
            text.replacingBytes(of: "&lt;", with: "<").replacingBytes(of: "&gt;", with: ">")
                .replacingBytes(of: "&quot;", with: "\"").replacingBytes(of: "&amp;", with: "&").utf8
        )
        return name.endIndex
    }

    /// Reads the password, or the token, before the `@` of a URL whose `:` is at `colon`.
    private mutating func readUserInformation(_ bytes: [UInt8], at colon: Int) {
        guard bytes[colon...].starts(with: "://".utf8) else { return }
        let authority = bytes[(colon + 3)...].prefix(256).prefix { $0 > 0x20 && !"/?#\"'<>\\".utf8.contains($0) }
        guard let at = authority.lastIndex(of: UInt8(ascii: "@")) else { return }
        let user = authority[..<at]
        if let sign = user.firstIndex(of: UInt8(ascii: ":")) {
            take(user[(sign + 1)...])
        } else if Self.isLikeToken(user, atLeast: 8) {
            take(user)
        }
    }
}
