package import HeliumCore

// The channels of the loop.
extension LoopWorker {
    /// Takes a channel over and begins to connect it.
    func open(_ channel: ByteChannel, isStopping: Bool) {
        if isStopping { return channel.fail(TransferLoop.closed) }
        guard let host = channelHost() else {
            return channel.fail(
                TransportFailure(.transportFailed, delivery: .notSent, message: "libcurl can't create a handle")
            )
        }
        host.add(channel)
    }

    /// Passes signals of this thread to channels, and continues those that have work left.
    func turnChannels() {
        if !loop.queue.signalled.isEmpty {
            swap(&signalled, &loop.queue.signalled)
            for channel in signalled { channel.takeSignals() }
            signalled.removeAll(keepingCapacity: true)
        }
        channels?.host.runTurns()
    }

    func channelHost() -> ChannelHost? {
        if let channels { return channels.host }
        let allowsLocalAddresses = configuration.allowsLocalAddresses
        guard let connector = driver.makeConnector(allowsLocalAddresses: allowsLocalAddresses) else { return nil }
        let host = ChannelHost(connector: connector)
        channels = (host, connector)
        return host
    }
}

extension TransferLoop: ChannelLoop {}

extension ChannelTLS {
    /// Creates the TLS settings of a transport's connections.
    package init(_ configuration: CurlTransport.Configuration, applicationProtocols: [String] = []) {
        self.init(
            certificateAuthorityFile: configuration.certificateAuthorityFile,
            certificateAuthorityDirectory: configuration.certificateAuthorityDirectory,
            applicationProtocols: applicationProtocols
        )
    }
}

extension CurlTransport {
    /// The configuration of the transport's connections.
    package var configuration: Configuration { loop.configuration }

    /// Opens a channel on the transport's loop.
    ///
    /// The connection is not part of ``statistics`` and of the configuration's limits on connections. The channel ends
    /// when its handler ends it, when the connection is lost, and with the transport.
    ///
    /// - Parameter handler: The user of the channel, which is called when it opens and when it ends.
    /// - Throws: The failure to start the loop, or `clientClosed` after ``shutdown()``. The handler is not called then.
    package func open(_ target: ChannelTarget, handler: any ChannelHandler) throws(TransportFailure) -> ByteChannel {
        let channel = ByteChannel(to: target, handler: handler, loop: loop)
        try loop.open(channel)
        return channel
    }
}
