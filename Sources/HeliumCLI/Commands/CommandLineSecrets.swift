/// The values on the command line that may be secret. Usage errors quote values, and must not quote these.
struct CommandLineSecrets {
    private static let options: Set<String> = [
        "--header", "-H", "--param", "--replace", "--form", "--form-string", "--multipart", "--json", "--secret",
        "--key",
        "--token", "--client-secret", "--password", "--bearer", "--idempotency-key",
    ]

    private let values: [String]

    /// Returns whether the value of an option may be secret.
    static func isSecret(_ option: String) -> Bool { options.contains(option) }

    /// Collects the values of options that may be secret, including all words that follow an option. For example,
    /// `--header Authorization: Bearer abc` without quotation marks consists of three words.
    init(_ arguments: [String]) {
        var values: [String] = []
        var isSecret = false
        for argument in arguments {
            if argument.hasPrefix("-"), argument.utf8.count > 1 {
                let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                isSecret = Self.options.contains(String(parts[0]))
                if parts.count == 2, isSecret { values.append(String(parts[1])) }
            } else if isSecret, !argument.isEmpty {
                values.append(argument)
            }
        }
        self.values = values
    }

    /// Returns a message in which quoted secret values are masked.
    func masked(_ message: String) -> String {
        values.reduce(message) { $0.replacing("'\($1)'", with: "[redacted]") }
    }
}
