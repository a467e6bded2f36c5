public import Foundation
internal import HeliumJSON

/// Reads and writes the frames of the Jetstream Sync protocol (Docs/Protocols/Jetstream.md §1.2), independently of
/// models.
///
/// ```swift
/// let codec = JetstreamCodec()
/// for message in try codec.messages(in: text) { print(message) }
/// let answer = codec.text(of: .ping(.init(ack: 3)))
/// ```
public struct JetstreamCodec: Sendable {
    /// The maximum size of a frame that is read, in bytes. Default: 16 MiB.
    public var maximumFrameBytes: Int

    /// Creates a codec.
    public init(maximumFrameBytes: Int = 16 << 20) { self.maximumFrameBytes = maximumFrameBytes }
}

// MARK: Reading

extension JetstreamCodec {
    /// Returns the messages of a frame: one object, or an array of objects.
    ///
    /// An invalid message does not affect others: it is returned as ``JetstreamMessage/unusable(_:)`` and keeps its
    /// index. A fragment that cannot be read is left out of its message. An unpaired surrogate, which JavaScript may
    /// write but a Swift string cannot contain, is read as U+FFFD.
    ///
    /// - Throws: `DecodingError` if the frame is not JSON, is too large, or is neither an object nor an array.
    public func messages(in frame: String) throws -> [JetstreamMessage] {
        do {
            return try decoder.decode(Frame.self, from: frame).messages
        } catch {
            return try repaired(frame.utf8, after: error)
        }
    }

    /// Returns the messages of a frame of bytes: see ``messages(in:)-(String)``.
    public func messages(in frame: Data) throws -> [JetstreamMessage] {
        do {
            return try decoder.decode(Frame.self, from: frame).messages
        } catch {
            return try repaired(frame, after: error)
        }
    }

    /// Returns the messages of a frame that was rejected only because of unpaired surrogates.
    ///
    /// Otherwise an unpaired surrogate would end the session, and a state that contains one could never be fetched.
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
    /// Returns the frame of one message: a single object, as a client sends it.
    public func text(of message: JetstreamMessage) -> String {
        JSONTextAssembly.make(capacity: message.expectedBytes) { message.write(into: &$0) }
    }

    /// Returns the frame of several messages: an array, as a server sends it.
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
