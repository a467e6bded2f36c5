extension FaultServer {
    /// Assigns faults to requests. The last fault of a list applies to all later requests. An empty list means
    /// ``Fault/healthy``.
    public struct Plan: Sendable {
        enum Form: Sendable {
            case requests([Fault])
            case connections([Fault])
            case paths([String: [Fault]], otherwise: [Fault])
        }

        let form: Form

        /// Assigns one fault to each request, in the order in which they arrive.
        ///
        /// A fault that begins before a request is read applies to the next new connection instead of a request. A
        /// request on a kept connection gets it after it has been read.
        public static func requests(_ faults: [Fault]) -> Self { Self(form: .requests(faults)) }

        /// Assigns one fault to each connection. It applies to all requests on that connection.
        public static func connections(_ faults: [Fault]) -> Self { Self(form: .connections(faults)) }

        /// Assigns faults to each path, without its query, in the order of the requests to that path.
        public static func paths(_ faults: [String: [Fault]], otherwise: [Fault] = [.healthy]) -> Self {
            Self(form: .paths(faults, otherwise: otherwise))
        }
    }
}

extension FaultServer.Plan: ExpressibleByArrayLiteral {
    /// Assigns one fault to each request, as ``requests(_:)`` does.
    public init(arrayLiteral faults: FaultServer.Fault...) { self = .requests(faults) }
}
