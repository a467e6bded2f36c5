import HTTPTypes
import HeliumConcurrency
import HeliumCore
import TestSupport
import Testing
import WireSupport

@testable import HeliumCurl

@Suite("Ends of calls in every state", .timeLimit(.minutes(5)))
struct CallStageTests {
    private struct WeakWorker {
        weak var worker: LoopWorker?

        init(of transport: CurlTransport) throws {
            let slot = try transport.loop.acquire()
            worker = slot.worker
            transport.loop.release(slot)
        }
    }

    @Test("shutdown ends a call in any state, and leaves nothing", arguments: StageCell.all, drivers)
    func isShutDown(cell: StageCell, driver: CurlTransport.Configuration.Driver) async throws {
        try await cell.run(driver) { staged in
            let caller = staged.caller
            let weak = try WeakWorker(of: caller.transport)
            #expect(weak.worker != nil)
            await caller.transport.shutdown()
            staged.mayRead.settle()
            let error = try await staged.call.value
            let failure = try #require(error as? TransportFailure, "\(error)")
            #expect(failure.kind == .clientClosed && failure.delivery == cell.stage.delivery, "\(failure)")
            if let other = staged.other {
                let failure = await #expect(throws: TransportFailure.self) { _ = try await other.value }
                #expect(failure?.kind == .clientClosed && failure?.delivery == .maybeSent)
            }
            staged.isOver.settle()
            await caller.ledger.wait { $0.openConnections == 0 }
            if cell.stage.delivery == .notSent { #expect(caller.ledger.deliveries(of: "/staged").isEmpty) }
            try await eventually { weak.worker == nil }
        }
    }

    @Test("a call is cancelled in any state, and later ones are served", arguments: StageCell.all, drivers)
    func isCancelled(cell: StageCell, driver: CurlTransport.Configuration.Driver) async throws {
        try await cell.run(driver) { staged in
            let caller = staged.caller
            staged.call.cancel()
            let error = try await staged.call.value
            if cell.stage == .paused {
                #expect(error is CancellationError, "\(error)")
            } else {
                let failure = try #require(error as? TransportFailure, "\(error)")
                #expect(failure.kind == .cancelled && failure.delivery == cell.stage.delivery, "\(failure)")
            }
            staged.isOver.settle()
            if let other = staged.other {
                #expect(try await other.value == Caller.Reply(status: 200, text: CallForm.get.echo(for: "/other")))
            }
            switch cell.stage {
            // The server does not go on.
            case .connecting: await caller.ledger.wait { $0.openConnections == 0 }
            case .held: break
            default: await caller.expectOwn(.get, "/next")
            }
            if cell.stage.delivery == .notSent { #expect(caller.ledger.deliveries(of: "/staged").isEmpty) }
        }
    }

    @Test("a transport that is released with idle connections leaves nothing", arguments: ConnectionLine.all, drivers)
    func isReleased(line: ConnectionLine, driver: CurlTransport.Configuration.Driver) async throws {
        try await line.run(driver: driver) { wire, number, ledger in
            try await ScriptedPeer.run(wire, number, ledger) { try await $0.serve() }
        } _: { caller in
            var transport = Optional(CurlTransport(caller.transport.configuration))
            let weak = try WeakWorker(of: #require(transport))
            for form in CallForm.allCases {
                let response = try await transport?.execute(caller.request(form, "/\(form)"))
                if case .stream(let stream)? = response?.body { _ = try await stream.collect(upTo: 1 << 20) }
            }
            #expect(caller.ledger.openConnections == 1 && weak.worker != nil)
            transport = nil
            await caller.ledger.wait { $0.openConnections == 0 }
            try await eventually { weak.worker == nil }
        }
    }
}
