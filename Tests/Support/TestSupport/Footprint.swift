import Foundation

/// The resources that the process holds; `nil` where the platform does not report them.
package struct Footprint: CustomStringConvertible, Sendable {
    package var descriptors: Int?
    package var threads: Int?
    package var kibibytes: Int?

    package static var now: Footprint {
        #if os(Linux)
            let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
            func value(_ name: String) -> Int? {
                status.split(separator: "\n").first { $0.hasPrefix(name) }
                    .flatMap { $0.split { " \t:".contains($0) }.dropFirst().first }.flatMap { Int($0) }
            }
            // Listing the folder takes a descriptor itself.
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
            return Footprint(
                descriptors: descriptors.map { $0 - 1 },
                threads: value("Threads"),
                kibibytes: value("VmRSS")
            )
        #else
            return Footprint()
        #endif
    }

    /// The footprint once what ends by itself has ended, at most two seconds later.
    ///
    /// - Parameters:
    ///   - descriptors: A number of descriptors for which this waits longer.
    ///   - limit: The longest time, in seconds, for that.
    package static func settled(to descriptors: Int? = nil, upTo limit: Int = 2) async -> Footprint {
        if let descriptors {
            for _ in 0..<10 * limit where Footprint.now.descriptors ?? 0 > descriptors {
                try? await Task.sleep(for: .milliseconds(100))
            }
        }
        var least = Footprint.now
        for _ in 0..<20 {
            try? await Task.sleep(for: .milliseconds(100))
            giveBack()
            let now = Footprint.now
            least = Footprint(
                descriptors: least.descriptors.flatMap { a in now.descriptors.map { min(a, $0) } },
                threads: least.threads.flatMap { a in now.threads.map { min(a, $0) } },
                kibibytes: now.kibibytes
            )
        }
        return least
    }

    /// Gives free memory back to the system, so that what is left is what is held.
    private static func giveBack() {
        #if canImport(Glibc)
            _ = trim(0)
        #endif
    }

    package var description: String {
        func text(_ number: Int?) -> String { number.map { "\($0)" } ?? "?" }
        return "\(text(descriptors)) descriptors, \(text(threads)) threads, \(text(kibibytes.map { $0 / 1024 })) MiB"
    }
}

#if canImport(Glibc)
    /// `malloc_trim(3)`, which the module of the C library leaves out.
    @_silgen_name("malloc_trim")
    private func trim(_ pad: Int) -> CInt
#endif
