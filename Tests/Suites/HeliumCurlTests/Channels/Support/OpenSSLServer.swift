import Foundation
import HeliumConcurrency
import HeliumServerKit
import HeliumServerTesting
import Synchronization

/// A server of one TLS connection: the command `openssl s_server`, which sends what is typed and prints what it receives.
final class OpenSSLServer: Sendable {
    private struct Output {
        /// The output without the marks.
        var text = ""
        var markCount = 0
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Guarded(Output())

    init(_ files: TLSFiles) throws {
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-naccept", "1", "-tls1_3",
            "-cert", files.certificatePath, "-key", files.keyPath,
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        output.fileHandleForReading.readabilityHandler = { [self] handle in
            let data = handle.availableData
            if data.isEmpty { handle.readabilityHandler = nil }
            self.output.withLock { output in
                output.markCount += data.count { $0 == UInt8(ascii: "#") }
                output.text += String(decoding: data.filter { $0 != UInt8(ascii: "#") }, as: UTF8.self)
            }
        }
        try process.run()
    }

    /// The port of 127.0.0.1; `nil` until it listens.
    var port: Int? {
        let text = output.withLock(\.text)
        guard let start = text.firstRange(of: "ACCEPT 127.0.0.1:") else { return nil }
        let rest = text[start.upperBound...]
        return rest.contains("\n") ? Int(rest.prefix { $0.isNumber }) : nil
    }

    /// The number of handshakes after the first, which are the updates of keys.
    var handshakes: Int { output.withLock(\.text).ranges(of: "SSL_do_handshake -> 1").count }

    /// The number of characters `#` that were received.
    var marks: Int { output.withLock(\.markCount) }

    func type(_ text: String) { try? input.fileHandleForWriting.write(contentsOf: Data(text.utf8)) }

    func stop() {
        if process.isRunning { process.terminate() }
        process.waitUntilExit()
    }
}
