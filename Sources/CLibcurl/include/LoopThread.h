// A thread that no signal is delivered to. In C because pthread_t and the thread function's type differ by platform.
#ifndef HELIUM_LOOP_THREAD_H
#define HELIUM_LOOP_THREAD_H

#include <pthread.h>
#include <stdint.h>

typedef struct {
    pthread_t thread;
} helium_loop_thread;

// Starts a thread that runs body(context) with all signals blocked. Returns 0 or an errno value.
int helium_loop_thread_start(helium_loop_thread *thread, void (*body)(void *context), void *context);
// Waits until the thread has ended and gives its resources back.
void helium_loop_thread_join(helium_loop_thread thread);
// Lets the thread give its resources back by itself when it ends.
void helium_loop_thread_detach(helium_loop_thread thread);
// Tells the calling thread from all other living ones; never 0.
uintptr_t helium_current_thread(void);

#endif
