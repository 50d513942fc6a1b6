/* Stopwatches of sample programs, in milliseconds of the host's clock. Our own; a program's copy
 * comes first. With EVGPU_CLOCK=simulated the clock is the simulation's. */
#ifndef EVGPU_CUDA_HELPER_TIMER_H
#define EVGPU_CUDA_HELPER_TIMER_H

#include <stddef.h>
#include <sys/time.h>

class StopWatchInterface
{
    struct timeval started;
    float last, total;
    int sessions;
    bool running;

    float since() const
    {
        struct timeval now;
        gettimeofday(&now, NULL);
        return (float)(1000.0 * (double)(now.tv_sec - started.tv_sec) +
                       0.001 * (double)(now.tv_usec - started.tv_usec));
    }

  public:
    StopWatchInterface() : started(), last(0), total(0), sessions(0), running(false)
    {
    }
    virtual ~StopWatchInterface()
    {
    }
    virtual void start()
    {
        gettimeofday(&started, NULL);
        running = true;
    }
    virtual void stop()
    {
        last = since();
        total += last;
        sessions++;
        running = false;
    }
    virtual void reset()
    {
        last = total = 0;
        sessions = 0;
        if (running)
            gettimeofday(&started, NULL);
    }
    virtual float getTime()
    {
        return running ? total + since() : total;
    }
    virtual float getAverageTime()
    {
        return sessions ? total / (float)sessions : 0.0f;
    }
};

inline bool sdkCreateTimer(StopWatchInterface **timer_interface)
{
    *timer_interface = new StopWatchInterface;
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer_interface)
{
    delete *timer_interface;
    *timer_interface = NULL;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->start();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->stop();
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer_interface)
{
    if (*timer_interface)
        (*timer_interface)->reset();
    return true;
}
inline float sdkGetAverageTimerValue(StopWatchInterface **timer_interface)
{
    return *timer_interface ? (*timer_interface)->getAverageTime() : 0.0f;
}
inline float sdkGetTimerValue(StopWatchInterface **timer_interface)
{
    return *timer_interface ? (*timer_interface)->getTime() : 0.0f;
}

#endif
