import ArgumentParser

/// Checks a credential from the command line, a variable or a file.
enum CredentialText {
    /// Returns the credential if it is valid in a header field.
    ///
    /// - Parameters:
    ///   - text: The credential.
    ///   - source: The name of the option, variable or file, for the error message. The message does not contain the
    ///     credential.
    /// - Throws: `ValidationError` if the credential is empty or not printable ASCII.
    static func checked(_ text: String, from source: String) throws -> String {
        guard !text.isEmpty, text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw ValidationError("\(source) is invalid: it is empty or not printable ASCII")
        }
        return text
    }
}
