import Foundation
import HeliumKit
import HeliumServer
import Synchronization

@testable import TestSupport

/// The clients of a round, which are closed and replaced while calls are under way.
final class ClientPool: Sendable {
    private static let size = 8

    private let makers: [@Sendable () throws -> Helium]
    private let clients: Mutex<[Helium]>
    private let ledger: Ledger

    init(site: SoakSite, faulty: String, ledger: Ledger) throws {
        guard let faultyURL = URL(string: faulty) else { throw CocoaError(.fileReadInvalidFileName) }
        let middleware = site.server.middleware
        // One device for all clients of the round: what is tested is calls, not the server's table of devices.
        let store = MemoryTokenStore()
        let signed: @Sendable () throws -> Helium = {
            var configuration = HeliumConfiguration(
                secret: Secret(middleware.secret),
                secretID: middleware.secretID,
                baseURL: middleware.base,
                device: DeviceConfiguration(url: middleware.devices, info: DeviceInfo(culture: "en-GB"), store: store)
            )
            configuration.connection.certificateAuthorityFile = site.authority
            configuration.options.timeouts = Self.timeouts
            configuration.options.streamHTTPVersion = .automatic
            return try Helium(configuration)
        }
        let plain: @Sendable () throws -> Helium = {
            var options = ClientOptions()
            options.timeouts = Self.timeouts
            options.limits.bodyBytes = 1 << 20
            return try Helium(baseURL: faultyURL, options: options)
        }
        makers = (0..<Self.size).map { $0 % 4 == 3 ? signed : plain }
        clients = Mutex(try makers.map { try $0() })
        self.ledger = ledger
    }

    private static let timeouts = {
        var timeouts = PhaseTimeouts()
        timeouts.total = .seconds(8)
        timeouts.idle = .seconds(2)
        timeouts.firstByte = .seconds(3)
        return timeouts
    }()

    /// A client, and whether its server does what it should.
    func pick(_ random: inout SeededRandom) -> (helium: Helium, isSigned: Bool) {
        let index = random.below(Self.size)
        return (clients.withLock { $0[index] }, index % 4 == 3)
    }

    /// Puts a new client in the place of one, which is closed: at once, or with time for its calls.
    func replaceOne(_ random: inout SeededRandom) async {
        let index = random.below(Self.size)
        let drain = random.below(3) == 0 ? Duration.milliseconds(random.below(500)) : nil
        let isDropped = random.below(8) == 0
        do {
            let new = try makers[index]()
            let old = clients.withLock { clients in
                let old = clients[index]
                clients[index] = new
                return old
            }
            // Some are only dropped: they end by themselves with their last call.
            if isDropped { return }
            await ledger.run("close of a client") {
                if let drain { await old.close(drainingFor: drain) } else { await old.close() }
            }
        } catch {
            ledger.note("no new client: \(error)")
        }
    }

    func closeAll() async {
        for client in clients.withLock({ $0 }) {
            await ledger.run("last close of a client") { await client.close() }
        }
    }
}
