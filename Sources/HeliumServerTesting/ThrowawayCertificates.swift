public import Foundation
public import HeliumServer

/// A certificate authority made for one test, and a server certificate signed by it for `localhost`, 127.0.0.1 and ::1.
public struct ThrowawayCertificates: Sendable {
    /// The folder that holds the files. Only its owner may read it.
    public let directory: URL
    /// The PEM file of the authority's certificate, for the client under test to trust.
    public var authorityPath: String { path("authority.pem") }
    /// A folder with that certificate under the hashed name that OpenSSL looks up, as `openssl rehash` creates it.
    public var authorityDirectoryPath: String { path("authorities") }
    /// The server's certificate and key, for `EmbeddedServerConfiguration.tls`.
    public var server: TLSFiles {
        TLSFiles(certificatePath: path("server.pem"), keyPath: path("server.key"))
    }

    private func path(_ name: String) -> String { directory.appendingPathComponent(name).path }

    /// Creates the files in a new temporary folder with the `openssl` command, runs `body`, and removes the folder.
    ///
    /// - Throws: The error that `body` throws, or `ThrowawayCertificates.Failure` if `openssl` is missing or fails.
    public static func with<Value>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: (Self) async throws -> Value
    ) async throws -> Value {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("helium-certificates-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: directory,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        defer { try? FileManager.default.removeItem(at: directory) }
        let certificates = Self(directory: directory)
        try await certificates.generate()
        return try await body(certificates)
    }
}

extension ThrowawayCertificates {
    /// The error thrown when the certificates cannot be made.
    public struct Failure: Error, CustomStringConvertible {
        /// The output of `openssl`, or the reason why it could not be started.
        public let description: String
    }

    private func generate() async throws {
        let settings = """
            [req]
            distinguished_name = name
            prompt = no
            [name]
            CN = localhost
            [authority]
            basicConstraints = critical, CA:TRUE
            keyUsage = critical, keyCertSign, cRLSign
            subjectKeyIdentifier = hash
            [server]
            basicConstraints = critical, CA:FALSE
            keyUsage = critical, digitalSignature
            extendedKeyUsage = serverAuth
            subjectAltName = DNS:localhost, IP:127.0.0.1, IP:::1
            subjectKeyIdentifier = hash
            authorityKeyIdentifier = keyid
            """
        try Data(settings.utf8).write(to: directory.appendingPathComponent("settings.cnf"))
        let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
        let settingsFile = ["-config", path("settings.cnf")]
        // Two authorities with the same name would be confused by clients that look certificates up by name.
        let name = "Helium throw-away authority \(UUID().uuidString.prefix(8))"
        try await openssl(
            ["req", "-x509"] + newKey + settingsFile + [
                "-extensions", "authority", "-subj", "/CN=\(name)", "-days", "2",
                "-keyout", path("authority.key"), "-out", authorityPath,
            ]
        )
        try await openssl(
            ["req", "-new"] + newKey + settingsFile + [
                "-keyout", server.keyPath, "-out", path("server.csr"),
            ]
        )
        try await openssl([
            "x509", "-req", "-in", path("server.csr"), "-CA", authorityPath, "-CAkey", path("authority.key"),
            "-CAcreateserial", "-days", "2", "-extfile", path("settings.cnf"), "-extensions", "server",
            "-out", server.certificatePath,
        ])
        let hash = try await openssl(["x509", "-noout", "-hash", "-in", authorityPath])
        let folder = URL(fileURLWithPath: authorityDirectoryPath)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try FileManager.default.copyItem(
            at: URL(fileURLWithPath: authorityPath),
            to: folder.appendingPathComponent("\(hash.filter(\.isHexDigit)).0")
        )
    }

    /// Runs the command and returns its output.
    @discardableResult
    private func openssl(_ arguments: [String]) async throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        // A file, not a pipe: a pipe would have to be read while the command runs.
        let output = directory.appendingPathComponent("openssl.log")
        try Data().write(to: output)
        let log = try FileHandle(forWritingTo: output)
        defer { try? log.close() }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = log
        process.standardError = log
        let status: Int32 = try await withCheckedThrowingContinuation { continuation in
            process.terminationHandler = { continuation.resume(returning: $0.terminationStatus) }
            do {
                try process.run()
                // `openssl` needs no input. The timeout keeps the test from hanging if the command does.
                let processID = process.processIdentifier
                DispatchQueue.global().asyncAfter(deadline: .now() + 30) { [weak process] in
                    if process?.isRunning == true { kill(processID, SIGKILL) }
                }
            } catch {
                continuation.resume(throwing: Failure(description: "openssl cannot be started: \(error)"))
            }
        }
        let said = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
        guard status == 0 else {
            throw Failure(description: "openssl \(arguments[0]) ended with \(status): \(said)")
        }
        return said
    }
}
