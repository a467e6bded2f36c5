import BenchmarkHarness
import Foundation
import HeliumWebSocket

// Sends messages to an echo server and awaits their echoes: `WebSocketEcho URL COUNT BYTES WINDOW [AUTHORITY] [pool]`.
// AUTHORITY is the file of the trusted authority for `wss`. With `pool` the task runs on the system's threads, else where the
// connection lives.
// Prints the CPU time of this process per message in microseconds, one line for each round.

var arguments = CommandLine.arguments
let usesPool = arguments.last == "pool"
if usesPool { arguments.removeLast() }
guard arguments.count >= 5, let url = URL(string: arguments[1]), let count = Int(arguments[2]),
    let bytes = Int(arguments[3]), let window = Int(arguments[4]), window > 0
else {
    FileHandle.standardError.write(Data("usage: WebSocketEcho URL COUNT BYTES WINDOW [AUTHORITY] [pool]\n".utf8))
    exit(64)
}
var options = WebSocketOptions()
options.tls.certificateAuthorityFile = arguments.dropFirst(5).first
let socket = try await WebSocket.connect(to: url, options: options)
let message = WebSocketMessage.text(String(repeating: "x", count: bytes))
try await withTaskExecutorPreference(usesPool ? nil : socket.executor) {
    try await measure(count, message, window: window, over: socket)
}
await socket.close()
