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

    /// Makes a call, and moves the clock until it ends.
    ///
    /// - Parameter fate: The fate of the request; `nil` for what the network decides. Default: `nil`.
    func call(_ fate: RequestFate? = nil, _ target: String = "/") async -> Result<TransportResponse, TransportFailure> {
        network.plan([fate].compactMap(\.self))
        return await run { await self.execute(target) }
    }

    /// Moves the clock from sleeper to sleeper until `body` ends. It may move before a task has come to its pause: use this
    /// where the moment of a pause does not matter.
    private func run<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) async -> Value {
        let isOver = Flag()
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask {
                let value = await body()
                isOver.value.withLock { $0 = true }
                return value
            }
            while !isOver.value.withLock({ $0 }) {
                clock.advanceToNextSleeper()
                await Task.yield()
            }
            guard let value = await group.next() ?? nil else { preconditionFailure("the body has ended") }
            return value
        }
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
