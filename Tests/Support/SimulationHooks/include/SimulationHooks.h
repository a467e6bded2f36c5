#ifndef SIMULATION_HOOKS_H
#define SIMULATION_HOOKS_H

#include <stdbool.h>

/// The ways in which a job reaches the concurrency runtime.
typedef enum {
    /// To be run by any thread.
    SimulationHookGlobal,
    /// To be run by the main thread.
    SimulationHookMain,
    /// To be run later, by the system's clock.
    SimulationHookLater,
} SimulationHook;

/// Called with each job in place of enqueuing it.
typedef void (*SimulationEnqueue)(void *job, SimulationHook hook);

/// Has `enqueue` called for all jobs of the process from now on. Nothing undoes it.
void simulation_install_hooks(SimulationEnqueue enqueue);

/// Whether the current thread is the one that has installed the hooks. Costs less than to ask Foundation for the main thread.
bool simulation_is_hooking_thread(void);

#endif
