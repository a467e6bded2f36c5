/// The notifications that wait to be sent, shared fairly between the accounts whose triggers fired and the receivers.
///
/// Those of one trigger are sent in order, one at a time. No account and no receiver has more than a share of the
/// transfers, no account has all of those of a receiver, and receivers and accounts that lately were slow have a part of
/// them together (``SlowNames``). Some transfers are for accounts that have none. Receivers that do not respond therefore
/// delay only the notifications of their accounts and of others that were slow, however many names the receivers have,
/// and whatever else the accounts send. A full queue drops the newest notification of the account that has the most.
struct NotificationQueue {
    /// A notification that is being sent.
    private struct Transfer {
        let route: Route
        let start: Duration
    }

    /// An account and a receiver of its notifications.
    private struct Route: Hashable {
        let owner: String
        let receiver: String

        init(_ notification: TriggerNotification) {
            owner = notification.trigger.owner
            receiver = notification.receiver
        }
    }

    /// The maximum number of concurrent notifications of all accounts.
    static let maximumTransfers = 16
    /// The maximum number of concurrent notifications of an account.
    static let transfersPerOwner = 4
    /// The maximum number of concurrent notifications to a receiver.
    static let transfersPerReceiver = 4
    /// The maximum number of those that are of one account, so that no account occupies all of a receiver that many use.
    static let transfersPerOwnerAndReceiver = 3
    /// The number of transfers that an account only gets if it has none.
    static let reservedTransfers = 4
    /// The maximum number of concurrent notifications to all receivers, and of all accounts, that are slow.
    static let slowTransfers = 8

    private let capacity: Int
    /// The queue, in the order of firing.
    private var waiting: [TriggerNotification] = []
    private var waitingPerOwner: [String: Int] = [:]
    /// The notifications that are being sent, by trigger.
    private var underWay: [Int: Transfer] = [:]
    private var underWayPerOwner: [String: Int] = [:]
    private var underWayPerReceiver: [String: Int] = [:]
    private var underWayPerRoute: [Route: Int] = [:]
    private var slowReceivers = SlowNames()
    /// A receiver can have any number of names, so that its account counts too.
    private var slowOwners = SlowNames()

    init(capacity: Int) { self.capacity = capacity }

    /// Adds a notification.
    ///
    /// - Returns: Whether a notification was dropped, this one or another.
    mutating func append(_ notification: TriggerNotification) -> Bool {
        let owner = notification.trigger.owner
        let isFull = waiting.count >= capacity
        if isFull {
            guard let most = waitingPerOwner.max(by: { $0.value < $1.value }),
                most.value > waitingPerOwner[owner, default: 0] + 1,
                let last = waiting.lastIndex(where: { $0.trigger.owner == most.key })
            else { return true }
            waiting.remove(at: last)
            waitingPerOwner[most.key] = most.value - 1
        }
        waiting.append(notification)
        waitingPerOwner[owner, default: 0] += 1
        return isFull
    }

    /// Removes and returns the notifications that can be sent now: the first one of each idle trigger.
    ///
    /// - Parameter now: The time of a monotonic clock.
    mutating func takeReady(at now: Duration) -> [TriggerNotification] {
        var taken: [TriggerNotification] = []
        var rest: [TriggerNotification] = []
        // Those under way for long are slow already.
        let late = underWay.values.filter { now - $0.start >= SlowNames.threshold }.map(\.route)
        let (lateOwners, lateReceivers) = (Set(late.map(\.owner)), Set(late.map(\.receiver)))
        func isSlow(_ route: Route) -> Bool {
            lateOwners.contains(route.owner) || lateReceivers.contains(route.receiver)
                || slowOwners.contains(route.owner, at: now) || slowReceivers.contains(route.receiver, at: now)
        }
        var slowTransfers = underWay.values.count { isSlow($0.route) }
        // A later notification of a trigger does not overtake an earlier one.
        var held: Set<Int> = []
        for notification in waiting {
            let trigger = notification.trigger
            let route = Route(notification)
            let isSlow = isSlow(route)
            let isOnlyOne = underWayPerOwner[trigger.owner] == nil
            guard underWay.count < Self.maximumTransfers, underWay[trigger.id] == nil, !held.contains(trigger.id),
                isOnlyOne || underWay.count < Self.maximumTransfers - Self.reservedTransfers,
                underWayPerOwner[trigger.owner, default: 0] < Self.transfersPerOwner,
                underWayPerReceiver[notification.receiver, default: 0] < Self.transfersPerReceiver,
                underWayPerRoute[route, default: 0] < Self.transfersPerOwnerAndReceiver,
                !isSlow || slowTransfers < Self.slowTransfers
            else {
                held.insert(trigger.id)
                rest.append(notification)
                continue
            }
            if isSlow { slowTransfers += 1 }
            underWay[trigger.id] = Transfer(route: route, start: now)
            underWayPerOwner[trigger.owner, default: 0] += 1
            underWayPerReceiver[notification.receiver, default: 0] += 1
            underWayPerRoute[route, default: 0] += 1
            waitingPerOwner[trigger.owner] = Self.decremented(waitingPerOwner[trigger.owner])
            taken.append(notification)
        }
        waiting = rest
        return taken
    }

    /// Records the end of a notification, whether it was delivered or not.
    ///
    /// - Parameters:
    ///   - now: The time of a monotonic clock.
    ///   - wasSent: Whether it was sent. If not, its receiver is not the cause of a delay. Default: `true`.
    mutating func ended(_ notification: TriggerNotification, at now: Duration, wasSent: Bool = true) {
        guard let transfer = underWay.removeValue(forKey: notification.trigger.id) else { return }
        let route = transfer.route
        underWayPerOwner[route.owner] = Self.decremented(underWayPerOwner[route.owner])
        underWayPerReceiver[route.receiver] = Self.decremented(underWayPerReceiver[route.receiver])
        underWayPerRoute[route] = Self.decremented(underWayPerRoute[route])
        guard wasSent, now - transfer.start >= SlowNames.threshold else { return }
        slowReceivers.insert(route.receiver, at: now)
        slowOwners.insert(route.owner, at: now)
    }

    /// Returns a count without one; `nil` for 0.
    private static func decremented(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
