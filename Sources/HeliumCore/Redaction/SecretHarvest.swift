package import HTTPTypes
package import HeliumEssentials

/// Collects the values of secret fields, parameters and members, so that their copies elsewhere can be masked.
///
/// It reads text in any format, and each part in linear time: the pairs of queries, forms and attributes, the members
/// of JSON, the elements of XML, the parts of multipart forms, the passwords of URLs, and path segments after a name
/// such as `keys`.
package struct SecretHarvest {
    /// The minimum length of a secret in bytes. Copies of shorter values are not masked, because that would garble the
    /// text.
    package static let shortestSecret = 6

    /// Values that are the names of things. Masking their copies would garble the text.
    private static let words: Set<ByteText> = [
        "access_token", "basic", "bearer", "client_secret", "digest", "id_token", "password", "refresh_token", "secret",
        "signature", "string",
    ]

    /// The ends of names whose values describe a secret, without hyphens and underscores.
    private static let describingEnds = [
        "type", "endpoint", "url", "uri", "expires", "expiresin", "expiresat", "expiry", "algorithm", "method", "count",
    ]

    /// The secrets found so far.
    package private(set) var secrets: Set<ByteText> = []

    private let scrubber: SecretScrubber

    /// Creates a collection for the names that `scrubber` masks.
    package init(_ scrubber: SecretScrubber) { self.scrubber = scrubber }
}

extension SecretHarvest: CustomReflectable {
    /// No children, so that the secrets do not appear in reflections.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

// MARK: Values

extension SecretHarvest {
    /// Adds a secret value, also as decoded from a query or form.
    mutating func take(_ value: some Collection<UInt8>) {
        guard value.count >= Self.shortestSecret else { return }
        let text = trimmed(String(decoding: value, as: UTF8.self))
        let spaced = text.replacingBytes(of: "+", with: " ")
        for form in [text, PercentEncoding.decoded(text), PercentEncoding.decoded(spaced)] {
            guard let form, form.utf8.count >= Self.shortestSecret, !Self.words.contains(ByteText(form.lowercased()))
            else { continue }
            secrets.insert(ByteText(form))
        }
    }

    private func trimmed(_ text: String) -> String {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || 0x09...0x0D ~= $0 }
        var bytes = text.utf8[...]
        while let first = bytes.first, isSpace(first) { bytes.removeFirst() }
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns whether a value is short and only has letters, as the words of other texts do.
    package static func isWord(_ value: some Collection<UInt8>) -> Bool {
        value.count < 20 && value.allSatisfy { 97..<123 ~= $0 | 32 || $0 >= 0x80 || "-_.".utf8.contains($0) }
    }

    /// Returns whether a value has the form of a random token, and not of a word.
    package static func isLikeToken(_ value: some Collection<UInt8>, atLeast length: Int) -> Bool {
        value.count >= length && value.contains { 48..<58 ~= $0 }
            && value.allSatisfy { byte in
                48..<58 ~= byte || 97..<123 ~= byte | 32 || "-_.~+/=%:".utf8.contains(byte)
            }
    }

    /// Returns whether the value of a member or element with this name is a secret.
    func isChosen(_ name: String) -> Bool {
        guard scrubber.isSensitive(member: name) else { return false }
        let plain = String(name.lowercased().unicodeScalars.filter { $0 != "-" && $0 != "_" })
        return !Self.describingEnds.contains { plain.hasByteSuffix($0) }
    }

    /// Returns whether the value of a query parameter with this name is a secret.
    func isChosen(parameter name: String) -> Bool {
        isChosen(name) || scrubber.isSensitive(parameter: name) && !SecretScrubber.isSensitive(name)
    }
}

// MARK: Parts of a message

extension SecretHarvest {
    /// Adds the secrets of a header field.
    package mutating func read(_ field: HTTPField) {
        let bytes = field.withUnsafeBytesOfValue { Array($0) }
        if ShownField.isURL(field.name) {
            read(target: String(decoding: bytes, as: UTF8.self))
        } else {
            readText(bytes)
        }
        // A challenge is masked in its field, but it contains words such as "Basic" that must not be masked elsewhere.
        guard scrubber.isSensitive(field.name), !field.name.canonicalName.hasByteSuffix("-authenticate") else { return }
        take(bytes)
        switch field.name.canonicalName {
        case "cookie", "set-cookie":
            let pairs = bytes.split(separator: UInt8(ascii: ";"))
            for pair in field.name == .setCookie ? pairs.prefix(1) : pairs[...] {
                guard let sign = pair.firstIndex(of: UInt8(ascii: "=")) else { continue }
                let value = pair[(sign + 1)...].filter { $0 != UInt8(ascii: "\"") }
                // Most cookies are settings. The field is masked in any case.
                if !Self.isWord(value) { take(value) }
            }
        default: readCredentials(bytes)
        }
    }

