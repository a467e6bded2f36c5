internal import HTTPTypes

/// What a 401 says about the token (RFC 6750 section 3).
enum BearerChallenge {
    /// Whether another token may help: so says a challenge with `error="invalid_token"`, and so do all 401s that name no
    /// error. A `Bearer` challenge with another error blames the request.
    static func blamesToken(_ head: ResponseHead) -> Bool {
        let errors = head.fields[values: .wwwAuthenticate].compactMap(error(in:))
        return errors.isEmpty || errors.contains("invalid_token")
    }

    /// The value of `error` in a field with a `Bearer` challenge; `nil` if there is none.
    static func error(in field: String) -> String? {
        let text = field.lowercased()
        guard let scheme = text.firstRange(ofWord: "bearer") else { return nil }
        var rest = text[scheme.upperBound...]
        while let name = rest.firstRange(ofWord: "error") {
            rest = rest[name.upperBound...].drop { $0 == " " || $0 == "\t" }
            guard rest.first == "=" else { continue }
            let value = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            if value.first == "\"" { return String(value.dropFirst().prefix { $0 != "\"" }) }
            return String(value.prefix { $0 != "," && $0 != " " })
        }
        return nil
    }
}

extension StringProtocol {
    /// Where `word` stands with no letter, digit, `_` or `-` beside it.
    fileprivate func firstRange(ofWord word: String) -> Range<Index>? {
        func isPart(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "_" || character == "-"
        }
        var start = startIndex
        while start < endIndex {
            let rest = self[start...]
            let isStart = start == startIndex || !isPart(self[index(before: start)])
            if isStart, rest.hasPrefix(word) {
                let end = index(start, offsetBy: word.count)
                if end == endIndex || !isPart(self[end]) { return start..<end }
            }
            formIndex(after: &start)
        }
        return nil
    }
}
