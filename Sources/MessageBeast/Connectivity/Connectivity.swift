public import AppNet
internal import HeliumConcurrency
public import HeliumCore

/// Reports to an engine whether the service can be reached.
///
/// The report is a hint. Without it, the engine discovers an outage by failed requests and retries after a delay. With
/// it, the engine sends nothing while the service is unreachable and resumes at once when it is reachable again.
public protocol Connectivity: Sendable {
    /// Reports the current state and each change until the task is cancelled.
    ///
    /// - Parameters:
    ///   - clock: The clock of the engine.
    ///   - report: Passes a change to the engine.
    func run(clock: any HeliumClock, _ report: @escaping @Sendable (ConnectivityChange) async -> Void) async
}

/// A change that a ``Connectivity`` reports.
///
/// More cases will be added, so a `switch` needs a `default`.
public enum ConnectivityChange: Sendable, Hashable {
    /// The service can be reached. Pending messages are sent.
    case reachable
    /// The service cannot be reached. Nothing is sent until it is reachable again or a caller sends explicitly.
    case unreachable
    /// A channel has new messages. They are fetched.
    case newMessages(AppNetChannel.ID)
}

/// A ``Connectivity`` that the app sets, for example from the system's network monitor.
public final class AppConnectivity: Connectivity {
    private let state: CurrentValue<Bool>

    /// Creates a connectivity with an initial state. Default: reachable.
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
