internal import Hummingbird
internal import NIOCore

/// What Hummingbird tells of the connection under a request.
struct ServerContext: InitializableFromSource, Sendable {
    let channel: any Channel

    init(source: ApplicationRequestContextSource) { channel = source.channel }
}
