internal import ServiceLifecycle

/// Cosm's work that no request asks for: sending notifications, and waiting for silences.
struct CosmBackground: Service {
    let state: CosmState

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { [state] group in
                group.addTask {
                    await state.dispatcher.run(context: { state.ownContext($0) }, logger: state.logger)
                }
                group.addTask { await state.silence.run { await state.fireSilences() } }
            }
        }
    }
}
