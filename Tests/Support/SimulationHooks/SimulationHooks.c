#include "SimulationHooks.h"

#include <pthread.h>

// The hooks of libswift_Concurrency (Swift 6.3: stdlib/public/Concurrency, "ConcurrencyHooks.def"), which have Swift's calling
// convention. The last parameter of each is the function that it replaces.

#define SWIFT_CC __attribute__((swiftcall))

typedef SWIFT_CC void (*Original)(void *job);

extern SWIFT_CC void (*swift_task_enqueueGlobal_hook)(void *job, Original original);
extern SWIFT_CC void (*swift_task_enqueueMainExecutor_hook)(void *job, Original original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDelay_hook)(unsigned long long delay, void *job, void *original);
extern SWIFT_CC void (*swift_task_enqueueGlobalWithDeadline_hook)(
    long long seconds,
    long long nanoseconds,
    long long toleranceSeconds,
    long long toleranceNanoseconds,
    int clock,
    void *job,
    void *original
);

static SimulationEnqueue enqueue;
static pthread_t hookingThread;

static SWIFT_CC void enqueueGlobal(void *job, Original original) {
    (void)original;
    enqueue(job, SimulationHookGlobal);
}

static SWIFT_CC void enqueueMain(void *job, Original original) {
    (void)original;
    enqueue(job, SimulationHookMain);
}

static SWIFT_CC void enqueueWithDelay(unsigned long long delay, void *job, void *original) {
    (void)delay;
    (void)original;
    enqueue(job, SimulationHookLater);
}

static SWIFT_CC void enqueueWithDeadline(
    long long seconds,
    long long nanoseconds,
    long long toleranceSeconds,
    long long toleranceNanoseconds,
    int clock,
    void *job,
    void *original
) {
    (void)seconds;
    (void)nanoseconds;
    (void)toleranceSeconds;
    (void)toleranceNanoseconds;
    (void)clock;
    (void)original;
    enqueue(job, SimulationHookLater);
}

void simulation_install_hooks(SimulationEnqueue function) {
    enqueue = function;
    hookingThread = pthread_self();
    swift_task_enqueueGlobal_hook = enqueueGlobal;
    swift_task_enqueueMainExecutor_hook = enqueueMain;
    swift_task_enqueueGlobalWithDelay_hook = enqueueWithDelay;
    swift_task_enqueueGlobalWithDeadline_hook = enqueueWithDeadline;
}

bool simulation_is_hooking_thread(void) { return pthread_equal(pthread_self(), hookingThread) != 0; }
