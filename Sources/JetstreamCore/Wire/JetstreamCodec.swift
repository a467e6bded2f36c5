public import Foundation
internal import HeliumJSON

/// Reads and writes the frames of the Jetstream Sync protocol (Docs/Protocols/Jetstream.md §1.2). It knows nothing of models.
///
/// ```swift
/// let codec = JetstreamCodec()
/// for message in try codec.messages(in: text) { print(message) }
/// let answer = codec.text(of: .ping(.init(ack: 3)))
/// ```
public struct JetstreamCodec: Sendable {
    /// The largest frame that is read, in bytes. Default: 16 MiB.
    public var maximumFrameBytes: Int

    /// A codec with the default ceiling.
    public init(maximumFrameBytes: Int = 16 << 20) { self.maximumFrameBytes = maximumFrameBytes }
}

// MARK: Reading

extension JetstreamCodec {
    /// The messages of a frame: one object, or an array of them.
    ///
    /// One bad message spoils no other: it comes as ``JetstreamMessage/unusable(_:)`` and keeps its index. A fragment that
    /// can't be read is left out of its message. Half of a surrogate pair, which JavaScript writes and no Swift string can hold,
    /// is read as U+FFFD.
    ///
    /// - Throws: `DecodingError` if the frame is not JSON, is too large, or is neither an object nor an array.
    public func messages(in frame: String) throws -> [JetstreamMessage] {
        do {
            return try decoder.decode(Frame.self, from: frame).messages
        } catch {
            return try repaired(frame.utf8, after: error)
        }
    }

    /// The messages of a frame of bytes: see ``messages(in:)-(String)``.
    public func messages(in frame: Data) throws -> [JetstreamMessage] {
        do {
            return try decoder.decode(Frame.self, from: frame).messages
        } catch {
            return try repaired(frame, after: error)
        }
    }

    /// The messages of a frame that was refused, if only for halves of surrogate pairs. Without that, one of them would end
    /// the session, and a state with one could never be fetched.
    private func repaired(_ frame: some Collection<UInt8>, after error: any Error) throws -> [JetstreamMessage] {
        guard frame.count <= maximumFrameBytes, let json = LoneSurrogates.replaced(in: frame) else { throw error }
        return try decoder.decode(Frame.self, from: Data(json)).messages
    }

    private var decoder: HeliumJSONDecoder {
        var decoder = HeliumJSONDecoder()
        decoder.limits.maximumBytes = maximumFrameBytes
        return decoder
    }
}

// MARK: Writing

extension JetstreamCodec {
    /// The frame of one message: a lone object, as a client sends it.
    public func text(of message: JetstreamMessage) -> String {
        JSONTextAssembly.make(capacity: message.expectedBytes) { message.write(into: &$0) }
    }

    /// The frame of several messages: an array, as a server sends it.
    public func text(of messages: [JetstreamMessage]) -> String {
        JSONTextAssembly.make { text in
            text.append(syntax: "[")
            for (position, message) in messages.enumerated() {
                if position > 0 { text.append(syntax: ",") }
                message.write(into: &text)
            }
            text.append(syntax: "]")
        }
    }
}
