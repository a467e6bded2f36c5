import CLibcurl
import HeliumCore
import HeliumEssentials
import HeliumWire

/// A connection that libcurl makes and a channel uses: an easy handle with `CURLOPT_CONNECT_ONLY`, its socket, and its
/// TLS. Used on the loop's thread.
///
/// The handle stays in the multi handle until the end, because libcurl finds the connection through it.
final class ChannelConnection {
    let easy: UnsafeMutableRawPointer
    unowned let channel: ByteChannel
    private(set) var facts = ChannelFacts()
    /// The index among the connector's connections.
    var index = 0
    /// The TLS record; `nil` in clear text.
    private let tls: OpaquePointer?
    private let connector: ChannelConnector
    private let cache: ConnectionCache

    // The accesses to the first read and to the socket only copy them, so that two can't overlap, and need no check.

    /// The result of the first read, which is made at once: see ``ConnectionCache``.
    @exclusivity(unchecked) private var firstRead: ChannelRead?
    private var firstBytes: [UInt8] = []
    private var hasConnected = false
    private let errorText: UnsafeMutablePointer<CChar>
    private var fieldList: UnsafeMutablePointer<curl_slist>?
    /// The response of a proxy.
    private let proxyHead: HeadParser?
    @exclusivity(unchecked) private var socket = CURL_SOCKET_BAD
    private var isClosed = false
    /// Whether an address of the host is one to which the transport may not connect.
    private var isAddressRefused = false
    private var hasOpenedSocket = false

    /// Creates a connection that has not begun.
    ///
    /// - Parameter cache: The cache of the connection.
    /// - Returns: `nil` if there is no memory, or libcurl rejects an option.
    init?(for channel: ByteChannel, in cache: ConnectionCache, connector: ChannelConnector) {
        guard let easy = curl_easy_init() else {
            connector.caches.release(cache, wasConnecting: true)
            return nil
        }
        self.easy = easy
        self.channel = channel
        self.connector = connector
        let target = channel.target
        self.cache = cache
        errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        proxyHead = target.proxy == nil ? nil : HeadParser()
        tls = target.tls?.protocolList.flatMap { list in
            list.withUnsafeBufferPointer { helium_channel_tls_make($0.baseAddress, $0.count) }
        }
        guard (tls == nil) == (target.tls == nil), setOptions(target) else { return nil }
    }

    deinit {
        close()
        curl_easy_cleanup(easy)
        if let fieldList { curl_slist_free_all(fieldList) }
        if let tls { helium_channel_tls_release(tls) }
        errorText.deallocate()
    }
}

// MARK: Options

