# The commands of this repository. Each prints what it runs; `make help` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# STRICT=1 makes warnings in our own targets errors; SwiftPM keeps the flag away from dependencies, so
# switching recompiles only what is ours. On in CI (CI=true) and in `lint`; off for people whose
# compiler is newer than ours and warns about more.
STRICT ?= $(if $(filter-out 0 false,$(CI)),1,0)
STRICT_FLAGS := -Xswiftc -warnings-as-errors
SWIFT_FLAGS := $(if $(filter 1,$(STRICT)),$(STRICT_FLAGS))
# What is built into .build. Without index and debug information: make build and FAST=0 keep them (Scripts/build-flags.sh).
BUILD_FLAGS = $(SWIFT_FLAGS) $$(Scripts/build-flags.sh)

# SwiftPM passes the traits of a package to the compiler in the order of a set. With another order in the next process it
# compiles everything again, so that order is fixed here.
export SWIFT_DETERMINISTIC_HASHING := 1

# Where `make install` puts the tool. DESTDIR, if set, is put in front of it, for packagers.
PREFIX ?= $(HOME)/.local
DESTDIR ?=
# The tool for users: on Linux with Swift's runtime inside, so that it runs on machines without Swift.
# TOOL_SCRATCH is where it is built: CI builds it beside its tests, and SwiftPM works once at a time in one folder. Without
# information for debuggers, which installing would strip.
TOOL_SCRATCH ?= .build
RELEASE_FLAGS := -c release --scratch-path $(TOOL_SCRATCH) -debug-info-format none $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
TOOL_FLAGS := $(RELEASE_FLAGS) --product helium
# Products that the tool does not contain. Jetstream is left out: its macros need swift-syntax, which takes minutes to compile.
OTHER_MODULES := HeliumTesting HeliumServerTesting HeliumLifecycle

.PHONY: help quick setup static build build-tests test flaky prove test-oldest test-browser demo examples lint format api messages docs \
    tool release-modules install uninstall release bench bench-quick test-tsan test-asan fuzz fuzz-tests cost soak simulate simulate-bites mutate crash \
    interop http documents clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install what building needs, or say how to
	Scripts/setup.sh

build: setup ## build everything, tests included, with what debuggers and editors need
	swift build --build-tests $(SWIFT_FLAGS) $$(FAST=$${FAST:-0} Scripts/build-flags.sh remember)

# What quick, test and lint need.
build-tests: setup
	swift build --build-tests $(BUILD_FLAGS)

quick: ## build, and run one suite: make quick SUITE=NAME, or a part of the name of a suite or test
	@: $(or $(SUITE),$(error use make quick SUITE=NAME, for example SUITE=RetryPolicyTests))
	@$(MAKE) build-tests
	Scripts/test.py --filter "$(SUITE)" $(TEST_FLAGS)

# The consumer is a package that sees of us what any user sees; it shares no build folder with us. It comes first, so that
# the last line is the result of the tests. TEST_FLAGS: see Scripts/test.py --help.
test: build-tests ## run the consumer package, and all tests
	swift build --package-path Tests/Suites/Consumer --scratch-path .build-consumer $$(FAST=1 Scripts/build-flags.sh)
	swift run --skip-build --package-path Tests/Suites/Consumer --scratch-path .build-consumer Consumer
	Scripts/consumer-packages.sh .build-consumer
	Scripts/test.py $(TEST_FLAGS)

# ROUNDS=N, SEED=N for other orders. The logs are in .build/flaky.
ROUNDS ?= 20
flaky: build-tests ## run all tests 20 times beside two busy loops, in other orders, and list what failed in any round
	Scripts/flaky.py --rounds $(ROUNDS) --seed $(or $(SEED),0) $(TEST_FLAGS)

# PART=NAME, or several names: only these. SEED=N: other random numbers than those of the commit. SLICE=SECONDS: a share of the
# random proofs with what `make test` has built, as CI runs it.
prove: ## run all long proofs: PART="fuzz cost simulate crash soak tsan asan mutate interop http browser bench"
	Scripts/prove.py $(if $(SLICE),--slice $(SLICE)) $(addprefix --part ,$(PART)) $(if $(SEED),--seed $(SEED))

# The lowest versions that Package.swift allows, as far as they can be fetched. Says which could not.
test-oldest: setup ## build with the oldest dependencies that are allowed, and run the tests that need no server
	Scripts/oldest.sh

# `make test` drives the page without a browser. ONLY=TEXT: only the checks whose names contain it.
test-browser: ## look at ConAir's page in Chromium: live, stale, on a phone, dark, without scripts; pictures in .build/browser
	Scripts/setup.sh browser
	Scripts/browser.sh $(if $(ONLY),"$(ONLY)")

demo: setup ## run `helium demo`: the whole stack in one command
	swift run $(BUILD_FLAGS) helium demo

