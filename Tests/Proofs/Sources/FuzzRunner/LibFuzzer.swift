#if HELIUM_LIBFUZZER
    import Foundation
    @testable import FuzzSupport
    import Synchronization

    /// libFuzzer's own loop, which looks for inputs that reach new code: `make fuzz ENGINE=libfuzzer`.
    ///
    /// Arguments are libFuzzer's (`-runs=…`, `-seed=…`, a corpus folder); the target's name is in `HELIUM_FUZZ_TARGET`;
    /// without it the targets' names are printed.
    enum LibFuzzer {
        static func run() throws {
            let name = ProcessInfo.processInfo.environment["HELIUM_FUZZ_TARGET"] ?? ""
            guard let target = FuzzTarget.named(name) else {
                say(FuzzTarget.all.map(\.name).joined(separator: " "))
                return
            }
            if let folder = ProcessInfo.processInfo.environment["HELIUM_FUZZ_CORPUS"] {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                for (index, example) in target.examples.enumerated() {
                    try Data(example).write(to: URL(fileURLWithPath: "\(folder)/example-\(index)"))
                }
            }
            current.withLock { $0 = target }
            var count = CommandLine.argc
            var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
            exit(runDriver(&count, &arguments) { bytes, size in LibFuzzer.check(bytes, size) })
        }

        fileprivate static let current = Mutex<FuzzTarget?>(nil)

        fileprivate static func check(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
            guard let target = current.withLock({ $0 }) else { return 0 }
            let input = Array(UnsafeBufferPointer(start: bytes, count: size))
            let done = DispatchSemaphore(value: 0)
            Task.detached {
                do {
                    try await target.check(input)
                } catch {
                    say("\(target.name): \(error)")
                    fatalError("\(error)")
                }
                done.signal()
            }
            done.wait()
            return 0
        }
    }

    @_silgen_name("LLVMFuzzerRunDriver")
    private func runDriver(
        _ count: UnsafeMutablePointer<CInt>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ check: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
    ) -> CInt
#endif
