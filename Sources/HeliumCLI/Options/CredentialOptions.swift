import ArgumentParser
import Foundation
import HeliumKit

/// A secret and its id, from options, variables or a file.
struct CredentialOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The secret. Better: the variable HELIUM_SECRET or --secret-file.", valueName: "secret"))
    var secret: String?

    @Option(help: ArgumentHelp("A file that contains only the secret; - for standard input.", valueName: "file"))
    var secretFile: String?

    @Option(help: ArgumentHelp("The secret's public id. Default: the variable HELIUM_SECRET_ID.", valueName: "id"))
    var secretId: String?

    /// Whether a secret was given by an option or a variable.
    var isGiven: Bool { secret != nil || secretFile != nil || Self.environment("HELIUM_SECRET") != nil }

    /// Returns the secret and its id.
    ///
    /// - Throws: `ValidationError` if one of them is missing or the file cannot be read.
    func resolved() throws -> (secret: Secret, secretID: String) {
        guard let id = secretId ?? Self.environment("HELIUM_SECRET_ID"), !id.isEmpty else {
            throw ValidationError("no secret id: give --secret-id or set HELIUM_SECRET_ID")
        }
        return (Secret(try resolvedSecret()), id)
    }

    /// Returns the secret and its id for the registration of a device.
    ///
    /// - Throws: `ValidationError` as ``resolved()``, and if the id does not have the form of a service's id.
    func resolvedForDevice() throws -> (secret: Secret, secretID: String) {
        let (secret, id) = try resolved()
        // The id has 128 bits in hexadecimal digits (Docs/Protocols/Middleware.md §1.2).
        guard id.utf8.count == 32, id.utf8.allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }) else {
            let source = secretId == nil ? "HELIUM_SECRET_ID" : "--secret-id"
            throw ValidationError("invalid \(source): it must be 32 lower-case hexadecimal digits")
        }
        return (secret, id)
    }

    private func resolvedSecret() throws -> String {
        if secret != nil, secretFile != nil { throw ValidationError("give --secret or --secret-file, not both") }
        if let secret, !secret.isEmpty { return secret }
        if let secretFile {
            guard let secret = InputFile(path: secretFile).trimmedText() else {
                throw ValidationError("the secret file \(secretFile) can't be read")
            }
            guard !secret.isEmpty else { throw ValidationError("the secret file \(secretFile) is empty") }
            return secret
        }
        guard let secret = Self.environment("HELIUM_SECRET"), !secret.isEmpty else {
            throw ValidationError("no secret: set HELIUM_SECRET, or give --secret-file or --secret")
        }
        return secret
    }

    private static func environment(_ name: String) -> String? { CommandContext.current.environment[name] }
}