extension ChannelConnection {
    private func setOptions(_ target: ChannelTarget) -> Bool {
        let context = Unmanaged.passUnretained(self).toOpaque()
        var isAccepted = set(CURLOPT_PRIVATE, UnsafeRawPointer(context))
        isAccepted = set(CURLOPT_ERRORBUFFER, UnsafeRawPointer(errorText)) && isAccepted
        isAccepted = set(CURLOPT_SHARE, UnsafeRawPointer(cache.share)) && isAccepted
        isAccepted = set(CURLOPT_URL, target.urlString) && isAccepted
        for (option, value) in [
            (CURLOPT_CONNECT_ONLY, 1), (CURLOPT_FRESH_CONNECT, 1), (CURLOPT_NOSIGNAL, 1), (CURLOPT_NOPROGRESS, 1),
            (CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1)),
            (CURLOPT_TCP_KEEPALIVE, 1), (CURLOPT_TCP_NODELAY, 1),
            (CURLOPT_SSL_VERIFYPEER, 1), (CURLOPT_SSL_VERIFYHOST, 2),
            (CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2)),
            // libcurl would put its own HTTP/2 on the connection if it negotiated it.
            (CURLOPT_SSL_ENABLE_ALPN, 0),
            (CURLOPT_CONNECTTIMEOUT_MS, ConnectLimit.milliseconds(target.connectLimit)),
        ] {
            isAccepted = set(option, value) && isAccepted
        }
        _ = helium_easy_allow_http_only(easy)
        _ = helium_easy_abandon_lookups(easy)
        _ = helium_easy_set_open_callback(easy, onOpenSocket)
        set(CURLOPT_OPENSOCKETDATA, UnsafeRawPointer(context))
        _ = helium_easy_set_close_callback(easy, onCloseSocket)
        set(CURLOPT_CLOSESOCKETDATA, UnsafeRawPointer(Unmanaged.passUnretained(connector).toOpaque()))
        if let settings = target.tls, let tls {
            for given in settings.authorities { isAccepted = set(given.option, given.path) && isAccepted }
            // Without OpenSSL nothing would be offered, and the peer would speak a protocol that the user does not expect.
            if !helium_channel_tls_watch(tls, easy), !settings.applicationProtocols.isEmpty { return false }
        }
        return setProxy(target.proxy, context) && isAccepted
    }

    private func setProxy(_ proxy: ProxyRoute?, _ context: UnsafeMutableRawPointer) -> Bool {
        guard let proxy, let proxyHead else {
            // An empty text keeps libcurl from reading the environment.
            return set(CURLOPT_PROXY, "") && set(CURLOPT_NOPROXY, "*")
        }
        proxyHead.reset(limits: ResponseLimits())
        var isAccepted = set(CURLOPT_PROXY, proxy.urlString) && set(CURLOPT_NOPROXY, "")
        isAccepted = set(CURLOPT_HTTPPROXYTUNNEL, 1) && isAccepted
        isAccepted = set(CURLOPT_HEADEROPT, Int(CURLHEADER_SEPARATE)) && isAccepted
        var lines = ["Proxy-Connection:", "User-Agent: Helium/\(HeliumVersion.current)"]
        if let authorization = proxy.authorization { lines.append("Proxy-Authorization: \(authorization.value)") }
        for line in lines {
            guard let longer = curl_slist_append(fieldList, line) else { return false }
            fieldList = longer
        }
        isAccepted = set(CURLOPT_PROXYHEADER, UnsafeRawPointer(fieldList)) && isAccepted
        _ = helium_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION, onHeader)
        return set(CURLOPT_HEADERDATA, UnsafeRawPointer(context)) && isAccepted
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: Int) -> Bool {
        helium_easy_set_long(easy, option, value) == CURLE_OK
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: String?) -> Bool {
        helium_easy_set_string(easy, option, value) == CURLE_OK
    }

    @discardableResult
    private func set(_ option: CURLoption, _ value: UnsafeRawPointer?) -> Bool {
        helium_easy_set_pointer(easy, option, value) == CURLE_OK
    }
}

extension ChannelTLS {
    /// The options for the trusted authorities: none, or both, including `nil`. libcurl has a default for each option,
    /// and trusts the authorities of both.
    var authorities: [(option: CURLoption, path: String?)] {
        let (file, directory) = (certificateAuthorityFile, certificateAuthorityDirectory)
        return file == nil && directory == nil ? [] : [(CURLOPT_CAINFO, file), (CURLOPT_CAPATH, directory)]
    }
}

// MARK: Connecting

extension ChannelConnection {
    /// Called when libcurl has connected. Returns the failure, or `nil` if the channel may use the connection.
    func didConnect(_ code: CURLcode) -> TransportFailure? {
        guard code == CURLE_OK else { return failure(of: code) }
        guard helium_easy_get_socket(easy, CURLINFO_ACTIVESOCKET, &socket) == CURLE_OK, socket != CURL_SOCKET_BAD else {
            return TransportFailure(.transportFailed, delivery: .notSent, message: "libcurl has no socket")
        }
        facts.timings = timings
        facts.applicationProtocol = applicationProtocol
        // Before the socket is watched, so that what is not read causes an event.
        readFirst()
        hasConnected = true
        connector.caches.didConnect(in: cache)
        connector.driver.watch(socket, for: channel)
        return nil
    }

    /// Makes the first call on the connection, by which libcurl stops taking it for an idle one.
    private func readFirst() {
        withUnsafeTemporaryAllocation(byteCount: 4 << 10, alignment: 16) { memory in
            let result = readByLibcurl(into: memory)
            switch result {
            case .nothing: break
            case .bytes(let count):
                firstBytes = Array(memory[..<count])
                firstRead = result
            case .end, .failed: firstRead = result
            }
        }
    }

