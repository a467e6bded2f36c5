import Foundation
import HeliumWebSocket

// Sends messages to an echo server and awaits their echoes: `WebSocketEcho URL COUNT BYTES WINDOW`.
// Prints the CPU time of this process per message, one for each round.

let arguments = CommandLine.arguments
guard arguments.count == 5, let url = URL(string: arguments[1]), let count = Int(arguments[2]),
    let bytes = Int(arguments[3]), let window = Int(arguments[4]), window > 0
else {
    FileHandle.standardError.write(Data("usage: WebSocketEcho URL COUNT BYTES WINDOW\n".utf8))
    exit(64)
}

func cpuTime() -> Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

let socket = try await WebSocket.connect(to: url)
let message = WebSocketMessage.text(String(repeating: "x", count: bytes))
var messages = socket.messages.makeAsyncIterator()

func round(_ count: Int) async throws {
    var sent = 0
    var received = 0
    while received < count {
        while sent < count, sent - received < window {
            try await socket.send(message)
            sent += 1
        }
        guard let echo = try await messages.next(), echo == message else { fatalError("the echo is another") }
        received += 1
    }
}

try await round(count / 10)
for _ in 0..<5 {
    let before = cpuTime()
    try await round(count)
    print((cpuTime() - before) / Double(count) * 1e6)
}
await socket.close()
