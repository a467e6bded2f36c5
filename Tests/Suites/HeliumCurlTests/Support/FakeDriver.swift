@testable import HeliumCurl

/// A driver without sockets. A test has its own wait.
protocol FakeDriver: LoopDriver {}

extension FakeDriver {
    func perform(now: UInt64) {}
    func wake() {}
    func didOpen(_ socket: Int32) {}
    func willClose(_ socket: Int32) {}
    func serve(_ multi: UnsafeMutableRawPointer) {}
    func watch(_ socket: Int32, for channel: ByteChannel) {}
    func makeConnector(allowsLocalAddresses: Bool) -> (any LoopConnector)? { nil }
    func close() {}
}
