import Foundation
import HeliumServer
import HeliumServerTesting
import TestSupport
import Testing

/// A ConAir server without a sensor, and a folder for files.
struct ConAirToolWorld {
    let running: RunningServer
    let folder: URL

    /// The begin of the present step of two minutes when the world began.
    private let present = (Date().timeIntervalSince1970 / 120).rounded(.down) * 120

    init(running: RunningServer, folder: URL) {
        self.running = running
        self.folder = folder
    }

    static func with(
        _ configure: (inout EmbeddedServerConfiguration) -> Void = { _ in },
        _ body: (ConAirToolWorld) async throws -> Void
    ) async throws {
        var configuration = EmbeddedServerConfiguration()
        configuration.conAir.sensor = nil
        configure(&configuration)
        try await withTemporaryFolder { folder in
            try await withEmbeddedServer(configuration) { try await body(Self(running: $0, folder: folder)) }
        }
    }

    func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

    /// The files that SQLite keeps beside a cache while it is open.
    func logs(of name: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("\(name)-") && !$0.hasSuffix("-lock") }
    }

    private var environment: [String: String] { ["CONAIR_SOURCE": running.ready.conAir.data.absoluteString] }

    /// `helium conair`.
    func conAir(_ arguments: [String]) async throws -> Tool.Outcome {
        try await Tool.run(["conair"] + arguments, environment: environment)
    }

    /// `helium conair`, not started yet.
    func process(_ arguments: [String], _ more: [String: String] = [:]) -> Process {
        Tool.process(["conair"] + arguments, environment: environment.merging(more) { $1 })
    }

    /// The begin of a step of two minutes in the past.
    func step(ago steps: Int) -> Date { Date(timeIntervalSince1970: present - Double(steps) * 120) }

    func store(_ value: Double, _ date: Date) async throws {
        try await running.conAir.store([ConAirReading(date: date, value: value)])
    }
}

extension Date {
    /// RFC 3339.
    var stamp: String { ISO8601DateFormatter().string(from: self) }
}

/// A running `helium conair` with pipes.
struct ConAirProcess {
    let process: Process
    private let output = Pipe()
    private let errors = Pipe()

    init(_ world: ConAirToolWorld, _ arguments: [String]) throws {
        process = world.process(arguments)
        process.standardOutput = output
        process.standardError = errors
        try process.run()
    }

    func line() async throws -> String { try await Tool.line(of: output.fileHandleForReading) }
    func errorLine() async throws -> String { try await Tool.line(of: errors.fileHandleForReading) }

    /// Ends it by a signal, and gives its exit code.
    func end(_ number: Int32) -> Int32 {
        kill(process.processIdentifier, number)
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Everything that it prints until it ends.
    func rest() throws -> String {
        String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    }

    /// Its exit code, once it has ended.
    var status: Int32 {
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Closes the reading end of its output.
    func stopReading() throws { try output.fileHandleForReading.close() }
}