    private var applicationProtocol: String? {
        var name: UnsafePointer<UInt8>?
        guard let tls, case let count = helium_channel_tls_protocol(tls, &name), count > 0 else { return nil }
        return String(decoding: UnsafeBufferPointer(start: name, count: count), as: UTF8.self)
    }

    private var timings: TransferTimings {
        var timings = TransferTimings()
        timings.nameLookup = duration(CURLINFO_NAMELOOKUP_TIME_T)
        timings.connect = duration(CURLINFO_CONNECT_TIME_T)
        timings.tlsHandshake = duration(CURLINFO_APPCONNECT_TIME_T)
        return timings
    }

    private func duration(_ info: CURLINFO) -> Duration? {
        var microseconds: curl_off_t = 0
        helium_easy_get_offset(easy, info, &microseconds)
        return microseconds > 0 ? .microseconds(microseconds) : nil
    }

    private func failure(of code: CURLcode) -> TransportFailure {
        if let proxyHead, proxyHead.isComplete, !(200...299 ~= proxyHead.status) {
            let head = ResponseHead(
                status: proxyHead.status,
                version: proxyHead.version,
                section: proxyHead.section
            )
            return TransportFailure(
                .unacceptableStatus,
                delivery: .notSent,
                message: "the proxy responded with status \(proxyHead.status)",
                code: Int(code.rawValue),
                timings: timings,
                response: TransportResponse(head: head, body: .collected(Data()))
            )
        }
        var systemError = 0
        helium_easy_get_long(easy, CURLINFO_OS_ERRNO, &systemError)
        let detail = String(cString: errorText)
        let reason = detail.isEmpty ? String(cString: curl_easy_strerror(code)) : detail
        let (kind, message) =
            if isAddressRefused, !hasOpenedSocket {
                (FailureKind.connectionFailed, "the host has no address to which connections are allowed")
            } else if code == CURLE_OPERATION_TIMEDOUT {
                (.timedOut, "the connection took too long")
            } else {
                ConnectVerdict.of(
                    code,
                    systemError: Int32(truncatingIfNeeded: systemError),
                    detail: detail.isEmpty ? nil : detail
                ) ?? (.connectionFailed, "could not connect: \(reason)")
            }
        return TransportFailure(
            kind,
            delivery: .notSent,
            message: message,
            phase: kind == .timedOut ? .connect : nil,
            code: Int(code.rawValue),
            timings: timings
        )
    }
}

// MARK: Callbacks

extension ChannelConnection {
    fileprivate func open(_ address: UnsafePointer<curl_sockaddr>) -> curl_socket_t {
        guard connector.allowsLocalAddresses || PublicAddress.contains(address) else {
            isAddressRefused = true
            return CURL_SOCKET_BAD
        }
        let socket = helium_open_socket(address)
        guard socket != CURL_SOCKET_BAD else { return socket }
        hasOpenedSocket = true
        connector.driver.didOpen(socket)
        return socket
    }

    fileprivate func takeHeader(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let proxyHead else { return true }
        if case .fault = proxyHead.take(line) { return false }
        return true
    }
}

private let onOpenSocket: curl_opensocket_callback = { context, _, address in
    guard let context, let address else { return CURL_SOCKET_BAD }
    return Unmanaged<ChannelConnection>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.open(address) }
}

private let onCloseSocket: helium_close_callback = { context, socket in
    if let context {
        Unmanaged<ChannelConnector>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.driver.willClose(socket) }
    }
    return helium_close_socket(socket)
}

