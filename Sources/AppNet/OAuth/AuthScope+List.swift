extension AuthScope {
    /// The scopes of a list, by commas or blanks (§1.2, §1.3).
    static func list(_ text: String) -> [AuthScope] {
        text.unicodeScalars.split { $0 == "," || $0.properties.isWhitespace }.map { AuthScope(rawValue: String($0)) }
    }

    /// The scope that this one is a part of: of pnut.io's `messages:io.pnut.core.pm` it is `messages` (§6.1).
    var general: AuthScope { AuthScope(rawValue: String(rawValue.unicodeScalars.prefix { $0 != ":" })) }
}
