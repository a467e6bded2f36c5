import Foundation
import HTTPTypes
import HeliumCore
import HeliumCurl
import Testing
import WireSupport

/// RFC 9110 §10.1.1: the caller's `Expect: 100-continue`.
@Suite("Bodies that wait for the response 100", .timeLimit(.minutes(5)))
struct ExpectationTests {
    /// Times at which no body is sent without the response 100.
    private static var patient: ConnectionTimes {
        var times = ConnectionTimes()
        times.continueWait = 3_600_000_000_000
        return times
    }

    private static let forms = [CallForm.post, .put, .onceUpload]

    private func send(_ form: CallForm, _ caller: Caller) async throws -> Caller.Reply {
        try await caller.send(form, "/\(form)") { $0.fields[.expect] = "100-Continue" }
    }

    @Test(
        "the body is sent after the response 100, and after another interim one it waits on",
        arguments: ConnectionLine.all
    )
    func goesOn(line: ConnectionLine) async throws {
        try await line.run(times: Self.patient) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                while true {
                    let request = try await peer.readHead()
                    try await peer.sendInterim(103, to: request)
                    try await peer.sendInterim(100, to: request)
                    try await peer.respond(to: peer.readBody(of: request))
                }
            }
        } _: { caller in
            for form in Self.forms {
                let reply = try await send(form, caller)
                #expect(reply == Caller.Reply(status: 200, text: form.echo(for: "/\(form)")))
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test("the body is sent after a final response that is no error", arguments: ConnectionLine.all)
    func isAccepted(line: ConnectionLine) async throws {
        try await line.run(times: Self.patient) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                while true {
                    let request = try await peer.readHead()
                    try await peer.sendHead(202, length: 2, to: request)
                    _ = try await peer.readBody(of: request)
                    try await peer.sendBody("ok", of: request)
                }
            }
        } _: { caller in
            for form in Self.forms {
                let reply = try await send(form, caller)
                #expect(reply == Caller.Reply(status: 202, text: "ok"))
            }
            #expect(caller.ledger.connections == 1)
        }
    }

    @Test("the body is not sent after 417, which is the response", arguments: ConnectionLine.all)
    func isRefused(line: ConnectionLine) async throws {
        try await line.prepare { line in
            for form in Self.forms {
                try await line.run(times: Self.patient) { wire, number, ledger in
                    try await ScriptedPeer.run(wire, number, ledger) { peer in
                        guard number == 0 else { return try await peer.serve() }
                        let request = try await peer.readHead()
                        try await peer.sendInterim(103, to: request)
                        try await peer.sendHead(417, length: 2, to: request)
                        try await peer.sendBody("no", of: request)
                        try await peer.expectNoBody(of: request)
                    }
                } _: { caller in
                    let reply = try await send(form, caller)
                    #expect(reply == Caller.Reply(status: 417, text: "no"), "\(form)")
                    await caller.expectOwn(.post, "/next")
                    #expect(caller.ledger.connections == (line.line.isHTTP2 ? 1 : 2))
                }
            }
        }
    }

    @Test(
        "the body is sent after a second without the response 100",
        arguments: [ConnectionLine.clear, .priorKnowledge]
    )
    func goesOnAlone(line: ConnectionLine) async throws {
        try await line.run { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { peer in
                let request = try await peer.readHead()
                try await peer.respond(to: peer.readBody(of: request))
                try await peer.serve()
            }
        } _: { caller in
            let begin = ContinuousClock.now
            let reply = try await send(.post, caller)
            let time = ContinuousClock.now - begin
            #expect(time > .milliseconds(900), "\(time)")
            #expect(reply == Caller.Reply(status: 200, text: CallForm.post.echo(for: "/post")))
        }
    }

    @Test("many bodies are sent at their own times without the response 100", arguments: ConnectionLine.all, drivers)
    func go(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        var times = ConnectionTimes()
        times.continueWait = 20_000_000
        try await line.run(driver: driver, times: times) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { try await $0.serve() }
        } _: { caller in
            await withDiscardingTaskGroup { group in
                for number in 0..<30 {
                    group.addTask {
                        let form = Self.forms[number % 3]
                        let reply = try? await caller.send(form, "/\(number)") { $0.fields[.expect] = "100-continue" }
                        #expect(reply == Caller.Reply(status: 200, text: form.echo(for: "/\(number)")))
                        #expect(caller.ledger.deliveries(of: "/\(number)").count == 1)
                    }
                }
            }
        }
    }
}