    /// Adds the credentials after a scheme: `Bearer token`, `Basic Base64`.
    private mutating func readCredentials(_ bytes: [UInt8]) {
        let words = bytes.split(separator: UInt8(ascii: " "), maxSplits: 1)
        guard words.count == 2 else { return }
        take(words[1])
        guard String(decoding: words[0], as: UTF8.self).lowercased().hasSameBytes(as: "basic"),
            let pair = Data(base64Encoded: String(decoding: words[1], as: UTF8.self))
        else { return }
        take(pair)
        if let colon = pair.firstIndex(of: UInt8(ascii: ":")) { take(pair[(colon + 1)...]) }
    }

    /// Adds the secrets of a URL or request target: of its query, fragment, user information and path.
    package mutating func read(target: String) {
        readText(Array(target.utf8))
        for secret in SecretPath.secrets(in: target, chosenBy: self) {
            take(secret.utf8)
            // Copies elsewhere have no extension, such as `.json`, and no parameters.
            let key = secret.utf8.prefix { !".,; ".utf8.contains($0) }
            if Self.isLikeToken(key, atLeast: Self.shortestSecret) { take(key) }
        }
    }

    /// Adds the secrets of a body.
    package mutating func read(body: Data) { readBody(Array(body), depth: 0) }

    /// Adds the secrets of a sentence, such as an error's message.
    package mutating func read(text: String) { readText(Array(text.utf8)) }

    private mutating func readBody(_ bytes: [UInt8], depth: Int) {
        readText(bytes)
        // A string can contain a document, with its own escapes.
        var (values, texts): ([ArraySlice<UInt8>], [ArraySlice<UInt8>]) = ([], [])
        JSONMembers.visit(bytes, where: isChosen(_:), member: { values.append($0) }, text: { texts.append($0) })
        for value in values { readValue(value) }
        // Cosm's keys. Most members of this name have no secret, and their objects are read above.
        var keys: [ArraySlice<UInt8>] = []
        JSONMembers.visit(
            bytes,
            stringsOnly: true,
            where: { $0.hasSameBytes(as: "key") },
            member: { keys.append($0) },
            text: { _ in }
        )
        for key in keys {
            let text = JSONMembers.text(of: key)
            if Self.isLikeToken(text.utf8, atLeast: 16) { take(text.utf8) }
        }
        guard depth < 3 else { return }
        for text in texts { readBody(Array(JSONMembers.text(of: text).utf8), depth: depth + 1) }
    }

    /// Adds the string of a secret member, or the tokens in its object or array.
    private mutating func readValue(_ value: ArraySlice<UInt8>) {
        if value.first == UInt8(ascii: "\"") {
            take(JSONMembers.text(of: value).utf8)
            return
        }
        guard value.first == UInt8(ascii: "{") || value.first == UInt8(ascii: "[") else { return }
        var strings: [JSONMembers.NestedString] = []
        JSONMembers.visitStrings(Array(value)) { strings.append($0) }
        for string in strings {
            let text = JSONMembers.text(of: string.token)
            // The object may describe the secret, as App.net's token does: with the user's name, URLs and dates, whose
            // copies are the content of other responses.
            guard Self.isLikeToken(text.utf8, atLeast: 8), !text.utf8.contains(UInt8(ascii: ":")) else { continue }
            let isNamed = string.name.map { isChosen(JSONMembers.text(of: $0)) } ?? false
            if string.depth <= 1 || isNamed || text.utf8.count >= Self.longToken { take(text.utf8) }
        }
    }

    /// The length from which a string deep in the object of a secret is a secret by its form alone. It is longer than
    /// names of users.
    private static let longToken = 24
}
