import ArgumentParser

/// A credential on the command line, in a variable or in a file.
enum CredentialText {
    /// The credential, if a header field can carry it.
    ///
    /// - Parameters:
    ///   - text: The credential.
    ///   - source: The option, variable or file it comes from: the error names it, and shows nothing of the credential.
    /// - Throws: `ValidationError`.
    static func checked(_ text: String, from source: String) throws -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw ValidationError("\(source) can't be used: it is empty or not printable ASCII")
        }
        return text
    }
}
