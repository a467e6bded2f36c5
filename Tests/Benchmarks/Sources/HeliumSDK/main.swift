import BenchmarkHarness

await Benchmark.main(WholeSDK.self)