# A package of its own, which takes from .build what is built there.
examples: setup ## run the programs in Examples, each on a server of its own, and their tests
	Scripts/beside.sh Examples build --build-tests $(BUILD_FLAGS)
	for program in ServiceClient SignedDevice CosmLogger AppNetBot; do .build/debug/$$program; done
	Scripts/test.py --jobs 1 --binary .build/debug/helium-examplesPackageTests.xctest --logs .build/examples/logs

tool: setup ## build the tool in release, with Swift's runtime inside
	swift build $(TOOL_FLAGS) $(SWIFT_FLAGS)

# For CI, in the folder of the tool.
release-modules: setup
	for module in $(OTHER_MODULES); do swift build $(RELEASE_FLAGS) --target $$module $(SWIFT_FLAGS); done

install: tool ## install tool, completions and manual page: make install [PREFIX=~/.local]
	Scripts/install.sh install "$$(swift build $(TOOL_FLAGS) $(SWIFT_FLAGS) --show-bin-path)/helium" "$(DESTDIR)$(PREFIX)"

uninstall: ## remove what `make install` installed, from the same PREFIX
	Scripts/install.sh uninstall "$(DESTDIR)$(PREFIX)"

release: tool ## pack the same into .build/dist/helium-VERSION-SYSTEM-MACHINE.tar.gz, with its SHA-256
	Scripts/release.sh "$$(swift build $(TOOL_FLAGS) $(SWIFT_FLAGS) --show-bin-path)/helium"

lint: setup ## check format, text, hygiene, warnings and that the public interface is as Docs/API says
	Scripts/lint.sh
	swift build --build-tests $(STRICT_FLAGS) $$(Scripts/build-flags.sh)
	Scripts/api.py --check

format: ## format the sources in place
	swift format --in-place --recursive --parallel $(shell Scripts/swift-sources.sh)

# The smallest program on HeliumKit as one file: only the C libraries of the system are linked dynamically.
static: setup ## build Examples/SmallClient with Swift's runtime inside, run it and print its size
	swift build --package-path Examples -c release --product SmallClient --scratch-path .build-static $$(Scripts/static-flags.sh) $(SWIFT_FLAGS)
	Scripts/static.sh .build-static/release/SmallClient

api: setup ## write the public interface of each library to Docs/API
	swift build $(BUILD_FLAGS)
	Scripts/api.py

messages: ## write the texts of errors, logs, responses and help to Docs/Messages.txt
	Scripts/messages.py

docs: setup ## build the DocC archives into .build/docs; DocC's warnings are errors
	swift build $(BUILD_FLAGS)
	Scripts/docs.sh

bench: ## measure against the peers (about twenty minutes plus a first build)
	Scripts/setup.sh bench
	python3 -B -m unittest discover --quiet --start-directory Tests/Benchmarks/Scripts
	Tests/Benchmarks/Scripts/bench.py

bench-quick: ## the same with few requests and rounds: shows that it works, decides nothing
	Scripts/setup.sh bench
	Tests/Benchmarks/Scripts/bench.py --quick

# The limits, in seconds, of runs in which tests take long: for all of it, and for one test. The latter is above every time limit
# of a suite, so that the suite's own limit ends a test first, and names it.
LONG := --limit 14400 --test-limit 3000

# The suites named …ConcurrencyTests, and those of byte channels, of live sockets, and of calls that end in another order. Of
# Jetstream also those with tasks and sockets in memory. Of MessageBeast those with tasks, observers and other engines on one
# file, whose transport is in memory, and those of the access to files.
TSAN := ConcurrencyTests HeliumWebSocketTests. CosmTests.CosmSocket CosmTests.LiveUpdates CosmTests.LiveModel \
    HeliumCurlTests. CosmTests.SocketOrderTests AppNetTests.UserStreamTests AppNetTests.StreamFollowerTests HeliumCoreTests.SharedAuthorizerTests \
    HeliumKitTests.RegistrationOrderTests \
    JetstreamLiveTests. JetstreamHostingTests.LiveServerTests JetstreamCoreTests.ClientTests \
    JetstreamCoreTests.WebSocketTransportTests HeliumDatabaseTests. MessageBeastTests.OpeningTests \
    MessageBeastTests.LifecycleTests MessageBeastTests.RestartTests MessageBeastTests.ObservationTests \
    MessageBeastTests.ObservedValueTests MessageBeastTests.FileRecoveryTests

# One process: the sanitizer makes everything ten times slower, and time limits are real.
test-tsan: setup ## run the tests of concurrency and of live sockets under Thread Sanitizer
	swift build --build-tests --sanitize=thread -Xswiftc -DHELIUM_TSAN --scratch-path .build-tsan --disable-index-store \
	    $$(Scripts/build-flags.sh whole-modules)
	TSAN_OPTIONS="suppressions=$(CURDIR)/Tests/Proofs/ThreadSanitizer.supp" Scripts/test.py --jobs 1 $(LONG) \
	    --binary .build-tsan/debug/heliumPackageTests.xctest --logs .build-tsan/logs $(addprefix --filter ,$(TSAN)) $(TEST_FLAGS)

