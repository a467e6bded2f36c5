import ArgumentParser
import Foundation
import HeliumKit
import HeliumServer

/// The `helium demo` command: demonstrates the SDK with its own local server.
struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo",
        abstract: "Start the local server on a free port and demonstrate the SDK with it.",
        discussion:
            "Writes a picture, demo.svg, to the current folder. An existing file is kept, and the picture is demo-2.svg then."
    )

    func run() async throws {
        let stage: DemoStage
        do {
            // The server and the folder of the demonstration need some time to be removed.
            stage = try await TerminationSignals.cancelling(graces: [.milliseconds(5800), .milliseconds(800)]) {
                var stage = DemoStage()
                try await Self.play(&stage)
                try Task.checkCancellation()
                return stage
            }
        } catch {
            throw FailureReport().show(error)
        }
        try Console.current.print(stage.summary)
        if stage.failures > 0 { throw ExitCode(1) }
    }

    private static func play(_ stage: inout DemoStage) async throws {
        var settings = EmbeddedServerConfiguration()
        // The slow requests below are abandoned intentionally. The server does not have to wait for them.
        settings.limits.shutdown = .milliseconds(300)
        let clock = DemoClock()
        settings.conAir.clock = clock.serverClock
        let server = try EmbeddedServer(settings)
        let running = Task { try await server.run() }
        do {
            let ready = try await server.ready()
            try Console.current.print("server: \(ready.http.absoluteString)")
            let helium = try Helium(configuration(ready))
            if let device = helium.device {
                var script = DemoScript(server: server, helium: helium, device: device)
                await script.run(&stage)
            }
            try await CosmDemo(ready.cosm).run(&stage)
            try await AppNetDemo(ready.appNet).run(&stage)
            try await journal(ready.appNet, &stage)
            try await JetstreamDemo(ready.jetstream, control: server.jetstream).run(&stage)
            try await ConAirDemo(ready.conAir, control: server.conAir, clock: clock).run(&stage)
            await stage.step("close the client") {
                await helium.close()
                return "connections and thread ended"
            }
            await stage.step("stop the server") {
                running.cancel()
                try await running.value
                return "no connection left"
            }
        } catch {
            running.cancel()
            try? await running.value
            throw error
        }
    }

    private static func journal(_ server: ReadyInformation.AppNet, _ stage: inout DemoStage) async throws {
        let folder = CommandContext.current.temporaryFolder.appendingPathComponent("helium-demo-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await BeastDemo(server, folder: folder).run(&stage)
    }

    private static func configuration(_ ready: ReadyInformation) -> HeliumConfiguration {
        HeliumConfiguration(
            secret: Secret(ready.middleware.secret),
            secretID: ready.middleware.secretID,
            baseURL: ready.middleware.base,
            device: DeviceConfiguration(
                url: ready.middleware.devices,
                info: .current()
            )
        )
    }
}