private let onHeader: helium_data_callback = { bytes, size, count, context in
    let count = size &* count
    guard let context else { return 0 }
    return Unmanaged<ChannelConnection>.fromOpaque(context)._withUnsafeGuaranteedRef {
        $0.takeHeader(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
    }
}

// MARK: Moving bytes

extension ChannelConnection: ChannelLine {
    var isSocket: Bool { tls == nil }

    var hasEarlyBytes: Bool { !firstBytes.isEmpty }

    var earlyEnd: TransportFailure? {
        switch firstRead {
        case .end:
            TransportFailure(.connectionLost, delivery: .notSent, message: "the server ended the connection at once")
        case .failed(let failure): failure
        case .bytes, .nothing, nil: nil
        }
    }

    func read(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        if let firstRead { return takeFirst(firstRead, into: memory) }
        if tls != nil { return readByLibcurl(into: memory) }
        while true {
            let count = recv(socket, memory.baseAddress, memory.count, 0)
            if count > 0 { return .bytes(count) }
            if count == 0 { return .end(isOrderly: true) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            case let error: return .failed(lost(error))
            }
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        if tls != nil { return writeEncrypted(bytes) }
        return send { helium_send(socket, bytes.baseAddress, bytes.count) }
    }

    func write(_ bytes: UnsafeRawBufferPointer, then more: UnsafeRawBufferPointer) -> ChannelWrite {
        if tls != nil { return writeEncrypted(bytes) }
        return send { helium_send_both(socket, bytes.baseAddress, bytes.count, more.baseAddress, more.count) }
    }

    @inline(__always)
    private func send(_ call: () -> Int) -> ChannelWrite {
        while true {
            let count = call()
            if count >= 0 { return .bytes(count) }
            switch errno {
            case EINTR: continue
            case EAGAIN, EWOULDBLOCK: return .nothing
            case let error: return .failed(lost(error))
            }
        }
    }

    /// Returns the result of the first read, in pieces if `memory` is small.
    private func takeFirst(_ result: ChannelRead, into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        guard case .bytes = result else {
            firstRead = nil
            return result
        }
        let count = min(firstBytes.count, memory.count)
        firstBytes.withUnsafeBytes { memory.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        firstBytes.removeFirst(count)
        if firstBytes.isEmpty {
            firstRead = nil
            // Releases the memory, which a connection would keep while it is idle.
            firstBytes = []
        }
        return .bytes(count)
    }

    private func readByLibcurl(into memory: UnsafeMutableRawBufferPointer) -> ChannelRead {
        var count = 0
        if let tls { helium_channel_tls_will_read(tls) }
        let code = curl_easy_recv(easy, memory.baseAddress, memory.count, &count)
        if let tls, !helium_channel_tls_did_read(tls, count > 0) {
            return .failed(
                TransportFailure(
                    .protocolViolated,
                    delivery: .notSent,
                    message: "the peer sends many TLS messages, and little or no data"
                )
            )
        }
        switch code {
        case CURLE_OK where count > 0: return .bytes(count)
        case CURLE_AGAIN: return .nothing
        case CURLE_OK: return .end(isOrderly: tls.map(helium_channel_tls_is_orderly) ?? true)
        case let code: return .failed(lost(code))
        }
    }

    private func writeEncrypted(_ bytes: UnsafeRawBufferPointer) -> ChannelWrite {
        var count = 0
        switch curl_easy_send(easy, bytes.baseAddress, bytes.count, &count) {
        case CURLE_OK: return count > 0 ? .bytes(count) : .nothing
        case CURLE_AGAIN: return .nothing
        case let code: return .failed(lost(code))
        }
    }

    func takeError() -> TransportFailure? {
        let error = helium_take_error(socket)
        return error == 0 ? nil : lost(error)
    }

    func endWriting() -> Bool {
        guard tls == nil else { return false }
        return shutdown(socket, Int32(SHUT_WR)) == 0
    }

    func close() {
        guard !isClosed else { return }
        isClosed = true
        if socket != CURL_SOCKET_BAD {
            if let tls { helium_channel_tls_end(tls, socket) }
            // libcurl before 7.86 closes the socket only with the cache. The driver must not know a channel that is gone.
            connector.driver.willClose(socket)
            // The multi handle's cache lasts. It closes the socket when it makes another connection and finds this one ended.
            if cache.share == nil { shutdown(socket, Int32(SHUT_RDWR)) }
        }
        connector.remove(self)
        connector.caches.release(cache, wasConnecting: !hasConnected)
    }

    private func lost(_ error: Int32) -> TransportFailure {
        TransportFailure(
            .connectionLost,
            delivery: .notSent,
            message: "the connection was lost: \(String(cString: strerror(error)))",
            code: Int(error)
        )
    }

    private func lost(_ code: CURLcode) -> TransportFailure {
        let alert = tls.map(helium_channel_tls_alert) ?? -1
        return TransportFailure(
            .connectionLost,
            delivery: .notSent,
            message: alert >= 0
                ? "the peer ended TLS with alert \(alert)"
                : "the connection was lost: \(String(cString: curl_easy_strerror(code)))",
            code: Int(code.rawValue)
        )
    }
}
