#!/usr/bin/env bash
# Fuzzes everything that takes bytes from outside (Tests/Support/FuzzSupport), in release mode.
#
#   Scripts/fuzz.sh [--count N] [--seed N] [--only TARGET]… [--from N] [--jobs N]
#
# ENGINE=seeded (the default) feeds each target seeded inputs, a million or 100,000 unless --count says otherwise: every input can be
# made again. SANITIZER=address (the default) finds memory errors too; SANITIZER= goes without.
# ENGINE=libfuzzer lets libFuzzer look for inputs that reach new code; what it learns stays in .build-fuzz-findings.
set -eu
cd "$(dirname "$0")/.."

# `make soak` looks for leaks. The runtime never frees some of its memory, which the sanitizer would report as a leak.
export ASAN_OPTIONS="${ASAN_OPTIONS:-detect_leaks=0}"
# Swift's own backtraces read stacks in a way that the sanitizer takes for an error, and never come to an end.
export SWIFT_BACKTRACE=enable=no

# build SCRATCH [OPTION]…
build() {
    swift build --package-path Tests/Proofs -c release --scratch-path "$1" -Xswiftc -enable-testing --product FuzzRunner "${@:2}"
}

engine="${ENGINE:-seeded}"
sanitizer="${SANITIZER-address}"

case "$engine" in
    seeded)
        if [ -n "$sanitizer" ]; then
            scratch=".build-fuzz-$sanitizer"
            build "$scratch" "--sanitize=$sanitizer"
        else
            scratch=.build-proofs
            build "$scratch"
        fi
        jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
        exec "$scratch/release/FuzzRunner" --jobs "$jobs" --findings .build-fuzz-findings "$@"
        ;;
    libfuzzer)
        scratch=.build-fuzz-libfuzzer
        # At link time -sanitize=fuzzer brings libFuzzer; its own main gives way to ours.
        build "$scratch" -Xswiftc -sanitize=fuzzer -Xswiftc -DHELIUM_LIBFUZZER
        count=1000000 seed=20160212 targets=()
        while [ $# -gt 1 ]; do
            case "$1" in
                --count) count=$2 ;;
                --seed) seed=$2 ;;
                --only) targets+=("$2") ;;
                *) echo "fuzz: error: libFuzzer has no $1" >&2; exit 2 ;;
            esac
            shift 2
        done
        [ ${#targets[@]} -gt 0 ] || read -r -a targets <<<"$("$scratch/release/FuzzRunner")"
        failed=()
        for target in "${targets[@]}"; do
            corpus=".build-fuzz-findings/corpus-$target"
            echo "fuzz: $target, $count runs by libFuzzer, seed $seed"
            mkdir -p "$corpus"
            HELIUM_FUZZ_TARGET=$target HELIUM_FUZZ_CORPUS=$corpus "$scratch/release/FuzzRunner" "$corpus" \
                -runs="$count" -seed="$seed" -timeout=60 -max_len=4096 -verbosity=0 -print_final_stats=1 \
                -artifact_prefix=".build-fuzz-findings/$target-" || failed+=("$target")
        done
        [ ${#failed[@]} -eq 0 ] || { echo "fuzz: FOUND in ${failed[*]}" >&2; exit 1; }
        echo "fuzz: nothing found"
        ;;
    *)
        echo "fuzz: error: unknown ENGINE '$engine' (seeded or libfuzzer)" >&2
        exit 2
        ;;
esac
