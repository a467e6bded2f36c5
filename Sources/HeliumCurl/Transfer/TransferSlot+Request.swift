import CLibcurl
import HTTPTypes
import HeliumCore
import HeliumEssentials
import HeliumWire

// The caller's part: sets the request on the handle.
extension TransferSlot {
    /// Prepares the slot to send `request`.
    func prepare(_ request: TransportRequest) throws(TransportFailure) {
        abort = nil
        code = CURLE_OK
        sendCount = 0
        openedSocket = nil
        isAddressRefused = false
        localPort = 0
        uploadedBytes = 0
        ratioLimit = request.limits.decompressionRatio
        isHeadDelivered = false
        head.reset(limits: request.limits)
        limits.reset(request.timeouts)
        var isAccepted = setOrigin(request.url.origin)
        isAccepted = set(CURLOPT_REQUEST_TARGET, request.url.target) && isAccepted
        let body = request.upload == nil ? request.sentBody : Data()
        if let upload = request.upload, upload.length != 0 {
            try setUpload(upload, method: request.method)
        } else {
            try setMethod(request.method, body: body)
        }
        let hasBody = body != nil || request.upload != nil
        let codings = request.acceptsContentCodings ? TransferSlot.contentCodings : "identity"
        guard lines.write(request.fields, host: hostField, codings: codings, hasBody: hasBody) == .written else {
            throw refusal("a header field has a line break or a zero byte")
        }
        isAccepted = set(CURLOPT_HTTPHEADER, UnsafeRawPointer(lines.list)) && isAccepted
        setVersion(request.version, isSecure: request.url.origin.isSecure)
        setConnectLimit(request.timeouts.connect)
        switch request.responseBody {
        case .collect(let limit): bodyLimit = limit
        case .stream: bodyLimit = .max
        }
        let isStream = request.responseBody == .stream
        if isStream != isStreamBuffered {
            isStreamBuffered = isStream
            set(CURLOPT_BUFFERSIZE, isStream ? TransferSlot.streamReadBytes : TransferSlot.collectedReadBytes)
        }
        guard isAccepted else { throw refusal("libcurl rejects the request's URL or fields") }
    }

    private func refusal(_ message: String) -> TransportFailure {
        TransportFailure(.invalidRequest, delivery: .notSent, message: message)
    }

    /// Sets the origin. Only the origin passes through libcurl's URL parser. The target is sent unchanged.
    private func setOrigin(_ new: Origin) -> Bool {
        if let origin, origin == new { return true }
        origin = nil
        if originURL == nil { originURL = curl_url() }
        guard let originURL, curl_url_set(originURL, CURLUPART_URL, new.urlString, 0) == CURLUE_OK else { return false }
        guard helium_easy_set_pointer(easy, CURLOPT_CURLU, UnsafeRawPointer(originURL)) == CURLE_OK else {
            return false
        }
        var host: UnsafeMutablePointer<CChar>?
        let isKnown = curl_url_get(originURL, CURLUPART_HOST, &host, 0) == CURLUE_OK
        // libcurl changes the form of an address ("127.1", "[::0]"). The field must match the form that was signed.
        hostField = isKnown && host.map { String(cString: $0) } == new.host ? nil : new.hostHeader
        curl_free(host)
        origin = new
        return true
    }

    private func setMethod(_ method: HTTPRequest.Method, body: Data?) throws(TransportFailure) {
        let wanted: Verb = body != nil ? .post : method == .head ? .head : .get
        if wanted == .post, method == .head { throw refusal("a HEAD request can't have a body") }
        setVerb(wanted)
        try setName(of: method, implied: wanted == .post ? .post : wanted == .head ? .head : .get)
        if let body { setBody(body) }
    }

    /// Sets a body of unknown or positive length, which libcurl reads in pieces.
    private func setUpload(_ upload: UploadBody, method: HTTPRequest.Method) throws(TransportFailure) {
        if method == .head { throw refusal("a HEAD request can't have a body") }
        setVerb(.upload)
        try setName(of: method, implied: .put)
        _ = helium_easy_set_offset(easy, CURLOPT_INFILESIZE_LARGE, curl_off_t(upload.length ?? -1))
    }

