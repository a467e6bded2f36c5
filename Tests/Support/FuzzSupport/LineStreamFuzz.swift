package import HeliumCore

/// Feeds the parsers of line streams: each function takes any bytes, must not trap, and throws what it finds.
package enum LineStreamFuzz {
    /// Pieces of event streams.
    package static let eventPieces = [
        "data", "event", "id", "retry", ":", ": ", "\n", "\r", "\r\n", "\n\n", "\u{FEFF}", "\0", "data: x\n\n", "7",
        "retry: 99999999999999999999\n", "id: 1\n", "é", "\n\r",
    ]

    /// Pieces of lines.
    package static let linePieces = ["a", "\n", "\r\n", "\r", "\r\r\n", "{\"n\":1}\n", " ", "0123456789"]

    /// The same events, whatever the chunks; the first byte says how large they are.
    package static func serverSentEvents(_ bytes: [UInt8]) throws {
        let size = Int(bytes.first ?? 0) % 7 + 1
        let whole = Self.events(in: [bytes])
        let chunked = Self.events(in: chunks(of: bytes, size))
        guard whole == chunked else { throw FuzzFinding("chunks of \(size) change the events of \(bytes)") }
        for event in whole.events {
            guard event.data.utf8.count <= eventBytes, !event.type.isEmpty, event.id != "" else {
                throw FuzzFinding("\(event) is no event")
            }
        }
    }

    /// The same lines, whatever the chunks; the first byte says how large they are, and which ends count.
    package static func lines(_ bytes: [UInt8]) throws {
        let first = Int(bytes.first ?? 0)
        let size = first % 7 + 1
        let ends: LineSplitter.LineEnds = first % 2 == 0 ? .lineFeeds : .all
        let whole = Self.lines(in: [bytes], ends)
        guard whole == Self.lines(in: chunks(of: bytes, size), ends) else {
            throw FuzzFinding("chunks of \(size) change the lines of \(bytes)")
        }
        for line in whole.lines where line.contains(10) || line.count > lineBytes {
            throw FuzzFinding("\(line) is no line")
        }
    }
}

extension LineStreamFuzz {
    /// The result of parsing an event stream.
    package struct Events: Equatable {
        package var events: [ServerSentEvent] = []
        package var lastEventID = ""
        package var retry: Duration?
        package var isRefused = false

        package init(
            events: [ServerSentEvent] = [],
            lastEventID: String = "",
            retry: Duration? = nil,
            isRefused: Bool = false
        ) {
            self.events = events
            self.lastEventID = lastEventID
            self.retry = retry
            self.isRefused = isRefused
        }
    }

    /// The result of splitting lines.
    package struct Lines: Equatable {
        package var lines: [[UInt8]] = []
        package var isRefused = false

        package init(lines: [[UInt8]] = [], isRefused: Bool = false) {
            self.lines = lines
            self.isRefused = isRefused
        }
    }

    /// The ceiling on lines.
    package static let lineBytes = 48
    /// The ceiling on events.
    package static let eventBytes = 64

    /// Cuts bytes into chunks of a size.
    package static func chunks(of bytes: [UInt8], _ size: Int) -> [[UInt8]] {
        stride(from: 0, to: bytes.count, by: size).map { Array(bytes[$0..<min($0 + size, bytes.count)]) }
    }

    /// The events of a stream that comes in these chunks.
    package static func events(
        in chunks: [[UInt8]],
        lineBytes: Int = lineBytes,
        eventBytes: Int = eventBytes
    ) -> Events {
        var parser = ServerSentEventParser(lineBytes: lineBytes, eventBytes: eventBytes)
        var result = Events()
        do throws(LineTooLong) {
            for chunk in chunks {
                parser.append(chunk)
                while let event = try parser.next() { result.events.append(event) }
            }
        } catch {
            result.isRefused = true
        }
        result.lastEventID = parser.lastEventID
        result.retry = parser.retry
        return result
    }

    /// The lines of a body that comes in these chunks.
    package static func lines(
        in chunks: [[UInt8]],
        _ ends: LineSplitter.LineEnds,
        limit: Int = lineBytes
    ) -> Lines {
        var splitter = LineSplitter(ends: ends, limit: limit)
        var result = Lines()
        do throws(LineTooLong) {
            for chunk in chunks {
                splitter.append(chunk)
                while let line = try splitter.next({ Array($0) }) { result.lines.append(line) }
            }
            if let line = try splitter.finish({ Array($0) }) { result.lines.append(line) }
        } catch {
            result.isRefused = true
        }
        return result
    }
}
