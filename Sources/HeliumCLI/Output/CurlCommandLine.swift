import Foundation
import HeliumKit

/// The `curl` command that is equivalent to a request, including its files.
struct CurlCommandLine {
    /// The call; without its body if that is a form.
    let call: RequestBuilder<Data>
    let body: BodyOptions
    let transfer: TransferOptions
    let isShowingSecrets: Bool

    /// Returns the command, and whether it contains the credential. A signature requires a device that is already
    /// registered.
    func text() async throws -> (text: String, isAuthorized: Bool) {
        var call = call
        if transfer.output != nil {
            // Downloads use HTTP/1.1 too.
            if !transfer.http2 { call = call.httpVersion(.http1) }
        }
        do {
            return (completed(try await command(call, authorized: true)), true)
        } catch let error as HeliumError where error.kind == .registrationFailed {
            return (completed(try await command(call, authorized: false)), false)
        }
    }

    private func command(_ call: RequestBuilder<Data>, authorized: Bool) async throws -> String {
        try await call.curlCommand(
            showingSecrets: isShowingSecrets,
            authorized: authorized,
            leavesOutBody: body.isMultipart
        )
    }

    private func completed(_ command: String) -> String {
        var words = [command]
        if body.isMultipart {
            words += ["--header 'Expect:'"] + body.multipart.map(option)
            words += body.formString.map { textOption($0.name, $0.value) }
        }
        if let output = transfer.output { words.append("--output \(ShellWord.quoted(output))") }
        if transfer.resume { words.append("--continue-at -") }
        if let upload = body.upload, upload != "-" { words.append("< \(ShellWord.quoted(upload))") }
        return words.joined(separator: " \\\n  ")
    }

    private func option(_ field: FormField) -> String {
        switch field.content {
        case .text(let text):
            return textOption(field.name, text)
        case .file(let path, _):
            let type = field.part.contentType.map { ";type=\($0)" } ?? ""
            return "--form \(ShellWord.quoted("\(field.name)=@\(Self.quoted(path))\(type)"))"
        }
    }

    private func textOption(_ name: String, _ text: String) -> String {
        // As in a query, any value may be secret.
        "--form-string \(ShellWord.quoted("\(name)=\(isShowingSecrets ? text : SecretScrubber.queryMask)"))"
    }

    /// Quotes the name of a file for curl's form syntax.
    private static func quoted(_ path: String) -> String {
        let escaped = path.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\"")
        return "\"\(escaped)\""
    }
}

/// A transport that does not send anything. All requests fail at once.
struct OfflineTransport: HTTPTransport {
    func execute(_ request: TransportRequest) async throws(TransportFailure) -> TransportResponse {
        throw TransportFailure(.transportFailed, delivery: .notSent, message: "nothing is sent")
    }

    func shutdown() async {}
}
