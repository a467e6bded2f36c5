import CLibcurl
import HeliumCore

/// Lets libcurl make the connections of channels. Used on the loop's thread.
final class ChannelConnector: LoopConnector {
    let driver: any LoopDriver
    let allowsLocalAddresses: Bool
    var caches = ConnectionCaches()
    private let multi: UnsafeMutableRawPointer
    /// The connections whose handles are in the multi handle.
    private var connections: [ChannelConnection] = []

    /// Creates a connector. Returns `nil` if there is no memory.
    init?(driver: any LoopDriver, allowsLocalAddresses: Bool) {
        guard let multi = curl_multi_init() else { return nil }
        self.multi = multi
        self.driver = driver
        self.allowsLocalAddresses = allowsLocalAddresses
        driver.serve(multi)
    }

    func dispose() {
        while let connection = connections.last { connection.close() }
        curl_multi_cleanup(multi)
    }

    func connect(_ channel: ByteChannel) -> (any ChannelLine)? {
        guard let cache = caches.take(),
            let connection = ChannelConnection(for: channel, in: cache, connector: self)
        else { return nil }
        guard curl_multi_add_handle(multi, connection.easy) == CURLM_OK else { return nil }
        connection.index = connections.count
        connections.append(connection)
        return connection
    }

    func collect() {
        var code = CURLE_OK
        while let easy = helium_multi_next_ended(multi, &code) {
            var context: UnsafeMutableRawPointer?
            helium_easy_get_pointer(easy, CURLINFO_PRIVATE, &context)
            guard let context else { continue }
            let connection = Unmanaged<ChannelConnection>.fromOpaque(context).takeUnretainedValue()
            let channel = connection.channel
            if let failure = connection.didConnect(code) {
                channel.fail(failure)
            } else {
                channel.connected()
            }
        }
    }

    /// Removes a connection from libcurl, which ends it.
    func remove(_ connection: ChannelConnection) {
        guard connections.indices.contains(connection.index), connections[connection.index] === connection else {
            return
        }
        curl_multi_remove_handle(multi, connection.easy)
        let last = connections.removeLast()
        if last !== connection {
            connections[connection.index] = last
            last.index = connection.index
        }
    }
}
