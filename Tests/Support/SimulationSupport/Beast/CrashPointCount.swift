import MessageBeast

/// Counts the crash points that an engine reaches, and those at which it is killed.
struct CrashPointCount {
    let trace: SimulationTrace
    let gate: Gate

    func reached(_ point: CrashPoint) {
        // An engine that was killed before may still come here, without any effect.
        guard !gate.isShut else { return }
        trace.count(Self.reaching(point))
        do {
            // The trace counts a kill by its place, which is the point.
            try gate.pass("\(point)")
        } catch {
            if !Self.isCommon(point) { trace.count(Self.rareKill) }
        }
    }

    /// The kinds that 300 seeds must have.
    ///
    /// A kill at each of the rarer points is not certain in so few seeds: a seed uploads one or two files. They count together.
    /// The crash test kills at each point.
    static let kinds: [String] = {
        // A simulated store is made with the current schema. The crash test migrates a file.
        let points = CrashPoint.allCases.filter { $0 != .migrating }
        let common = points.filter { isCommon($0) }
        return points.map { reaching($0) } + common.map { "killed: \($0)" } + [rareKill]
    }()

    private static let rareKill = "killed: rarer point"

    private static func reaching(_ point: CrashPoint) -> String { "reached: \(point)" }

    /// Whether most engines pass the point several times.
    private static func isCommon(_ point: CrashPoint) -> Bool {
        switch point {
        case .creating, .created, .claimed, .responded, .adopted, .pageStoring, .pageStored: true
        case .deleting, .deleted, .fileCreated, .fileStored, .fileUploaded: false
        case .targetReplaced, .channelCreated, .migrating: false
        }
    }
}
