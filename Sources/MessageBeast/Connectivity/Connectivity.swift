public import AppNet
internal import HeliumConcurrency
public import HeliumCore

/// Tells an engine whether the service can be reached.
///
/// It is a hint: without it, the engine finds out by requests that fail, and tries again after a while. With it, nothing is
/// tried while the service is out of reach, and everything at once when it is back.
public protocol Connectivity: Sendable {
    /// Reports the present state and each change, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - clock: The clock of the engine.
    ///   - report: Tells the engine.
    func run(clock: any HeliumClock, _ report: @escaping @Sendable (ConnectivityChange) async -> Void) async
}

/// A change that a ``Connectivity`` reports.
///
/// More cases will be added: a `switch` needs a `default`.
public enum ConnectivityChange: Sendable, Hashable {
    /// The service can be reached: what waits is sent.
    case reachable
    /// The service cannot be reached. Nothing is sent until it can, or until an explicit call.
    case unreachable
    /// A channel has new messages. They are fetched.
    case news(AppNetChannel.ID)
}

/// A ``Connectivity`` that the app sets, for example from the system's monitor of the network.
public final class AppConnectivity: Connectivity {
    private let state: CurrentValue<Bool>

    /// A state that begins as given. Default: reachable.
    public init(isReachable: Bool = true) { state = CurrentValue(isReachable) }

    /// Whether the service can be reached.
    public var isReachable: Bool {
        get { state.value }
        set { state.send(newValue) }
    }

    /// Reports the state until the task is cancelled.
    public func run(clock: any HeliumClock, _ report: @escaping @Sendable (ConnectivityChange) async -> Void) async {
        for await isReachable in state.stream { await report(isReachable ? .reachable : .unreachable) }
    }
}
