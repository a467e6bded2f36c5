internal import GRDB
internal import HeliumJSON

/// The events of one write on their way to the streams, in the order of the changes.
///
/// Objects are made once for each audience: the streams of one token, or of one app, with equal display options. Making
/// them for one audience is a step, or more if its filters are long. A publication proceeds by a number of steps at a
/// time, so that the work for one write is not done at once when there are many streams.
struct StreamPublication: Sendable {
    /// The place of the write in the order of commits.
    let number: Int
    /// The tokens that the write ended.
    let endedTokens: [Int64]
    /// The approximate size: a unit for each event and for each user that it names.
    let cost: Int
    /// The id of the newest app stream at the time of the write. Later ones do not get the events.
    var newestAppStream = Int64.max

    private let effects: AppNetEffects
    /// The index of the current event.
    private var index = 0
    /// The user streams that have not got the current event; `nil` before they are looked up.
    private var userAudiences: ArraySlice<[UserStream]>?
    /// The app streams of the current app that have not got the current event.
    private var appAudiences: ArraySlice<AppStreamPublisher.Audience> = []
    /// The current app; `nil` before the first one.
    private var client: String?

    init(_ effects: AppNetEffects, number: Int) {
        self.effects = effects
        self.number = number
        endedTokens = effects.events.filter { $0.kind == .token && $0.isDeleted }.map(\.object)
        cost = effects.events.reduce(effects.messages.count) { $0 + 1 + $1.users.count }
    }

    /// Publishes the events to the next audiences. A stream whose message cannot be made does not keep the event from the
    /// others.
    ///
    /// - Parameters:
    ///   - steps: The maximum number of steps.
    ///   - canExceed: Whether an audience is served that takes more steps alone. Otherwise it ends the call.
    ///   - failure: Set to the first error.
    /// - Returns: Whether all streams have got all events.
    mutating func proceed(
        by steps: Int,
        canExceed: Bool,
        _ state: AppNetState,
        _ database: Database,
        failure: inout (any Error)?
    ) -> Bool {
        var left = steps
        while index < effects.events.count {
            let event = effects.events[index]
            publishToUsers(event, state, database, left: &left, failure: &failure)
            do {
                try publishToApps(event, state, database, canExceed, left: &left, failure: &failure)
            } catch {
                // The apps cannot be read. There are steps left then.
                failure = failure ?? error
            }
            guard left > 0 else { return false }
            index += 1
            (userAudiences, appAudiences, client) = (nil, [], nil)
        }
        for (message, stream) in effects.messages {
            state.events.appStreams.send(message, to: stream, number: number, at: state.microseconds)
        }
        return true
    }

    private mutating func publishToUsers(
        _ event: AppNetEvent,
        _ state: AppNetState,
        _ database: Database,
        left: inout Int,
        failure: inout (any Error)?
    ) {
        let hub = state.events
        var audiences = userAudiences ?? hub.userStreams.audiences(ofWrite: number, at: state.microseconds)[...]
        while left > 0, let streams = audiences.popFirst() {
            guard let token = streams.first?.token, hub.mayGet(event, token) else { continue }
            left -= 1
            UserStreamPublisher(streams: streams, state: state, database: database)?.publish(event, failure: &failure)
        }
        userAudiences = audiences
    }

    private mutating func publishToApps(
        _ event: AppNetEvent,
        _ state: AppNetState,
        _ database: Database,
        _ canExceed: Bool,
        left: inout Int,
        failure: inout (any Error)?
    ) throws {
        while left > 0 {
            if let audience = appAudiences.first {
                guard canExceed || audience.steps <= left else {
                    left = 0
                    return
                }
                appAudiences.removeFirst()
                left -= audience.steps
                let publisher = AppStreamPublisher(audience, state: state, database: database)
                do { try publisher.publish(event, number: number) } catch { failure = failure ?? error }
                continue
            }
            let table = AppStreamTable(database: database)
            guard let next = try table.client(after: client) else { return }
            client = next
            left -= 1
            do {
                let told = try table.streams(ofClient: next).filter { stream in
                    stream.id <= newestAppStream && stream.objectTypes.contains(event.kind.rawValue)
                }
                let filters = FilterTable(database: database)
                appAudiences = AppStreamPublisher.audiences(of: told, state.events.appStreams, filters)[...]
            } catch {
                // The streams of this app cannot be read.
                failure = failure ?? error
            }
        }
    }
}
