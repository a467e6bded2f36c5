import Foundation
import HTTPTypes
import HeliumCore
import HeliumTesting
import SimulationSupport
import Synchronization
import TestSupport

/// A device's network over a transport that notes what arrives.
final class World: Sendable {
    let clock = TestClock()
    let device: DeviceClock
    let trace = SimulationTrace()
    let base: MockTransport
    let network: SimulatedNetwork

    init(seed: UInt64 = 1, weather: NetworkWeather = .fair) {
        device = DeviceClock(clock)
        base = MockTransport { _ in .json("{}") }
        let numbers = Mutex(SeededRandom(seed: seed))
        let random = RandomSource { numbers.withLock { $0.next() } }
        network = SimulatedNetwork(base, clock: device, random: random, trace: trace, weather: weather)
    }

    var targets: [String] { base.requests.map(\.url.target) }
    var arrivals: Int { targets.count }

    func execute(_ target: String) async -> Result<TransportResponse, TransportFailure> {
        do throws(TransportFailure) {
            guard let url = try? RequestURL("http://127.0.0.1\(target)") else { preconditionFailure("no URL") }
            return .success(try await network.execute(TransportRequest(method: .get, url: url)))
        } catch {
            return .failure(error)
        }
    }

    /// Makes a call whose fate is known, and moves the clock until it ends.
    func call(_ fate: RequestFate, _ target: String = "/") async -> Result<TransportResponse, TransportFailure> {
        network.plan([fate])
        return await run { await self.execute(target) }
    }

    /// Moves the clock from sleeper to sleeper until `body` ends.
    ///
    /// - Parameter patience: How long the number of sleepers must stay the same before the clock moves: a task that has not
    ///   come to its pause yet must not miss its time.
    func run<Value: Sendable>(
        patience: Duration = .milliseconds(10),
        _ body: @escaping @Sendable () async -> Value
    ) async -> Value {
        let isOver = Flag()
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                let value = await body()
                isOver.value.withLock { $0 = true }
                return value
            }
            while !isOver.value.withLock({ $0 }) {
                let count = clock.sleeperCount
                try? await Task.sleep(for: patience)
                if clock.sleeperCount == count { clock.advanceToNextSleeper() }
            }
            guard let value = await group.next() ?? nil else { preconditionFailure("the body has ended") }
            return value
        }
    }

    /// Lets everything arrive that is under way.
    func settle() async {
        while clock.advanceToNextSleeper() != nil { try? await Task.sleep(for: .milliseconds(5)) }
    }
}

private final class Flag: Sendable {
    let value = Mutex(false)
}

extension Result {
    var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
