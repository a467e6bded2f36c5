import BenchmarkHarness
import HeliumWebSocket

/// Sends messages and awaits their echoes, so many under way at a time.
func echo(_ count: Int, _ message: WebSocketMessage, window: Int, over socket: WebSocket) async throws {
    var messages = socket.messages.makeAsyncIterator()
    var sent = 0
    var received = 0
    while received < count {
        while sent < count, sent - received < window {
            try await socket.send(message)
            sent += 1
        }
        guard try await messages.next() == message else { fatalError("the echo is another") }
        received += 1
    }
}

/// Prints the CPU time of five rounds.
func measure(_ count: Int, _ message: WebSocketMessage, window: Int, over socket: WebSocket) async throws {
    try await echo(count / 10, message, window: window, over: socket)
    for _ in 0..<5 {
        let before = ProcessUsage()
        try await echo(count, message, window: window, over: socket)
        let after = ProcessUsage()
        let user = after.userMicroseconds - before.userMicroseconds
        let system = after.systemMicroseconds - before.systemMicroseconds
        print((user + system) / Double(count))
    }
}
