package dev.millrace.simulate.task;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Work that waits in the middle, such as the end of an input: it has a thread of its own, and the
 * thread of the run waits whenever it works. So one of both runs at a time, and a run is the same
 * each time.
 */
public final class Fiber {

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "simulated-task");
            thread.setDaemon(true);
            return thread;
          });

  /** Work that may throw. */
  public interface Work {
    void run() throws Exception;
  }

  private final Semaphore mayWork = new Semaphore(0);
  private final Semaphore mayGoOn = new Semaphore(0);
  private final Work work;
  private boolean done;
  private boolean abandoned;
  private Exception failure;

  public Fiber(Work work) {
    this.work = work;
    THREADS.execute(this::work);
  }

  private void work() {
    mayWork.acquireUninterruptibly();
    try {
      if (!abandoned) {
        work.run();
      }
    } catch (Exception e) {
      failure = e;
    } catch (Error e) {
      failure = new IllegalStateException(e);
    } finally {
      done = true;
      mayGoOn.release();
    }
  }

  /**
   * Has it work until it waits or is done.
   *
   * @return whether it is done
   */
  public boolean resume() throws Exception {
    mayWork.release();
    mayGoOn.acquireUninterruptibly();
    if (failure != null) {
      throw failure;
    }
    return done;
  }

  /** Waits; called by the work, which may not notice that it was ended. */
  public void pause() {
    if (!abandoned) {
      mayGoOn.release();
      mayWork.acquireUninterruptibly();
    }
    if (abandoned) {
      throw new CancelledTaskException();
    }
  }

  /** Ends it where it waits. */
  public void abandon() {
    abandoned = true;
    if (!done) {
      mayWork.release();
      mayGoOn.acquireUninterruptibly();
    }
  }
}
