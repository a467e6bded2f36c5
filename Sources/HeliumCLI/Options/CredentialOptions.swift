import ArgumentParser
import Foundation
import HeliumKit

/// A secret and its id, from options, variables or a file.
struct CredentialOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The secret. Better: the variable HELIUM_SECRET or --secret-file.", valueName: "secret"))
    var secret: String?

    @Option(
        help: ArgumentHelp("A file or pipe that contains only the secret; - for standard input.", valueName: "file")
    )
    var secretFile: String?

    @Option(help: ArgumentHelp("The secret's public id. Default: the variable HELIUM_SECRET_ID.", valueName: "id"))
    var secretId: String?

    /// A secret and its id.
    typealias Identity = (secret: Secret, secretID: String)

    /// Whether one of the options was given.
    var hasOption: Bool { secret != nil || secretFile != nil || secretId != nil }

    /// Whether a secret was given by an option or a variable.
    var isGiven: Bool { secret != nil || secretFile != nil || CommandContext.current.variable("HELIUM_SECRET") != nil }

    /// Returns the secret and its id. Call it once, because the file may be a pipe.
    ///
    /// - Throws: `ValidationError` if one of them is missing; `CommandFailure` if the file cannot be read.
    func resolved() throws -> Identity {
        guard let id = secretId ?? Self.environment("HELIUM_SECRET_ID"), !id.isEmpty else {
            throw ValidationError("no secret id: give --secret-id or set HELIUM_SECRET_ID")
        }
        let secret = Secret(try resolvedSecret())
        Console.current.secrets.add(secret)
        return (secret, id)
    }

    /// Returns the secret and its id for the registration of a device.
    ///
    /// - Throws: `ValidationError` as ``resolved()``, and if the id does not have the form of a service's id.
    func resolvedForDevice() throws -> Identity {
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
            guard !secretFile.isEmpty else { throw ValidationError("--secret-file is empty: give the path of a file") }
            return try InputFile(path: secretFile).secret("secret file")
        }
        guard let secret = Self.environment("HELIUM_SECRET"), !secret.isEmpty else {
            throw ValidationError("no secret: set HELIUM_SECRET, or give --secret-file or --secret")
        }
        return secret
    }

    private static func environment(_ name: String) -> String? { CommandContext.current.environment[name] }
}
