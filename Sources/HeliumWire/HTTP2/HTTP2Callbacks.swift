#if HTTP2
    import CNGHTTP2
    import HeliumEssentials

    // nghttp2's callbacks: the one file that knows their types.

    /// Creates a client's session of nghttp2 with callbacks for an ``HTTP2Session`` as its user data.
    func makeHTTP2Session() -> OpaquePointer? {
        var callbacks: OpaquePointer?
        var options: OpaquePointer?
        var session: OpaquePointer?
        defer {
            nghttp2_session_callbacks_del(callbacks)
            nghttp2_option_del(options)
        }
        guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else { return nil }
        nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, beganFrame)
        nghttp2_session_callbacks_set_on_header_callback(callbacks, receivedField)
        nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, receivedInvalidField)
        nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, receivedInvalidFrame)
        nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, receivedData)
        nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, receivedFrame)
        nghttp2_session_callbacks_set_before_frame_send_callback(callbacks, writesFrame)
        nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, wroteFrame)
        nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, closedStream)
        // Room in the windows is given by HTTP2Session.consumed(_:of:).
        nghttp2_option_set_no_auto_window_update(options, 1)
        nghttp2_option_set_no_closed_streams(options, 1)
        // Acknowledgements of SETTINGS and PING while nothing can be written. More is a flood.
        nghttp2_option_set_max_outbound_ack(options, 256)
        // A request whose fields are longer fails, and would look as if the server had refused it.
        nghttp2_option_set_max_send_header_block_length(options, 4 << 20)
        guard nghttp2_session_client_new2(&session, callbacks, nil, options) == 0 else { return nil }
        return session
    }

    extension nghttp2_error {
        var code: Int { Int(rawValue) }
    }

    /// Passes the session to `body` without counting a reference: its own method calls nghttp2.
    @inline(__always)
    private func withSession<Result>(
        _ data: UnsafeMutableRawPointer?,
        _ body: (HTTP2Session) -> Result
    ) -> Result? {
        data.map { Unmanaged<HTTP2Session>.fromOpaque($0)._withUnsafeGuaranteedRef(body) }
    }

    extension nghttp2_frame_hd {
        private func has(_ flag: nghttp2_flag) -> Bool { UInt32(flags) & flag.rawValue != 0 }

        fileprivate var isLast: Bool { has(NGHTTP2_FLAG_END_STREAM) }
        fileprivate var isAcknowledgement: Bool { has(NGHTTP2_FLAG_ACK) }
        fileprivate var isPadded: Bool { has(NGHTTP2_FLAG_PADDED) }
        fileprivate var kind: nghttp2_frame_type { nghttp2_frame_type(UInt32(type)) }
    }

    // MARK: Receiving

    private let beganFrame: nghttp2_on_begin_frame_callback = { _, header, data in
        guard let header = header?.pointee, header.kind == NGHTTP2_DATA else { return 0 }
        withSession(data) {
            $0.beganData(header.length, isPadded: header.isPadded, isLast: header.isLast, of: header.stream_id)
        }
        return 0
    }

    private let receivedField: nghttp2_on_header_callback = { _, frame, name, nameCount, value, valueCount, _, data in
        guard let id = frame?.pointee.hd.stream_id else { return 0 }
        let name = UnsafeRawBufferPointer(start: name, count: nameCount)
        let value = UnsafeRawBufferPointer(start: value, count: valueCount)
        let isWanted = withSession(data) { $0.received(name: name, value: value, of: id) } ?? false
        // nghttp2 decodes the rest without telling it, and resets the stream if that was not done.
        return isWanted ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    // nghttp2 would leave out a field with forbidden bytes, but such a response is malformed (RFC 9113 §8.2.1).
    private let receivedInvalidField: nghttp2_on_invalid_header_callback = { _, _, _, _, _, _, _, _ in
        NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }

    private let receivedInvalidFrame: nghttp2_on_invalid_frame_recv_callback = { _, frame, code, data in
        guard let frame, code == NGHTTP2_ERR_HTTP_HEADER.rawValue || code == NGHTTP2_ERR_HTTP_MESSAGING.rawValue else {
            return 0
        }
        withSession(data) { $0.receivedInvalidHead(of: frame.pointee.hd.stream_id) }
        return 0
    }

    private let receivedData: nghttp2_on_data_chunk_recv_callback = { _, _, id, bytes, count, data in
        withSession(data) { $0.received(data: UnsafeRawBufferPointer(start: bytes, count: count), of: id) }
        return 0
    }

    private let receivedFrame: nghttp2_on_frame_recv_callback = { _, frame, data in
        guard let frame else { return 0 }
        let header = frame.pointee.hd
        withSession(data) { session in
            switch header.kind {
            case NGHTTP2_DATA:
                let count = header.length - frame.pointee.data.padlen
                session.endedData(count, isLast: header.isLast, of: header.stream_id)
            case NGHTTP2_HEADERS: session.receivedHead(of: header.stream_id, isLast: header.isLast)
            case NGHTTP2_RST_STREAM: session.receivedReset(frame.pointee.rst_stream.error_code, of: header.stream_id)
            case NGHTTP2_SETTINGS where !header.isAcknowledgement: session.receivedSettings()
            case NGHTTP2_PING where header.isAcknowledgement: session.receivedPong()
            case NGHTTP2_GOAWAY:
                let end = frame.pointee.goaway
                session.receivedGoAway(after: end.last_stream_id, end.error_code)
            default: break
            }
        }
        return 0
    }

    private let closedStream: nghttp2_on_stream_close_callback = { _, id, code, data in
        withSession(data) { $0.closed(id, code) }
        return 0
    }

    // MARK: Writing

    // Before the first part of a frame. Once that is written, a request is sent to its end, also if it is cancelled.
    private let writesFrame: nghttp2_before_frame_send_callback = { _, frame, data in
        guard let header = frame?.pointee.hd, header.kind == NGHTTP2_HEADERS else { return 0 }
        withSession(data) { $0.writesHead(of: header.stream_id) }
        return 0
    }

    // After the last part of a frame. A HEADERS frame has several if its fields are long.
    private let wroteFrame: nghttp2_on_frame_send_callback = { _, frame, data in
        guard let frame else { return 0 }
        withSession(data) { session in
            switch frame.pointee.hd.kind {
            case NGHTTP2_DATA: session.wroteData(frame.pointee.hd.length)
            case NGHTTP2_GOAWAY: session.wroteGoAway(frame.pointee.goaway.error_code)
            default: break
            }
        }
        return 0
    }

    let readHTTP2Body: nghttp2_data_source_read_callback = { _, id, room, count, flags, _, data in
        let room = UnsafeMutableRawBufferPointer(start: room, count: count)
        switch withSession(data, { $0.upload(into: room, of: id) }) {
        case .bytes(let count, let isLast):
            if isLast { flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
            return count
        case .deferred: return NGHTTP2_ERR_DEFERRED.code
        case .failed, nil: return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.code
        }
    }
#endif