# HeliumJSON reads memory that is the caller's. Left out is what needs a certain stack: the sanitizer takes more of it. `make soak`
# looks for leaks. The runtime never frees some of its memory, which the sanitizer would report as a leak.
test-asan: setup ## run the tests of HeliumJSON and those that fuzz under Address Sanitizer
	swift build --build-tests --sanitize=address --scratch-path .build-asan --disable-index-store \
	    $$(Scripts/build-flags.sh whole-modules)
	ASAN_OPTIONS=detect_leaks=0 SWIFT_BACKTRACE=enable=no Scripts/test.py --jobs 1 $(LONG) \
	    --binary .build-asan/debug/heliumPackageTests.xctest --logs .build-asan/logs --filter HeliumJSONTests. \
	    --filter FuzzTargetTests --skip theDefaultDepthNeedsLittleStack --skip "nests without end" $(TEST_FLAGS)

# SEED=N: other inputs. FUZZ_FLAGS: --count N, --only TARGET, --from N, --jobs N. ENGINE=libfuzzer looks for new code by itself.
fuzz: setup ## feed a million bad inputs to each parser (100,000 to an import), under Address Sanitizer
	Scripts/fuzz.sh $(if $(SEED),--seed $(SEED)) $(FUZZ_FLAGS)

# SEED=N: other inputs. FUZZ_SECONDS=N: for each case of a test.
FUZZ_SECONDS ?= 20
fuzz-tests: build-tests ## run the tests with random inputs at full length
	HELIUM_PROOF_SECONDS=$(FUZZ_SECONDS) HELIUM_PROOF_SEED=$(or $(SEED),1) \
	    Scripts/test.py --tag random $(LONG) --logs .build/fuzz-test-logs $(TEST_FLAGS)

# COST_FLAGS: --bytes N, --only CASE.
cost: setup ## measure what long inputs cost each parser
	Scripts/cost.sh $(COST_FLAGS)

# SEED=N, SOAK_SECONDS, SOAK_CONCURRENCY: see Scripts/soak.sh.
soak: setup ## ten minutes of random calls and ends: no leak, no hang, no lost completion
	$(if $(SEED),SOAK_SEED=$(SEED)) Scripts/soak.sh

# SYSTEM=beast, jetstream or transport picks one. SEED=N runs one seed and prints its trace; SEEDS=N and FIRST=N run others. A seed
# of a debug build, such as of `make test`, is replayed with CONFIGURATION=debug.
SYSTEM ?= beast jetstream transport
SEEDS ?= 20000
FIRST ?= 1
simulate: setup ## simulate MessageBeast, Jetstream and the transport: clients, a bad network, kills; 20,000 seeds each, or SEED=N
	$(if $(CONFIGURATION),CONFIGURATION=$(CONFIGURATION)) Scripts/simulate.sh "$(SYSTEM)" $(or $(SEED),$(FIRST) $(SEEDS))

simulate-bites: setup ## plant faults in a copy of MessageBeast, Jetstream and the transport, and see that the simulation finds each
	Scripts/simulate-bites.sh "$(SYSTEM)"

# MUTATE_FLAGS: --only TEXT, --list, --no-build. The mutations are in Tests/Proofs/Mutations.
mutate: setup ## change one decision of the sources after another, and see that the tests of its module notice each
	python3 -B -m unittest discover --quiet --start-directory Tests/Proofs/Mutations
	Scripts/mutate.py $(MUTATE_FLAGS)

# KILLS=N, SEED=N.
KILLS ?= 10000
crash: setup ## kill processes with MessageBeast 10,000 times, and at each crash point; nothing may be lost or doubled
	Scripts/crash.sh --kills $(KILLS) --seed $(or $(SEED),1)

interop: setup ## test the client with httpbin and Autobahn's suite, and the server with adnpy and pnutpy, all from PyPI
	Scripts/interop.sh

# PART=NAME, or several: only these of responses, requests, idle, restarts, soak. SEED=N. SHARE=N: each N times shorter.
# Needs nginx, Go, Node and openssl.
http: ## test the HTTP engines with nginx, Go, Node, libcurl and Hummingbird: idle and shared connections, restarts, odd responses
	Scripts/setup.sh bench
	$(if $(SEED),HTTP_SEED=$(SEED)) $(if $(SHARE),HTTP_SHARE=$(SHARE)) Scripts/http.sh $(PART)

documents: setup ## decode the real services' documents: make documents DATA=../shared/data
	swift build $(BUILD_FLAGS) --product helium
	Scripts/documents.sh $(or $(DATA),../shared/data)

clean: ## remove what was built
	rm -rf .build .build-* Tests/Benchmarks/.build* Tests/Suites/Consumer/.build* Tests/Proofs/.build* Examples/.build*
