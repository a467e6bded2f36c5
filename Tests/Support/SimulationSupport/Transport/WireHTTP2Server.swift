#if HTTP2
    import CNGHTTP2

    /// A server of HTTP/2 on a simulated connection, by libnghttp2: requests are answered, refused, reset and
    /// forgotten, and the connection is retired and cut.
    final class WireHTTP2Server: WireServer {
        /// A request and its response.
        private final class Stream {
            let attempt: WireAttempt
            let isHead: Bool
            var bodyCount = 0
            var isRequestWhole = false
            var status = 200
            var length = 0
            /// The body in its coding, if it has one.
            var content: [UInt8]?
            var position = 0
            var hasAnswered = false
            /// The positions at which the response waits, and at which it is reset.
            var pause: Int?
            var cut: Int?
            var hasTrailers = false

            init(_ attempt: WireAttempt, isHead: Bool) {
                self.attempt = attempt
                self.isHead = isHead
            }
        }

        private unowned let line: WireLine
        private unowned let world: WireWorld
        private var dice: WireDice { world.dice }
        private var host: WireHost { line.host }
        private var session: OpaquePointer?
        private var streams: [Int32: Stream] = [:]
        private var fields: [Int32: [String: String]] = [:]
        private var isOver = false
        /// The last stream that is processed, once the server goes away.
        private var lastProcessed: Int32?
        /// Whether the client was given a reason to end the connection.
        private var hasBrokenRules = false
        private var lastRequest: Int32 = 0

        init(_ line: WireLine, _ world: WireWorld) {
            self.line = line
            self.world = world
            session = makeSession(Unmanaged.passUnretained(self).toOpaque())
            announceStreams(host.streamLimit)
            pump()
            if host.malice > 0 { idle() }
        }

        deinit { nghttp2_session_del(session) }

        func clientEnded() { isOver = true }

        func disturb() {
            guard !isOver, streams.isEmpty, lastRequest > 0, mayEndSuddenly else { return }
            isOver = true
            line.finishNow(reset: dice.oneIn(3))
            world.count("idle connection disturbed")
        }

        func receive(_ bytes: [UInt8]) {
            guard !isOver else { return }
            let count = nghttp2_session_mem_recv(session, bytes, bytes.count)
            world.expect(count == bytes.count, "the server of line \(line.number) rejects frames: \(count)")
            pump()
        }

        /// Sends what is due.
        private func pump() {
            while !isOver {
                var start: UnsafePointer<UInt8>?
                let count = nghttp2_session_mem_send(session, &start)
                guard count > 0, let start else { break }
                line.send(Array(UnsafeBufferPointer(start: start, count: count)))
            }
            if lastProcessed != nil, streams.isEmpty, !isOver {
                isOver = true
                line.finish()
            }
        }

        private func later(_ delay: UInt64, _ action: @escaping () -> Void) {
            world.after(delay) { [self] in
                guard !isOver, !line.isClosed else { return }
                action()
                pump()
            }
        }
    }

    // MARK: The connection

    extension WireHTTP2Server {
        private func announceStreams(_ limit: Int) {
            var entry = nghttp2_settings_entry()
            entry.settings_id = Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue)
            entry.value = UInt32(limit)
            nghttp2_submit_settings(session, 0, &entry, 1)
        }

        /// Retires the connection. Requests above `last` are not processed.
        private func goAway(after last: Int32) {
            guard lastProcessed == nil else { return }
            lastProcessed = last
            world.count("GOAWAY")
            world.note("line \(line.number) goes away after stream \(last)")
            for (id, stream) in streams where id > last {
                stream.attempt.isRefused = true
                streams[id] = nil
            }
            nghttp2_submit_goaway(session, 0, last, NGHTTP2_NO_ERROR.rawValue, nil, 0)
        }

        private func end(isReset: Bool) {
            isOver = true
            world.count("ended without a response")
            isReset ? line.reset(keepsBytes: dice.oneIn(2)) : line.finish(isOrderly: dice.oneIn(2))
        }

        /// Whether the connection may end without a GOAWAY. Requests are written at the end of a turn, so one that was
        /// submitted may be lost with the connection, and a calm server leaves no such moment.
        private var mayEndSuddenly: Bool {
            !line.isMoving && (host.malice > 0 || !world.hasUnsentFrames(on: line))
        }

        /// Lets something happen to a connection without requests.
        private func idle() {
            let last = lastRequest
            let delay = dice.delay() + dice.delay()
            let isFree: () -> Bool = { [self] in lastRequest == last && streams.isEmpty && !line.isSilent }
            switch dice.below(8) {
            case 0, 1:
                later(delay) { [self] in
                    guard isFree(), mayEndSuddenly else { return }
                    isOver = true
                    world.count("idle connection ended")
                    line.finishNow(reset: dice.oneIn(3))
                }
            case 2: later(delay) { [self] in if isFree() { goAway(after: lastRequest) } }
            case 3: later(delay) { [self] in nghttp2_submit_ping(session, 0, nil) }
            case 4 where host.malice > 0: later(delay) { [self] in if isFree() { line.fallSilent() } }
            case 5 where host.malice > 0:
                later(delay) { [self] in
                    guard isFree(), line.inject([0, 0, 3, 0, 0, 0, 0, 0, 1, 1, 2, 3]) else { return }
                    hasBrokenRules = true
                    world.count("bytes on an idle connection")
                }
            default: break
            }
        }
    }

    // MARK: Requests

    extension WireHTTP2Server {
        fileprivate func received(_ name: String, _ value: String, of id: Int32) {
            fields[id, default: [:]][name] = value
        }

        fileprivate func receivedHead(of id: Int32, isLast: Bool) {
            guard let fields = fields.removeValue(forKey: id), let target = fields[":path"] else { return }
            let number = WireCall.number(ofTarget: target) ?? -1
            world.expect(fields["x-call"] == "\(number)", "call \(number) has the field of another one")
            world.expect(fields[":authority"] == host.name, "call \(number) has come to \(fields[":authority"] ?? "")")
            let attempt = WireAttempt(call: number, line: line.number)
            world.begin(attempt)
            world.note("line \(line.number) gets \(fields[":method"] ?? "") of call \(number), stream \(id)")
            lastRequest = id
            if let lastProcessed, id > lastProcessed {
                attempt.isRefused = true
                return
            }
            let stream = Stream(attempt, isHead: fields[":method"] == "HEAD")
            streams[id] = stream
            if isLast { requestEnded(stream) }
            if dice.percent(host.malice) { return mistreat(id, stream) }
            switch dice.below(100) {
            case 0..<5: return refuse(id, stream, NGHTTP2_REFUSED_STREAM)
            case 5..<7 where host.scheme == .tls: return refuse(id, stream, NGHTTP2_HTTP_1_1_REQUIRED)
            case 7..<10:
                let answered = streams.filter { $0.value.attempt.hasResponded }.keys.max() ?? 0
                goAway(after: dice.pick([id, max(answered, id - 2), answered]))
                if stream.attempt.isRefused { return }
            case 10..<13:
                announceStreams(dice.below(4))
                later(dice.delay()) { [self] in announceStreams(host.streamLimit) }
                world.count("limit of streams changed")
            case 13..<15: nghttp2_submit_ping(session, 0, nil)
            default: break
            }
            if fields["expect"] == "100-continue", !isLast, !dice.oneIn(6) {
                later(dice.delay()) { [self] in interim(id, "100") }
            }
            if isLast || dice.oneIn(12) { answerLater(id, stream) }
        }

        fileprivate func received(_ bytes: UnsafeBufferPointer<UInt8>, of id: Int32) {
            guard let stream = streams[id] else { return }
            let isOwn = WireContent.match(bytes, .request, of: stream.attempt.call, at: stream.bodyCount)
            world.expect(isOwn, "call \(stream.attempt.call) has other bytes in its body")
            stream.bodyCount += bytes.count
        }

        fileprivate func receivedEnd(of id: Int32) {
            guard let stream = streams[id], !stream.isRequestWhole else { return }
            requestEnded(stream)
            answerLater(id, stream)
        }

        private func requestEnded(_ stream: Stream) {
            stream.isRequestWhole = true
            let length = world.calls[stream.attempt.call].uploadLength
            world.expect(
                stream.bodyCount == length,
                "call \(stream.attempt.call) has \(stream.bodyCount) bytes, not \(length)"
            )
        }

        private func refuse(_ id: Int32, _ stream: Stream, _ code: nghttp2_error_code) {
            world.count(code == NGHTTP2_REFUSED_STREAM ? "REFUSED_STREAM" : "HTTP_1_1_REQUIRED")
            stream.attempt.isRefused = true
            streams[id] = nil
            nghttp2_submit_rst_stream(session, 0, id, code.rawValue)
        }

        private func mistreat(_ id: Int32, _ stream: Stream) {
            switch dice.below(8) {
            case 0: world.count("silence")
            case 1:
                world.count("stream reset")
                later(dice.delay()) { [self] in
                    nghttp2_submit_rst_stream(session, 0, id, NGHTTP2_INTERNAL_ERROR.rawValue)
                }
            case 2: later(dice.delay()) { [self] in end(isReset: dice.oneIn(2)) }
            case 3: later(dice.delay()) { [self] in line.fallSilent() }
            case 4:
                answerLater(id, stream)
                later(dice.delay()) { [self] in end(isReset: dice.oneIn(2)) }
            case 5, 6:
                stream.cut = dice.below(400)
                answerLater(id, stream)
            default:
                stream.pause = dice.below(400)
                world.count("slow response")
                answerLater(id, stream)
            }
        }
    }

    // MARK: Responses

    extension WireHTTP2Server {
        private func answerLater(_ id: Int32, _ stream: Stream) {
            later(dice.delay()) { [self] in
                guard streams[id] === stream, !stream.hasAnswered else { return }
                answer(id, stream)
            }
        }

        private func interim(_ id: Int32, _ status: String) {
            guard let stream = streams[id], !stream.hasAnswered else { return }
            world.count(status)
            stream.attempt.hasResponded = true
            Self.withFields([(":status", status)]) { fields, count in
                _ = nghttp2_submit_headers(session, 0, id, nil, fields, count, nil)
            }
        }

        private func answer(_ id: Int32, _ stream: Stream) {
            if dice.oneIn(10) { interim(id, "103") }
            stream.hasAnswered = true
            stream.attempt.hasResponded = true
            stream.status = dice.pick([200, 200, 200, 200, 204, 304, 404, 500])
            let hasBody = !stream.isHead && stream.status != 204 && stream.status != 304
            let call = world.calls[stream.attempt.call]
            stream.length = hasBody ? dice.bodySize(isLarge: call.readsSlowly) : 0
            stream.attempt.status = stream.status
            stream.attempt.length = stream.length
            var fields = [(":status", "\(stream.status)"), ("x-call", "\(stream.attempt.call)")]
            let coding: WireCoding = hasBody ? .pick(dice) : .identity
            if let name = coding.name {
                world.count("content coding")
                let content = coding.encode(WireContent.bytes(.response, of: stream.attempt.call, 0..<stream.length))
                stream.content = content
                stream.length = content.count
                fields.append(("content-encoding", name))
            }
            stream.cut = stream.cut.map { min($0, stream.length) }
            stream.hasTrailers = hasBody && dice.oneIn(8)
            if hasBody, dice.oneIn(2) { fields.append(("content-length", "\(stream.length)")) }
            Self.withFields(fields) { fields, count in
                guard hasBody else {
                    stream.attempt.isWhole = true
                    return _ = nghttp2_submit_response(session, id, fields, count, nil)
                }
                var provider = nghttp2_data_provider()
                provider.read_callback = readBody
                _ = nghttp2_submit_response(session, id, fields, count, &provider)
            }
        }

        /// Copies the next part of a response.
        fileprivate func supply(_ room: UnsafeMutableBufferPointer<UInt8>, of id: Int32, _ flags: inout UInt32) -> Int {
            guard let stream = streams[id] else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
            if let cut = stream.cut, stream.position >= cut {
                stream.cut = nil
                stream.pause = stream.position
                world.count("cut response")
                later(0) { [self] in nghttp2_submit_rst_stream(session, 0, id, NGHTTP2_INTERNAL_ERROR.rawValue) }
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            if let pause = stream.pause, stream.position >= pause {
                later(WireTime.milliseconds(100 + dice.below(8_000))) { [self] in
                    stream.pause = nil
                    nghttp2_session_resume_data(session, id)
                }
                return Int(NGHTTP2_ERR_DEFERRED.rawValue)
            }
            let limit = min(stream.cut ?? .max, stream.pause ?? .max)
            let count = min(room.count, stream.length - stream.position, max(0, limit - stream.position))
            let range = stream.position..<stream.position + count
            let bytes =
                stream.content.map { Array($0[range]) } ?? WireContent.bytes(.response, of: stream.attempt.call, range)
            _ = room.update(fromContentsOf: bytes)
            stream.position += count
            guard stream.position == stream.length, stream.cut == nil else { return count }
            stream.attempt.isWhole = true
            flags |= NGHTTP2_DATA_FLAG_EOF.rawValue
            if stream.hasTrailers {
                flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
                Self.withFields([("x-trailer", "1")]) { fields, count in
                    _ = nghttp2_submit_trailer(session, id, fields, count)
                }
            }
            return count
        }

        fileprivate func closed(_ id: Int32) {
            fields[id] = nil
            guard streams.removeValue(forKey: id) != nil else { return }
            if streams.isEmpty { idle() }
        }

        fileprivate func receivedGoAway(_ code: UInt32) {
            let isCalm = code == NGHTTP2_NO_ERROR.rawValue || hasBrokenRules
            world.expect(isCalm, "the client ends line \(line.number) with error \(code)")
        }

        fileprivate func receivedInvalidFrame(_ code: Int32, on id: Int32) {
            // Only the new limit of streams is not known to the client yet.
            if code == NGHTTP2_ERR_REFUSED_STREAM.rawValue { return world.noteRefusal(ofStream: id, on: line) }
            world.expect(false, "the client has sent an invalid frame on line \(line.number): \(code)")
        }

        private static func withFields(_ fields: [(String, String)], _ body: (UnsafePointer<nghttp2_nv>, Int) -> Void) {
            var bytes = fields.flatMap { Array($0.0.utf8) + Array($0.1.utf8) }
            bytes.withUnsafeMutableBufferPointer { bytes in
                guard var place = bytes.baseAddress else { return }
                let values = fields.map { name, value in
                    let (nameCount, valueCount) = (name.utf8.count, value.utf8.count)
                    defer { place += nameCount + valueCount }
                    return nghttp2_nv(
                        name: place,
                        value: place + nameCount,
                        namelen: nameCount,
                        valuelen: valueCount,
                        flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
                    )
                }
                values.withUnsafeBufferPointer { values in
                    if let start = values.baseAddress { body(start, values.count) }
                }
            }
        }
    }

    // MARK: libnghttp2's side

    private func makeSession(_ context: UnsafeMutableRawPointer) -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var session: OpaquePointer?
        nghttp2_session_callbacks_new(&callbacks)
        defer { nghttp2_session_callbacks_del(callbacks) }
        nghttp2_session_callbacks_set_on_header_callback(callbacks) {
            _,
            frame,
            name,
            nameCount,
            value,
            valueCount,
            _,
            data in
            guard let frame else { return 0 }
            let name = String(decoding: UnsafeBufferPointer(start: name, count: nameCount), as: UTF8.self)
            let value = String(decoding: UnsafeBufferPointer(start: value, count: valueCount), as: UTF8.self)
            server(data)?.received(name, value, of: frame.pointee.hd.stream_id)
            return 0
        }
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, id, bytes, count, data in
            server(data)?.received(UnsafeBufferPointer(start: bytes, count: count), of: id)
            return 0
        }
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, data in
            guard let frame = frame?.pointee, let server = server(data) else { return 0 }
            let isLast = UInt32(frame.hd.flags) & NGHTTP2_FLAG_END_STREAM.rawValue != 0
            switch nghttp2_frame_type(UInt32(frame.hd.type)) {
            case NGHTTP2_HEADERS: server.receivedHead(of: frame.hd.stream_id, isLast: isLast)
            case NGHTTP2_DATA: if isLast { server.receivedEnd(of: frame.hd.stream_id) }
            case NGHTTP2_GOAWAY: server.receivedGoAway(frame.goaway.error_code)
            default: break
            }
            return 0
        }
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, code, data in
            server(data)?.receivedInvalidFrame(code, on: frame?.pointee.hd.stream_id ?? 0)
            return 0
        }
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, id, _, data in
            server(data)?.closed(id)
            return 0
        }
        nghttp2_session_server_new(&session, callbacks, context)
        return session
    }

    private func server(_ data: UnsafeMutableRawPointer?) -> WireHTTP2Server? {
        data.map { Unmanaged<WireHTTP2Server>.fromOpaque($0).takeUnretainedValue() }
    }

    private let readBody: nghttp2_data_source_read_callback = { _, id, room, count, flags, _, data in
        guard let flags, let server = server(data) else { return 0 }
        return server.supply(UnsafeMutableBufferPointer(start: room, count: count), of: id, &flags.pointee)
    }
#endif
