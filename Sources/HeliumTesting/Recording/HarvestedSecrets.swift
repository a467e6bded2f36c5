import Foundation
import HTTPTypes
import HeliumCore

/// The secrets in the value of a credential field. A server may repeat them elsewhere.
enum HarvestedSecrets {
    /// The minimum length of a secret. Shorter values are not masked elsewhere, because that would garble the text.
    private static let shortest = 6

    static func from(_ field: HTTPField) -> [String] {
        // A challenge is masked in its field, but it contains words such as "Basic" that must not be masked elsewhere.
        guard SensitiveFields.contains(field.name), !field.name.canonicalName.hasSuffix("-authenticate") else {
            return []
        }
        var secrets = [field.value]
        switch field.name.canonicalName {
        case "cookie", "set-cookie":
            let pairs = field.value.utf8.split(separator: UInt8(ascii: ";"))
            for pair in field.name == .setCookie ? pairs.prefix(1) : pairs[...] {
                if let sign = pair.firstIndex(of: UInt8(ascii: "=")) {
                    let value = String(decoding: pair[sign...].dropFirst(), as: UTF8.self)
                    secrets.append(value.trimmingCharacters(in: .whitespaces))
                }
            }
        case "authorization", "proxy-authorization":
            let words = field.value.split(separator: " ", maxSplits: 1)
            guard words.count == 2 else { break }
            secrets.append(String(words[1]))
            if words[0].lowercased() == "basic", let data = Data(base64Encoded: String(words[1])) {
                let pair = String(decoding: data, as: UTF8.self)
                secrets += [pair] + pair.split(separator: ":", maxSplits: 1).dropFirst().map(String.init)
            }
        default: break
        }
        return secrets.filter { $0.utf8.count >= shortest }
    }
}
