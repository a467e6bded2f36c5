# For scripts that start processes in the background: `. Scripts/jobs.sh`. Bash makes such processes ignore SIGINT; with these
# functions they end with the script, however a signal ends that.

job_pids=()

# Starts a command in the background as the leader of a process group, and adds its pid to job_pids.
start_job() {
    set -m
    "$@" </dev/null &
    job_pids+=($!)
    set +m
}

# Waits for all jobs, and sets job_failures to the number of those that failed.
wait_for_jobs() {
    local pid
    job_failures=0
    # The Bash of macOS takes an empty array for an unset variable.
    for pid in ${job_pids[@]+"${job_pids[@]}"}; do wait "$pid" || job_failures=$((job_failures + 1)); done
    job_pids=()
}

end_jobs() {
    local pid
    trap '' HUP INT TERM
    # Not those that have ended: their numbers may be in use again.
    for pid in $(jobs -p); do kill -TERM -- "-$pid" 2>/dev/null || true; done
}
trap end_jobs EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
