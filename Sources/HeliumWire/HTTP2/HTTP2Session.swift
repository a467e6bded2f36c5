#if HTTP2
    import CNGHTTP2
    package import HeliumBytes
    import HeliumCore

    /// One HTTP/2 connection of a client (RFC 9113), without its socket.
    ///
    /// ``receive(_:now:)`` takes the bytes that arrive and calls the exchanges. ``write(into:upTo:)`` gives the bytes that
    /// are to be sent; call it after every other method while ``wantsToWrite``. Each exchange is referred to until its last
    /// event, and has exactly one last event unless it was cancelled.
    package final class HTTP2Session {
        /// The reason why the connection ended, if it was not the peer that ended it.
        package private(set) var fault: HTTP2Fault?
        /// The number of streams that the peer accepts at once. Until its SETTINGS arrive, the number that was expected.
        package private(set) var maximumStreams: Int
        /// The number of pings that the peer has answered.
        package private(set) var pongs = 0
        /// The number of DATA frames that were written.
        package private(set) var uploadedFrames = 0

        let session: OpaquePointer
        private let settings: HTTP2Settings
        private let line = HTTP2Line()
        private var pings = 0
        /// The last stream of the peer's GOAWAY.
        private var lastStream: Int32?
        private var isClosing = false
        private var hasEnded = false
        /// Whether nghttp2 has failed, so that only its memory can be freed.
        private var isBroken = false

        // No code of an exchange runs while one of these is read or changed: a stream that leaves them is still referred to
        // by the caller, and the methods of the two structures call neither the session nor an exchange. So their accesses
        // can't overlap, and checking that took 5 % of a call.
        @exclusivity(unchecked) private var floodGuard: HTTP2FloodGuard
        @exclusivity(unchecked) private var fields = HTTP2FieldList()
        @exclusivity(unchecked) private var streams: [Int32: HTTP2Stream] = [:]
        /// The stream that was looked up last. Most callbacks concern the same stream as the one before.
        @exclusivity(unchecked) private var cached: (id: Int32, stream: HTTP2Stream)?
        /// The parser of that stream, which has a reference to it. Fields are taken without counting another one.
        @exclusivity(unchecked) private var cachedHead: (id: Int32, head: Unmanaged<HeadParser>)?

        /// Creates a session that has the client's preface to write. `nil` if there is not enough memory.
        package init?(_ settings: HTTP2Settings) {
            guard let session = makeHTTP2Session() else { return nil }
            self.session = session
            self.settings = settings
            maximumStreams = settings.expectedStreams
            floodGuard = HTTP2FloodGuard(sectionBytes: settings.limits.headerBytes)
            nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
            guard begin() else { return nil }
        }

        deinit { nghttp2_session_del(session) }

        private func begin() -> Bool {
            let entries = [
                nghttp2_settings_entry(NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, 4096),
                nghttp2_settings_entry(NGHTTP2_SETTINGS_ENABLE_PUSH, 0),
                nghttp2_settings_entry(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.streamWindow),
                nghttp2_settings_entry(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, Int32(settings.headerListBytes)),
            ]
            return nghttp2_submit_settings(session, 0, entries, entries.count) == 0
                && nghttp2_session_set_local_window_size(session, 0, 0, settings.connectionWindow) == 0
                && nghttp2_session_set_next_stream_id(session, settings.firstStream) == 0
        }
    }

    extension nghttp2_settings_entry {
        fileprivate init(_ id: nghttp2_settings_id, _ value: Int32) {
            self.init(settings_id: Int32(id.rawValue), value: UInt32(value))
        }
    }

    // MARK: The caller's side

    extension HTTP2Session {
        /// The number of open exchanges.
        package var streamCount: Int { streams.count }

        /// Whether requests can be submitted: neither side is closing, and there are stream identifiers left.
        package var acceptsStreams: Bool {
            fault == nil && lastStream == nil && !isClosing && !hasEnded && hasIdentifiers
        }

        private var hasIdentifiers: Bool { nghttp2_session_get_next_stream_id(session) <= UInt32(Int32.max) }

        /// Whether ``write(into:upTo:)`` has something to write.
        package var wantsToWrite: Bool { !isBroken && nghttp2_session_want_write(session) != 0 }

        /// Submits a request.
        ///
        /// - Parameter exchange: Its head parser must have been reset.
        /// - Returns: The stream, or `nil` if none can be opened. Then the exchange gets no events.
        package func submit(_ head: borrowing RequestHead, for exchange: any HTTP2Exchange) -> Int32? {
            guard acceptsStreams else { return nil }
            let stream = HTTP2Stream(exchange, for: head, window: settings.streamWindow)
            fields.write(head)
            var provider = nghttp2_data_provider()
            provider.read_callback = readHTTP2Body
            let id = withUnsafePointer(to: &provider) {
                let provider = stream.isRequestComplete ? nil : $0
                return nghttp2_submit_request(session, nil, fields.start, fields.count, provider, nil)
            }
            guard id > 0 else { return nil }
            streams[id] = stream
            remember(id, stream)
            floodGuard.earn(4)
            return id
        }

        /// Takes bytes of the peer, of any number.
        ///
        /// - Parameter now: A monotonic time in nanoseconds.
        /// - Returns: The reason why the connection has to end. All exchanges have ended then.
        package func receive(_ bytes: UnsafeRawBufferPointer, now: UInt64) -> HTTP2Fault? {
            guard !hasEnded else { return fault }
            let passage = floodGuard.scan(bytes, now: now)
            var taken = passage.hasSplitHeader ? floodGuard.splitHeader.withUnsafeBytes(process) : 0
            if taken >= 0, !passage.range.isEmpty {
                taken = process(UnsafeRawBufferPointer(rebasing: bytes[passage.range]))
            }
            if taken < 0 {
                isBroken = true
                fail(taken == NGHTTP2_ERR_NOMEM.code ? .outOfMemory : .flood)
            } else if isTerminated {
                fail(.framing)
            } else if let flaw = passage.fault {
                let code = flaw == .framing ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_ENHANCE_YOUR_CALM
                nghttp2_session_terminate_session(session, code.rawValue)
                fail(flaw)
            }
            return fault
        }

        private func process(_ bytes: UnsafeRawBufferPointer) -> Int {
            let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return nghttp2_session_mem_recv(session, start, bytes.count)
        }

        /// Whether nghttp2 has found an error of the connection. It tells so only by refusing requests, and only as long
        /// as these are not refused for another reason. Else its GOAWAY shows the error, in ``write(into:upTo:)``.
        private var isTerminated: Bool {
            lastStream == nil && !isClosing && hasIdentifiers && nghttp2_session_check_request_allowed(session) == 0
        }

        /// Appends the bytes that can be sent now, up to one frame more than `limit` bytes in `output`. Asks the exchanges
        /// for the bodies of their requests.
        package func write(into output: inout ByteQueue, upTo limit: Int) {
            while output.count < limit, !isBroken {
                var start: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(session, &start)
                if count < 0 {
                    isBroken = true
                    fail(.outOfMemory)
                }
                guard count > 0, let start else { return }
                output.append(UnsafeRawBufferPointer(start: start, count: count))
            }
        }

        /// Whether a request was written, so that it reaches the peer if the connection lasts. `true` if its exchange has ended.
        package func hasWritten(_ stream: Int32) -> Bool { streams[stream].map { $0.isWritten } ?? true }

        /// Continues with the body of a request after ``BodySupply/nothing``.
        package func continueBody(of stream: Int32) {
            if !isBroken, streams[stream] != nil { nghttp2_session_resume_data(session, stream) }
        }

        /// Gives room for more bytes of a body to the peer.
        ///
        /// - Parameter count: The number of bytes that the consumer has taken since the last call. Bytes of exchanges that
        ///   have ended need not be reported.
        package func consumed(_ count: Int, of stream: Int32) {
            guard count > 0, !isBroken, let state = self.stream(stream) else { return }
            let (count, hasGrown) = state.noteConsumed(count, upTo: settings.maximumStreamWindow)
            nghttp2_session_consume_stream(session, stream, count)
            if hasGrown { nghttp2_session_set_local_window_size(session, 0, stream, state.window) }
        }

        /// Ends an exchange, which gets no more events.
        package func cancel(_ stream: Int32) {
            if let state = remove(stream) { abandon(stream, state, NGHTTP2_CANCEL) }
        }

        /// Ends the exchanges above the peer's limit on streams of whose requests nothing was written, the newest first.
        package func takeBack() {
            for id in streams.keys.sorted(by: >) {
                guard streams.count > maximumStreams else { return }
                guard let stream = streams[id], !stream.isWritten else { continue }
                reset(id, NGHTTP2_CANCEL)
                finish(id, stream, .closed(.notProcessed))
            }
        }

        /// Asks the peer for a sign of life, which ``pongs`` counts.
        package func ping() {
            if !hasEnded, nghttp2_submit_ping(session, 0, nil) == 0 { pings += 1 }
        }

        /// Announces that there will be no more requests. Open exchanges go on.
        package func close() {
            guard !isClosing, !hasEnded else { return }
            isClosing = true
            nghttp2_submit_goaway(session, 0, 0, NGHTTP2_NO_ERROR.rawValue, nil, 0)
        }

        /// Ends all exchanges because the connection has ended.
        package func end() {
            hasEnded = true
            for id in streams.keys.sorted() {
                guard let stream = streams[id] else { continue }
                finish(id, stream, .closed(stream.isWritten ? .lost : .notProcessed))
            }
        }

        private func fail(_ fault: HTTP2Fault) {
            guard !hasEnded else { return }
            self.fault = fault
            hasEnded = true
            if fault == .headerSection, let stream = stream(floodGuard.stream), !stream.head.isComplete {
                let limit = settings.limits.headerBytes
                finish(floodGuard.stream, stream, .fault(.ceiling(.headerBytes, limit: limit)))
            }
            end()
        }
    }

    // MARK: Streams

    extension HTTP2Session {
        private func stream(_ id: Int32) -> HTTP2Stream? {
            if let cached, cached.id == id { return cached.stream }
            guard let stream = streams[id] else { return nil }
            remember(id, stream)
            return stream
        }

        private func remember(_ id: Int32, _ stream: HTTP2Stream) {
            cached = (id, stream)
            cachedHead = (id, Unmanaged.passUnretained(stream.head))
        }

        /// Whether an exchange has not ended.
        private func isOpen(_ id: Int32) -> Bool { cached?.id == id || streams[id] != nil }

        private func remove(_ id: Int32) -> HTTP2Stream? {
            if let cached, cached.id == id {
                self.cached = nil
                cachedHead = nil
            }
            return streams.removeValue(forKey: id)
        }

        private func reset(_ id: Int32, _ code: nghttp2_error_code) {
            if !isBroken { nghttp2_submit_rst_stream(session, 0, id, code.rawValue) }
        }

        /// Ends a stream whose response is not wanted any more. The peer may have sent as much of it as the window permits.
        private func abandon(_ id: Int32, _ stream: HTTP2Stream, _ code: nghttp2_error_code) {
            floodGuard.abandoned(stream.isWritten ? stream.room : 0)
            reset(id, code)
        }

        /// Ends an exchange.
        private func finish(_ id: Int32, _ stream: HTTP2Stream, _ event: HTTP2Event) {
            if remove(id) != nil { stream.exchange.received(event) }
        }

        /// Ends an exchange whose response can't be accepted.
        private func refuse(_ id: Int32, _ stream: HTTP2Stream, _ fault: ResponseFault, _ code: nghttp2_error_code) {
            abandon(id, stream, code)
            finish(id, stream, .fault(fault))
        }

        private static let invalid = ResponseFault.malformed("the response is not valid HTTP")
        private static let wrongLength = ResponseFault.malformed("the body has another length than its Content-Length")
    }

    // MARK: nghttp2's side

    extension HTTP2Session {
        /// Returns whether the other fields of the section are wanted.
        func received(name: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, of id: Int32) -> Bool {
            let isStatus = name.first == UInt8(ascii: ":")
            if !isStatus, let cachedHead, cachedHead.id == id {
                let event = cachedHead.head._withUnsafeGuaranteedRef { $0.takeField(name, value) }
                if case .none = event { return true }
                guard let stream = stream(id) else { return false }
                return process(event, id, stream)
            }
            guard let stream = stream(id) else { return false }
            let event: HeadParser.Event
            if isStatus {
                // nghttp2 has checked that it is the one pseudo-header field of a response, with three digits.
                guard let first = value.first, first > UInt8(ascii: "0") else {
                    refuse(id, stream, HTTP2Session.invalid, NGHTTP2_PROTOCOL_ERROR)
                    return false
                }
                event = stream.head.take(line.status(value))
            } else {
                event = stream.head.takeField(name, value)
            }
            return process(event, id, stream)
        }

        /// Returns whether the exchange goes on.
        private func process(_ event: HeadParser.Event, _ id: Int32, _ stream: HTTP2Stream) -> Bool {
            switch event {
            case .none: return true
            case .interim: stream.exchange.received(.interim)
            case .status: stream.exchange.received(.status)
            case .complete:
                floodGuard.earn(4)
                stream.expectBody()
                stream.exchange.received(.head)
            case .fault(let fault):
                let isMalformed = if case .malformed = fault { true } else { false }
                refuse(id, stream, fault, isMalformed ? NGHTTP2_PROTOCOL_ERROR : NGHTTP2_CANCEL)
                return false
            }
            return isOpen(id)
        }

        /// A header section is complete.
        func receivedHead(of id: Int32, isLast: Bool) {
            guard let stream = stream(id) else { return }
            let event = stream.head.take(line.end())
            if process(event, id, stream), isLast { complete(id) }
        }

        /// A DATA frame begins. nghttp2 checks the length too, but says nothing until its RST_STREAM is written.
        func beganData(_ count: Int, isPadded: Bool, isLast: Bool, of id: Int32) {
            guard !isPadded, let stream = stream(id), stream.head.isComplete else { return }
            if stream.accepts(count, isLast: isLast) { return }
            refuse(id, stream, HTTP2Session.wrongLength, NGHTTP2_PROTOCOL_ERROR)
        }

        func received(data: UnsafeRawBufferPointer, of id: Int32) {
            // The stream's window has room again when the consumer says so.
            nghttp2_session_consume_connection(session, data.count)
            guard let stream = stream(id) else { return }
            stream.noteReceived(data.count)
            stream.exchange.received(.body(data))
        }

        /// A DATA frame is complete.
        func endedData(_ count: Int, isLast: Bool, of id: Int32) {
            guard stream(id) != nil else { return }
            // Peers send a PING or a WINDOW_UPDATE for the data that they send.
            if count > 0 { floodGuard.earn(3) }
            if isLast { complete(id) }
        }

        private func complete(_ id: Int32) {
            guard let stream = stream(id) else { return }
            floodGuard.earn(2)
            if !stream.isRequestComplete { reset(id, NGHTTP2_NO_ERROR) }
            finish(id, stream, .end)
        }

        /// nghttp2 refuses a header section.
        func receivedInvalidHead(of id: Int32) {
            if let stream = stream(id) { refuse(id, stream, HTTP2Session.invalid, NGHTTP2_PROTOCOL_ERROR) }
        }

        func receivedReset(_ code: UInt32, of id: Int32) {
            guard let stream = stream(id) else { return }
            let hasAnswered = stream.head.hasAnswered
            let end: HTTP2End =
                switch code {
                case NGHTTP2_REFUSED_STREAM.rawValue where !hasAnswered: .refused
                case NGHTTP2_HTTP_1_1_REQUIRED.rawValue where !hasAnswered: .http1Required
                default: .reset(code)
                }
            finish(id, stream, .closed(end))
        }

        func receivedSettings() {
            let limit = nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
            maximumStreams = Int(limit)
        }

        func receivedPong() {
            // Without a ping before, it means nothing.
            if pongs < pings { pongs += 1 }
        }

        func receivedGoAway(after last: Int32, _ code: UInt32) {
            lastStream = last
            let unprocessed: HTTP2End = code == NGHTTP2_HTTP_1_1_REQUIRED.rawValue ? .http1Required : .notProcessed
            for id in streams.keys.sorted() where id > last {
                guard let stream = streams[id] else { continue }
                finish(id, stream, .closed(stream.head.hasAnswered ? .lost : unprocessed))
            }
        }

        /// A stream is closed. Its exchange has ended, unless nghttp2 resets the stream for a reason of its own.
        func closed(_ id: Int32, _ code: UInt32) {
            guard let stream = stream(id) else { return }
            switch nghttp2_error_code(code) {
            case NGHTTP2_PROTOCOL_ERROR: finish(id, stream, .fault(HTTP2Session.invalid))
            case NGHTTP2_FLOW_CONTROL_ERROR: finish(id, stream, .fault(HTTP2Fault.framing.responseFault))
            default: finish(id, stream, .closed(stream.isWritten ? .lost : .notProcessed))
            }
        }

        func writesHead(of id: Int32) { stream(id)?.isWritten = true }

        func wroteData(_ count: Int) {
            uploadedFrames &+= 1
            floodGuard.uploaded(count)
        }

        func wroteGoAway(_ code: UInt32) {
            if code != NGHTTP2_NO_ERROR.rawValue { fail(.framing) }
        }

        /// A part of the body of a request.
        enum Upload { case bytes(Int, isLast: Bool), deferred, failed }

        func upload(into room: UnsafeMutableRawBufferPointer, of id: Int32) -> Upload {
            guard let stream = stream(id) else { return .failed }
            let supply = stream.exchange.supplyBody(room)
            // The exchange may have cancelled itself.
            guard isOpen(id) else { return .failed }
            switch supply {
            case .nothing, .bytes(0, isLast: false): return .deferred
            case .bytes(let count, let isLast) where 0...room.count ~= count:
                if let missing = stream.missingRequest {
                    let rest = missing - Int64(count)
                    guard rest >= 0, rest == 0 || !isLast else { break }
                    stream.missingRequest = rest
                    stream.isRequestComplete = rest == 0
                } else {
                    stream.isRequestComplete = isLast
                }
                return .bytes(count, isLast: stream.isRequestComplete)
            case .end where stream.missingRequest ?? 0 == 0:
                stream.isRequestComplete = true
                return .bytes(0, isLast: true)
            case .bytes, .end, .failed: break
            }
            abandon(id, stream, NGHTTP2_CANCEL)
            finish(id, stream, .closed(.requestBody))
            return .failed
        }
    }
#endif
