/// The value of a `key` header, split by position only (Docs/Protocols/Middleware.md §1.1).
package enum PresentedKey: Sendable {
    /// Exactly 32 characters: a static access key (Docs/Protocols/Middleware.md §1.7).
    case staticKey(String)
    /// Any other value, whose parts may be too short.
    case signed(Parts)

    package struct Parts: Sendable {
        package let deviceID: String
        package let secretID: String
        package let timestamp: String
        package let signature: String
    }

    package init(_ value: String) {
        let characters = Array(value.utf16)
        if characters.count == 32 {
            self = .staticKey(value)
            return
        }
        func part(_ from: Int, _ to: Int) -> String {
            String(decoding: characters[min(from, characters.count)..<min(to, characters.count)], as: UTF16.self)
        }
        self = .signed(
            Parts(
                deviceID: part(0, 32),
                secretID: part(32, 64),
                timestamp: part(64, 74),
                signature: part(74, characters.count)
            )
        )
    }
}
