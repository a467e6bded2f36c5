import BenchmarkHarness
import Foundation
import HeliumCurl
import HeliumKit
import HeliumWebSocket

// A client of both kinds, and what idle WebSockets of it cost: `WebSocketIdle URL COUNT SECONDS AUTHORITY`.
//
// URL is the `http` or `https` URL of a server that echoes messages and answers other requests with 200. AUTHORITY is the file of
// the trusted authority, or "-". First the client sends requests, and messages over one WebSocket: their peak memory is that of a
// client of both kinds. Then it opens COUNT more. No task waits for their messages. Prints the resident memory that each takes, the
// CPU time of a second, and the peak memory, as JSON.

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[1]), let count = Int(arguments[2]), count > 0,
    let seconds = Int(arguments[3]), seconds > 0
else {
    FileHandle.standardError.write(Data("usage: WebSocketIdle URL COUNT SECONDS AUTHORITY\n".utf8))
    exit(64)
}
var connection = CurlTransport.Configuration()
if arguments[4] != "-" { connection.certificateAuthorityFile = arguments[4] }
let helium = try Helium(baseURL: url, connection: connection)

try await talk(over: helium, times: 100)
let peak = ProcessUsage.peakResidentKibibytes()

let before = ProcessUsage.residentKibibytes()
var sockets: [WebSocket] = []
sockets.reserveCapacity(count)
for _ in 0..<count { sockets.append(try await helium.webSocket("/").connect()) }
let after = ProcessUsage.residentKibibytes()

// What the last connections still have to do is no part of the idle time.
try await Task.sleep(for: .milliseconds(500))
let start = ProcessUsage()
try await Task.sleep(for: .seconds(seconds))
let end = ProcessUsage()
let microseconds =
    end.userMicroseconds + end.systemMicroseconds - start.userMicroseconds - start.systemMicroseconds

guard sockets.allSatisfy({ $0.closure == nil }) else { fatalError("a connection was lost") }
let bytes = Double(after - before) * 1024 / Double(count)
print(
    #"{"bytes":\#(bytes.rounded()),"microseconds":\#((microseconds / Double(seconds)).rounded()),"#
        + #""peakResidentKibibytes":\#(peak)}"#
)
// The server's end is no part of the measurement: a process that exits closes all.
exit(0)

/// Sends so many requests, and messages over a WebSocket that is then closed.
func talk(over helium: Helium, times: Int) async throws {
    for _ in 0..<times {
        guard try await helium.get("/", returning: String.self).value() == "ok" else { fatalError("another response") }
    }
    let socket = try await helium.webSocket("/").connect()
    let message = WebSocketMessage.text(String(repeating: "x", count: 100))
    var messages = socket.messages.makeAsyncIterator()
    for _ in 0..<times {
        try await socket.send(message)
        guard try await messages.next() == message else { fatalError("the echo is another") }
    }
    await socket.close()
}
