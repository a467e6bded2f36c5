import Foundation
import HeliumKit
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

    /// A process of `helium conair` that is not started yet.
    func process(_ arguments: [String], _ more: [String: String] = [:]) -> Process {
        Tool.process(["conair"] + arguments, environment: environment.merging(more) { $1 })
    }

    /// Starts a process of `helium conair` with pipes.
    func startProcess(_ arguments: [String]) throws -> RunningTool { try RunningTool(starting: process(arguments)) }

    /// Starts `helium conair` as a task.
    func start(
        _ arguments: [String],
        _ more: [String: String] = [:],
        clock: any HeliumClock = SystemClock(),
        output: FileHandle? = nil
    ) -> RunningTool {
        let environment = environment.merging(more) { $1 }
        return RunningTool(["conair"] + arguments, environment: environment, clock: clock, output: output)
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
