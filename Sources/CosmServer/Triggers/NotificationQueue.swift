/// The notifications that wait to be sent, shared fairly between the accounts whose triggers fired.
///
/// Those of one trigger are sent in order, one at a time. No account has more than a share of the transfers, so that
/// receivers that do not respond delay only the notifications of their own account. A full queue drops the newest
/// notification of the account that has the most.
struct NotificationQueue {
    /// The maximum number of concurrent notifications of all accounts.
    static let maximumTransfers = 16
    /// The maximum number of concurrent notifications of an account.
    static let transfersPerOwner = 4

    private let capacity: Int
    /// The queue, in the order of firing.
    private var waiting: [TriggerNotification] = []
    private var waitingPerOwner: [String: Int] = [:]
    /// The triggers whose notifications are being sent.
    private var underWay: Set<Int> = []
    private var underWayPerOwner: [String: Int] = [:]

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
    mutating func takeReady() -> [TriggerNotification] {
        var taken: [TriggerNotification] = []
        var rest: [TriggerNotification] = []
        for notification in waiting {
            let trigger = notification.trigger
            if underWay.count < Self.maximumTransfers, !underWay.contains(trigger.id),
                underWayPerOwner[trigger.owner, default: 0] < Self.transfersPerOwner
            {
                underWay.insert(trigger.id)
                underWayPerOwner[trigger.owner, default: 0] += 1
                waitingPerOwner[trigger.owner] = Self.decremented(waitingPerOwner[trigger.owner])
                taken.append(notification)
            } else {
                rest.append(notification)
            }
        }
        waiting = rest
        return taken
    }

    /// Records that a notification was sent or has failed.
    mutating func ended(_ notification: TriggerNotification) {
        let trigger = notification.trigger
        guard underWay.remove(trigger.id) != nil else { return }
        underWayPerOwner[trigger.owner] = Self.decremented(underWayPerOwner[trigger.owner])
    }

    /// Returns a count without one; `nil` for 0.
    private static func decremented(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
