extension FaultServer {
    /// Which fault meets which request. The last of each list meets all later ones; an empty list means ``Fault/healthy``.
    public struct Plan: Sendable {
        enum Form: Sendable {
            case requests([Fault])
            case connections([Fault])
            case paths([String: [Fault]], otherwise: [Fault])
        }

        let form: Form

        /// One fault for each request, in the order in which they arrive.
        ///
        /// A fault that happens before a request is read takes the next new connection in place of a request; a request on
        /// a kept connection meets it when it has been read.
        public static func requests(_ faults: [Fault]) -> Self { Self(form: .requests(faults)) }

        /// One fault for each connection: all requests on it meet that fault.
        public static func connections(_ faults: [Fault]) -> Self { Self(form: .connections(faults)) }

        /// For each path, without its query, faults of its own in the order of that path's requests.
        public static func paths(_ faults: [String: [Fault]], otherwise: [Fault] = [.healthy]) -> Self {
            Self(form: .paths(faults, otherwise: otherwise))
        }
    }
}

extension FaultServer.Plan: ExpressibleByArrayLiteral {
    /// One fault for each request: ``requests(_:)``.
    public init(arrayLiteral faults: FaultServer.Fault...) { self = .requests(faults) }
}