    private func setVerb(_ wanted: Verb) {
        guard wanted != verb else { return }
        switch verb {
        case .post: set(CURLOPT_POSTFIELDS, UnsafeRawPointer?.none)
        case .upload:
            set(CURLOPT_UPLOAD, 0)
            set(CURLOPT_UPLOAD_BUFFERSIZE, TransferSlot.ordinaryUploadBytes)
        case .none, .get, .head: break
        }
        switch wanted {
        case .get, .none: set(CURLOPT_HTTPGET, 1)
        case .head: set(CURLOPT_NOBODY, 1)
        case .post: set(CURLOPT_POST, 1)
        case .upload:
            set(CURLOPT_UPLOAD, 1)
            set(CURLOPT_UPLOAD_BUFFERSIZE, UploadFeed.highMark)
        }
        verb = wanted
    }

    private func setName(of method: HTTPRequest.Method, implied: HTTPRequest.Method) throws(TransportFailure) {
        let custom = method == implied ? nil : method.rawValue
        guard custom != customMethod else { return }
        guard set(CURLOPT_CUSTOMREQUEST, custom) else { throw refusal("libcurl rejects the method") }
        customMethod = custom
    }

    private func setBody(_ body: Data) {
        _ = helium_easy_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
        if body.count <= TransferSlot.smallBodyCapacity {
            let memory = smallBodyMemory()
            body.withUnsafeBytes { bytes in
                if let base = bytes.baseAddress { memory.copyMemory(from: base, byteCount: bytes.count) }
            }
            set(CURLOPT_POSTFIELDS, UnsafeRawPointer(memory))
        } else {
            // Above a few bytes Data keeps its contents on the heap. The copy here retains that storage, and it is
            // never modified: a writer elsewhere would get a storage of its own.
            requestBody = body
            body.withUnsafeBytes { bytes in _ = set(CURLOPT_POSTFIELDS, bytes.baseAddress) }
        }
    }

    private func setVersion(_ new: HTTPVersionPolicy, isSecure: Bool) {
        isPriorKnowledge = false
        isRefused = false
        switch new.choice {
        // Over TLS the handshake always negotiates. With prior knowledge libcurl would use HTTP/2 on a reused HTTP/1.1
        // connection too, although the server did not choose it.
        case .automatic,
            .http2PriorKnowledge where isSecure:
            setVersion(Int(CURL_HTTP_VERSION_2TLS))
        case .http1: setVersion(Int(CURL_HTTP_VERSION_1_1))
        // The version for libcurl depends on the connections at the time of the start.
        case .http2PriorKnowledge: isPriorKnowledge = true
        }
        // The request waits for another request's handshake only if it will share that connection. In clear text the
        // loop itself handles that.
        let waits = isSecure && new.choice != .http1
        if waits != isPipeWaiting {
            isPipeWaiting = waits
            set(CURLOPT_PIPEWAIT, waits ? 1 : 0)
        }
    }

    private func setVersion(_ new: Int) {
        guard version != new else { return }
        version = new
        set(CURLOPT_HTTP_VERSION, new)
    }

    /// Makes the handle use the connections in `cache`, either a new one or an open one. Called by the loop, before the
    /// transfer.
    func join(_ cache: UnsafeMutableRawPointer, as role: PriorKnowledge.Role) -> Bool {
        setVersion(Int(role == .opener ? CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE : CURL_HTTP_VERSION_2_0))
        return set(CURLOPT_FRESH_CONNECT, role == .opener ? 1 : 0) && set(CURLOPT_SHARE, UnsafeRawPointer(cache))
    }

    /// Undoes ``join(_:as:)``. Called by the loop, after the transfer.
    func leaveCache() {
        set(CURLOPT_SHARE, UnsafeRawPointer?.none)
        set(CURLOPT_FRESH_CONNECT, 0)
    }

    private func setConnectLimit(_ limit: Duration?) {
        if let connectLimit, connectLimit == limit { return }
        connectLimit = .some(limit)
        set(CURLOPT_CONNECTTIMEOUT_MS, ConnectLimit.milliseconds(limit))
    }
}
