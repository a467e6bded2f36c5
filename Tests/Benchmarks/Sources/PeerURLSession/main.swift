import BenchmarkHarness

await Benchmark.main(URLSessionPeer.self)
