import AppNet
import Dispatch
import Foundation

/// Listens on a local port for the redirect of the browser at the end of a sign-in (RFC 8252 §7.3).
final class RedirectListener: Sendable {
    /// The port on 127.0.0.1.
    let port: UInt16

    private let socketNumber: Int32
    // A separate queue, because waiting blocks a thread.
    private let queue = DispatchQueue(label: "helium.redirect")

    /// The maximum number of bytes read of a request.
    private static let maximumBytes = 16 << 10

    /// Starts listening.
    ///
    /// - Parameter port: The port; 0 selects a free one.
    /// - Throws: `POSIXError` if the port cannot be opened.
    init(port: UInt16) throws {
        let number = socket(AF_INET, Self.streamType, 0)
        guard number >= 0 else { throw Self.failure() }
        var flag: Int32 = 1
        setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &flag, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(number, address, length) == 0 && listen(number, 8) == 0
                    && getsockname(number, address, &length) == 0
            }
        }
        guard isBound else {
            let failure = Self.failure()
            Foundation.close(number)
            throw failure
        }
        socketNumber = number
        self.port = UInt16(bigEndian: address.sin_port)
    }

    private static var streamType: Int32 {
        #if os(Linux)
            Int32(SOCK_STREAM.rawValue)
        #else
            SOCK_STREAM
        #endif
    }

    private static func failure() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }

    func close() { Foundation.close(socketNumber) }

    /// Returns the code of the browser's redirect. A request that does not belong to this sign-in gets an error
    /// response, and the wait continues.
    ///
    /// - Throws: `AppNetError` if the user or the service denied the sign-in; `CommandFailure` after `limit`.
    func answer(to signIn: WebSignIn, within limit: Duration) async throws -> Secret {
        let end = DispatchTime.now() + .milliseconds(Int(limit / .milliseconds(1)))
        while let (browser, target) = try await nextRequest(until: end) {
            defer { Foundation.close(browser) }
            guard target.hasPrefix("/signed-in?"), let url = URL(string: "http://127.0.0.1:\(port)\(target)") else {
                Self.reply(to: browser, "404 Not Found", "This page does not exist.")
                continue
            }
            do {
                let code = try signIn.code(from: url)
                Self.reply(
                    to: browser,
                    "200 OK",
                    "The response has arrived. You can close this page and return to the terminal."
                )
                return code
            } catch let error where error.kind == .signInRefused {
                Self.reply(to: browser, "200 OK", "The sign-in was denied.")
                throw error
            } catch {
                // The sender of the request is unknown. It may be another page.
                Self.reply(to: browser, "400 Bad Request", "This is not the redirect of the sign-in.")
            }
        }
        throw CommandFailure("the browser's redirect did not arrive in time")
    }

    /// Returns the target of the next request and its connection, which the caller must close; `nil` after `end`.
    private func nextRequest(until end: DispatchTime) async throws -> (Int32, String)? {
        while DispatchTime.now() < end {
            try Task.checkCancellation()
            let found = await withCheckedContinuation { continuation in
                queue.async { [socketNumber] in continuation.resume(returning: Self.accept(on: socketNumber)) }
            }
            if let found { return found }
        }
        return nil
    }

    /// Waits up to 200 milliseconds for a connection and reads its request line.
    private static func accept(on number: Int32) -> (Int32, String)? {
        guard waits(for: number, milliseconds: 200) else { return nil }
        let browser = Foundation.accept(number, nil, nil)
        guard browser >= 0 else { return nil }
        var head: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while !head.contains(10), head.count < maximumBytes, waits(for: browser, milliseconds: 2000) {
            let count = piece.withUnsafeMutableBytes { Foundation.read(browser, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            head += piece[..<count]
        }
        let line = String(decoding: head.prefix { $0 != 10 }, as: UTF8.self).split(separator: " ")
        guard line.count >= 2, line[0] == "GET" else {
            Foundation.close(browser)
            return nil
        }
        return (browser, String(line[1]))
    }

    private static func waits(for number: Int32, milliseconds: Int32) -> Bool {
        var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }

    private static func reply(to browser: Int32, _ status: String, _ text: String) {
        let bytes = Array(
            """
            HTTP/1.1 \(status)\r
            Content-Type: text/plain; charset=utf-8\r
            Content-Length: \(text.utf8.count)\r
            Cache-Control: no-store\r
            Connection: close\r
            \r
            \(text)
            """.utf8
        )
        _ = bytes.withUnsafeBytes { send(browser, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
    }
}
