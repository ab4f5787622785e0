package dev.millrace.simulate.task;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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

  /** The ones that aren't done, of the run whose thread it is. */
  private static final ThreadLocal<Set<Fiber>> OF_RUN = ThreadLocal.withInitial(LinkedHashSet::new);

  /** Work that may throw. */
  public interface Work {
    void run() throws Exception;
  }

  private final Semaphore mayWork = new Semaphore(0);
  private final Semaphore mayGoOn = new Semaphore(0);
  private final Work work;
  private final Set<Fiber> ofRun = OF_RUN.get();
  private boolean done;
  private boolean abandoned;
  private Exception failure;

  public Fiber(Work work) {
    this.work = work;
    ofRun.add(this);
    THREADS.execute(this::work);
  }

  private void work() {
    mayWork.acquireUninterruptibly();
    OF_RUN.set(ofRun);
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
      ofRun.remove(this);
      OF_RUN.remove();
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

  /** Ends all that the run of the calling thread has left where they wait: each keeps all of it. */
  public static void abandonAll() {
    List.copyOf(OF_RUN.get()).forEach(Fiber::abandon);
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
