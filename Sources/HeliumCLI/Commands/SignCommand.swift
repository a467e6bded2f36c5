import ArgumentParser
import Foundation
import HeliumKit

/// The `helium sign` command: prints the `key` header of one request.
struct SignCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Print the value of the key header for a request."
    )

    @OptionGroup var credentials: CredentialOptions

    @Option(help: "The device id that registration issued.")
    var deviceId: String

    @Option(help: "Unix time in seconds. Default: now.")
    var timestamp: Int64?

    @Option(name: .shortAndLong, help: "The method.")
    var method: String = "GET"

    @Option(help: "The request's URL, percent-encoded as it is sent.")
    var url: String

    @Option(help: "The Host header, if it differs from the URL.")
    var host: String?

    @Option(help: "The request target, if it differs from the URL.")
    var target: String?

    @Option(help: "The Content-Type; a body is signed only if it is application/json.")
    var contentType: String?

    @Option(help: ArgumentHelp("A file with the body; - for standard input.", valueName: "file"))
    var bodyFile: String?

    func validate() throws {
        if let timestamp, timestamp < 0 { throw ValidationError("the time stamp is before 1970") }
        if method.isEmpty { throw ValidationError("the method is empty") }
        try FilePath.checkOneInput(
            ("--secret-file", credentials.secretFile == "-"),
            ("--body-file", bodyFile == "-")
        )
    }

    func run() throws {
        let (secret, secretID) = try credentials.resolved()
        let parsed: RequestURL
        do {
            parsed = try RequestURL(url)
        } catch {
            throw ValidationError("--url: \(error)")
        }
        let input = SignatureInput(
            method: method,
            scheme: parsed.origin.scheme,
            host: host ?? parsed.origin.hostHeader,
            target: target ?? parsed.target,
            contentType: contentType
        )
        let body = try bodyFile.map { path in
            do { return try InputFile(path: path).contents() } catch let failure as CommandFailure {
                throw CommandFailure("--body-file: \(failure)")
            }
        }
        let now = CommandContext.current.clock.wallTime.components.seconds
        let signer = RequestSigner(deviceID: deviceId, secret: secret, secretID: secretID)
        try Console.current.print("\(signer.key(for: input, body: body, at: timestamp ?? now))")
    }
}
