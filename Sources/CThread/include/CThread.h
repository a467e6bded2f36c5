// A thread that no signal is delivered to. In C because pthread_t and the thread function's type differ by platform.
#ifndef HELIUM_THREAD_H
#define HELIUM_THREAD_H

#include <pthread.h>

typedef struct {
    pthread_t thread;
} helium_thread;

// Starts a thread that runs body(context) with all signals blocked. The name has at most 15 bytes and lives as long as
// the process. Returns 0 or an errno value.
int helium_thread_start(helium_thread *thread, const char *name, void (*body)(void *context), void *context);
// Waits until the thread has ended and gives its resources back.
void helium_thread_join(helium_thread thread);
// Lets the thread give its resources back by itself when it ends.
void helium_thread_detach(helium_thread thread);

#endif
