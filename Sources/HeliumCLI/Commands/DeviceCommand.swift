import ArgumentParser
import Foundation
import HeliumKit

/// The `helium device` command: manages the registration of this machine.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Register this machine as a device and manage its registration.",
        subcommands: [Register.self, Show.self, Update.self, Forget.self]
    )

    /// The options of all subcommands.
    struct Options: ParsableArguments {
        @OptionGroup var credentials: CredentialOptions
        @OptionGroup var device: DeviceOptions
        @OptionGroup var connection: ConnectionOptions

        @Option(help: "The output format.")
        var format = OutputFormat.text

        func validate() throws {
            if try device.resolvedURL() == nil { throw ValidationError("no devices URL: give --devices-url") }
        }

        /// Runs `work` with the device and prints the resulting registration.
        func perform(_ work: (Device, Duration) async throws -> DeviceRegistration?) async throws {
            try connection.apply()
            guard let url = try device.resolvedURL() else {
                throw ValidationError("no devices URL: give --devices-url")
            }
            let (secret, secretID) = try credentials.resolvedForDevice()
            var configuration = HeliumConfiguration(
                secret: secret,
                secretID: secretID,
                baseURL: url,
                device: try device.configuration(url: url)
            )
            configuration.connection = connection.connection
            configuration.environment = CommandContext.current.client
            let limit = connection.timeout?.duration ?? .seconds(60)
            configuration.device.timeout = limit
            let helium: Helium
            do { helium = try Helium(configuration) } catch { throw ValidationError(error.message) }
            guard let device = helium.device else { return }
            do {
                let registration = try await work(device, limit)
                await helium.close()
                try DeviceDocument(registration).show(as: format)
            } catch {
                await helium.close()
                throw FailureReport(format: format, scrubber: Console.current.secrets.scrubber).show(error)
            }
        }
    }

    struct Register: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Register the device if it is not registered yet.")
        @OptionGroup var options: Options

        func run() async throws { try await options.perform { try await $0.register(within: $1) } }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show the registration, without a request to the server."
        )
        @OptionGroup var options: Options

        func run() async throws { try await options.perform { device, _ in try await device.registration() } }
    }

    struct Update: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Send the device's description to the server.")
        @OptionGroup var options: Options

        func run() async throws { try await options.perform { try await $0.update(within: $1) } }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget the device on this machine. The next request registers a new one."
        )
        @OptionGroup var options: Options

        func run() async throws {
            try await options.perform { device, _ in
                try await device.forget()
                return nil
            }
        }
    }
}

/// A registration without its token.
private struct DeviceDocument: Encodable {
    let isRegistered: Bool
    let clockOffsetSeconds: Double?
    let descriptionHash: String?

    init(_ registration: DeviceRegistration?) {
        isRegistered = registration != nil
        clockOffsetSeconds = registration.map { ($0.clockOffset / .milliseconds(1)).rounded() / 1000 }
        descriptionHash = registration?.deviceInfoHash
    }

    func show(as format: OutputFormat) throws {
        switch format {
        case .json:
            try Console.current.print(Document.line(self))
        case .text:
            try Console.current.print("registered: \(isRegistered ? "yes" : "no")")
            if let clockOffsetSeconds { try Console.current.print("clock offset: \(clockOffsetSeconds) s") }
            if let descriptionHash { try Console.current.print("description: SHA-256 \(descriptionHash)") }
        }
    }
}
