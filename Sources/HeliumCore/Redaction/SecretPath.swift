internal import HeliumEssentials

/// The secrets in paths: segments that follow a name such as `keys`, as in Cosm's `/v2/keys/{key}`.
package enum SecretPath {
    private static let mask = "***"
    private static let standard = SecretHarvest(SecretScrubber())

    /// Returns the beginning of a URL or request target with the secrets in its path masked. The query and the fragment
    /// are not changed.
    package static func masking(_ target: String) -> String {
        let secrets = self.secrets(in: target)
        guard !secrets.isEmpty else { return target }
        var (text, start) = ("", target.startIndex)
        for secret in secrets {
            text += target[start..<secret.startIndex] + mask
            start = secret.endIndex
        }
        return text + target[start...]
    }

    /// Returns the segments of the path of a URL or request target that are secrets, in their order.
    ///
    /// A segment is a secret if it has the form of a token and follows a segment whose name indicates a secret. Words
    /// are no secrets: `/oauth/token/refresh` has none.
    static func secrets(in target: String, chosenBy harvest: SecretHarvest? = nil) -> [Substring] {
        // A list in the field `Link` has several URLs. Each ends with ">", which no URL contains. Parameters precede the
        // next one, such as `anchor="#top"`, whose "#" does not end it.
        target.utf8.split(separator: UInt8(ascii: ">")).flatMap { part in
            let url =
                part.startIndex == target.startIndex ? nil : part.firstIndex(of: UInt8(ascii: "<")).map { part[$0...] }
            return secrets(inURL: Substring(url ?? part), harvest ?? standard)
        }
    }

    private static func secrets(inURL target: Substring, _ harvest: SecretHarvest) -> [Substring] {
        let end = target.utf8.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? target.endIndex
        var found: [Substring] = []
        var last: Substring.UTF8View?
        for segment in target[..<end].utf8.split(separator: UInt8(ascii: "/")) {
            defer { last = segment }
            // More may follow the token: parameters, another token after a comma, or text after a URL in a field.
            let part = segment.prefix { !"<\" ,;".utf8.contains($0) }
            guard let name = last, isToken(part) || isToken(segment), isName(name, harvest) else { continue }
            found.append(Substring(segment))
        }
        return found
    }

    private static func isToken(_ segment: Substring.UTF8View) -> Bool {
        segment.count >= 20 || SecretHarvest.isLikeToken(segment, atLeast: SecretHarvest.shortestSecret)
    }

    /// Returns whether the segment after this one may be a secret. An extension does not matter: `keys.json`.
    private static func isName(_ segment: Substring.UTF8View, _ harvest: SecretHarvest) -> Bool {
        let name = String(Substring(segment.prefix { $0 != UInt8(ascii: ".") })).lowercased()
        return ["key", "keys", "session", "sessions"].contains { name.hasSameBytes(as: $0) }
            || harvest.isChosen(name)
    }
}
