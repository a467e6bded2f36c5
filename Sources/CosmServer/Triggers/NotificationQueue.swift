/// The notifications that wait to be sent, shared fairly between the accounts whose triggers fired and the receivers.
///
/// Those of one trigger are sent in order, one at a time. No account and no receiver has more than a share of the
/// transfers, no account has all of those of a receiver, and receivers and accounts that failed last have a part of them
/// together. Some transfers are for accounts that have none. Receivers that do not respond therefore delay only the
/// notifications of their accounts and of others that failed, however many names the receivers have. A full queue drops
/// the newest notification of the account that has the most.
struct NotificationQueue {
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
    /// The maximum number of concurrent notifications to all receivers, and of all accounts, that failed last.
    static let transfersAfterFailure = 8
    /// The maximum number of receivers, and of accounts, of which a failure is known. Beyond it the oldest failure is
    /// forgotten.
    static let maximumFailed = 1_000

    private let capacity: Int
    /// The queue, in the order of firing.
    private var waiting: [TriggerNotification] = []
    private var waitingPerOwner: [String: Int] = [:]
    /// The triggers whose notifications are being sent, and whether their receivers or accounts had failed before.
    private var underWay: [Int: Bool] = [:]
    private var underWayPerOwner: [String: Int] = [:]
    private var underWayPerReceiver: [String: Int] = [:]
    private var underWayPerRoute: [Route: Int] = [:]
    /// The receivers whose last notification failed, earliest failure first.
    private var failedReceivers: [String] = []
    /// The accounts whose last notification failed, earliest failure first. A receiver can have any number of names.
    private var failedOwners: [String] = []

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
        let (failedReceivers, failedOwners) = (Set(self.failedReceivers), Set(self.failedOwners))
        var transfersAfterFailure = underWay.values.count { $0 }
        // A later notification of a trigger does not overtake an earlier one.
        var held: Set<Int> = []
        for notification in waiting {
            let trigger = notification.trigger
            let hasFailed =
                failedReceivers.contains(notification.receiver) || failedOwners.contains(trigger.owner)
            let isOnlyOne = underWayPerOwner[trigger.owner] == nil
            guard underWay.count < Self.maximumTransfers, underWay[trigger.id] == nil, !held.contains(trigger.id),
                isOnlyOne || underWay.count < Self.maximumTransfers - Self.reservedTransfers,
                underWayPerOwner[trigger.owner, default: 0] < Self.transfersPerOwner,
                underWayPerReceiver[notification.receiver, default: 0] < Self.transfersPerReceiver,
                underWayPerRoute[Route(notification), default: 0] < Self.transfersPerOwnerAndReceiver,
                !hasFailed || transfersAfterFailure < Self.transfersAfterFailure
            else {
                held.insert(trigger.id)
                rest.append(notification)
                continue
            }
            if hasFailed { transfersAfterFailure += 1 }
            underWay[trigger.id] = hasFailed
            underWayPerOwner[trigger.owner, default: 0] += 1
            underWayPerReceiver[notification.receiver, default: 0] += 1
            underWayPerRoute[Route(notification), default: 0] += 1
            waitingPerOwner[trigger.owner] = Self.decremented(waitingPerOwner[trigger.owner])
            taken.append(notification)
        }
        waiting = rest
        return taken
    }

    /// Records the end of a notification.
    ///
    /// - Parameter isDelivered: Whether the receiver has it; `nil` if it was not sent.
    mutating func ended(_ notification: TriggerNotification, isDelivered: Bool?) {
        let trigger = notification.trigger
        guard underWay.removeValue(forKey: trigger.id) != nil else { return }
        underWayPerOwner[trigger.owner] = Self.decremented(underWayPerOwner[trigger.owner])
        underWayPerReceiver[notification.receiver] = Self.decremented(underWayPerReceiver[notification.receiver])
        underWayPerRoute[Route(notification)] = Self.decremented(underWayPerRoute[Route(notification)])
        guard let isDelivered else { return }
        Self.note(isDelivered, of: notification.receiver, in: &failedReceivers)
        Self.note(isDelivered, of: trigger.owner, in: &failedOwners)
    }

    /// Adds a name to those that failed last, or removes it.
    private static func note(_ isDelivered: Bool, of name: String, in failed: inout [String]) {
        let known = failed.firstIndex(of: name)
        if isDelivered, let known { failed.remove(at: known) }
        guard !isDelivered, known == nil else { return }
        failed.append(name)
        if failed.count > maximumFailed { failed.removeFirst() }
    }

    /// Returns a count without one; `nil` for 0.
    private static func decremented(_ count: Int?) -> Int? { count.flatMap { $0 > 1 ? $0 - 1 : nil } }
}
