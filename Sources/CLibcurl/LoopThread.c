#define _GNU_SOURCE
#include "LoopThread.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
#if defined(__APPLE__)
    pthread_setname_np("helium-curl");
#else
    pthread_setname_np(pthread_self(), "helium-curl");
#endif
    start.body(start.context);
    return NULL;
}

int helium_loop_thread_start(helium_loop_thread *thread, void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    start->body = body;
    start->context = context;
    // A new thread inherits its creator's mask, so there is no moment in which a signal could get through.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread->thread, NULL, run, start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error) free(start);
    return error;
}

void helium_loop_thread_join(helium_loop_thread thread) { pthread_join(thread.thread, NULL); }

void helium_loop_thread_detach(helium_loop_thread thread) { pthread_detach(thread.thread); }

uintptr_t helium_current_thread(void) { return (uintptr_t)pthread_self(); }
