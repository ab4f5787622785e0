package dev.millrace.job.follow;

import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.Reason;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotFeed;
import dev.millrace.snapshot.UnusableSnapshotException;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks for newly published models on a thread of its own, reads and tries them there, and hands
 * over those that are good. A model that is no good is refused: logged once, and told to the
 * listener once. So nobody waits while a model is read. Where updates are published, these are
 * added to the model as they come.
 */
public final class ModelWatch implements AutoCloseable {

  /** Makes a model that can predict of a snapshot, on the watch's own thread. */
  public interface Reader extends AutoCloseable {

    /**
     * Reads a snapshot and tries it, as {@link ServedModel#read} does.
     *
     * @throws dev.millrace.model.io.InvalidModelException if it is no good, which refuses it
     * @throws UnusableEngineException if the engine can't work in this process, which ends the
     *     watch
     */
    ServedModel read(PublishedSnapshot snapshot);

    /** A model is about to be handed over: one that was read, or has been updated since. */
    default void offered(ServedModel model) {
      // Most need nothing of the models before.
    }

    /**
     * A model that was handed over isn't served after all, and none is. May be called on another
     * thread.
     */
    default void refused(ServedModel model) {
      // Most need nothing of the models before.
    }

    /** Lets go of what models share. Called last, on the watch's thread. */
    @Override
    default void close() {}
  }

  /** Is called on the watch's own thread. */
  public interface Listener {

    /**
     * A model to serve from now on.
     *
     * @throws RuntimeException to refuse it after all
     */
    void publish(ServedModel model);

    /**
     * A model was named that can't be served.
     *
     * @param why with its version and origin, where these are known
     */
    void refuse(String why);

    /** There will be no more models. */
    void fail(Throwable cause);
  }

  private static final Logger LOG = LoggerFactory.getLogger(ModelWatch.class);
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  private final ModelPlace place;
  private final Reader reader;
  private final Listener listener;
  private final Duration interval;
  private final ScheduledExecutorService worker;

  // Of the worker's thread alone.
  private SnapshotFeed feed;
  private String trouble = "";
  private boolean given;

  /** Null where none are published, and before the first look. */
  private ModelUpdates updates;

  private boolean updateRefused;

  /** A model that is tried again at each look, until another one comes; null if there is none. */
  private PublishedSnapshot waiting;

  private ModelWatch(ModelPlace place, Reader reader, Duration interval, Listener listener) {
    this.place = place;
    this.reader = reader;
    this.interval = interval;
    this.listener = listener;
    this.worker =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread thread = new Thread(task, "millrace-model-watch");
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Begins to look.
   *
   * @param reader of what is found
   * @param interval between one look and the next
   */
  @SuppressWarnings("FutureReturnValueIgnored") // The listener hears of all that it would hold.
  public static ModelWatch start(
      ModelPlace place, Reader reader, Duration interval, Listener listener) {
    ModelWatch watch = new ModelWatch(place, reader, interval, listener);
    // Where there are updates, a look waits for them.
    long delay = place.updates().isPresent() ? 1 : interval.toNanos();
    watch.worker.scheduleWithFixedDelay(watch::lookOrFail, 0, delay, TimeUnit.NANOSECONDS);
    return watch;
  }

  private void lookOrFail() {
    try {
      look();
      takeUpdates();
    } catch (UnusableEngineException | Error e) {
      listener.fail(e);
      // The executor takes a task that throws off its list.
      throw e;
    }
  }

  private void look() {
    try {
      if (feed == null) {
        if (updates == null) {
          updates = place.updates().map(UpdatePlace::open).orElse(null);
        }
        feed = place.open();
      }
      Optional<PublishedSnapshot> snapshot = feed.poll();
      if (snapshot.isPresent()) {
        waiting = null;
        take(snapshot.get());
      } else if (waiting != null) {
        take(waiting);
      } else if (given) {
        trouble = "";
      } else if (isNew("nothing there")) {
        LOG.info("There is no model in {} yet; predictions begin when there is one", place);
      }
    } catch (UnusableSnapshotException e) {
      if (isNew(e.getMessage())) {
        refuse(e.getMessage());
      }
    } catch (IOException | RuntimeException e) {
      if (e instanceof UnusableEngineException unusable) {
        throw unusable;
      }
      if (isNew(String.valueOf(e.getMessage()))) {
        LOG.warn("Can't look for models in {}; {}", place, served(), e);
      }
    } catch (Error e) {
      String why = InputErrors.reason(e);
      if (isNew(why)) {
        refuse("the newest in %s can't be read: %s".formatted(place, why));
      }
    }
  }

  /**
   * Reads a model and gives it to the listener. Where there is too little memory, one array was in
   * practice asked for in vain: it is dropped with all else of that model, and the last one serves
   * on. If the task failed instead, it would restart and read the same model again.
   */
  private void take(PublishedSnapshot snapshot) {
    try {
      ServedModel model = reader.read(snapshot);
      Optional<ServedModel> served =
          updates == null ? Optional.of(model) : updates.follow(model, snapshot.held());
      served.ifPresent(this::publish);
      given = true;
      trouble = "";
      waiting = null;
    } catch (UnusableEngineException e) {
      throw e;
    } catch (MissingRowsException e) {
      waiting = snapshot;
      if (isNew(String.valueOf(e.getMessage()))) {
        LOG.warn(
            "Version {} ({}) waits for rows: {}",
            snapshot.description().version(),
            snapshot.origin(),
            e.getMessage());
      }
    } catch (RuntimeException e) {
      refuse(snapshot, Reason.of(e));
    } catch (Error e) {
      refuse(snapshot, InputErrors.reason(e));
    }
  }

  /** Adds updates to the model until the next look is due. */
  private void takeUpdates() {
    if (updates == null) {
      return;
    }
    long due = System.nanoTime() + interval.toNanos();
    for (long left = interval.toNanos();
        left > 0 && !worker.isShutdown();
        left = due - System.nanoTime()) {
      try {
        updates.await(Duration.ofNanos(left)).ifPresent(this::publishUpdated);
      } catch (UnusableEngineException e) {
        throw e;
      } catch (RuntimeException e) {
        refuseUpdate(Reason.of(e));
      } catch (Error e) {
        refuseUpdate(InputErrors.reason(e));
      }
    }
  }

  private void publishUpdated(ServedModel updated) {
    publish(updated);
    updateRefused = false;
  }

  private void publish(ServedModel model) {
    // Before the listener may refuse it on another thread.
    reader.offered(model);
    boolean refused = true;
    try {
      listener.publish(model);
      refused = false;
      given = true;
    } finally {
      if (refused && !given) {
        reader.refused(model);
      }
    }
  }

  private void refuseUpdate(String why) {
    // The next ones may be no better.
    if (!updateRefused) {
      refuse("an update in %s can't be served: %s".formatted(place, why));
    }
    updateRefused = true;
  }

  private void refuse(PublishedSnapshot snapshot, String why) {
    trouble = "";
    waiting = null;
    refuse(
        "version %s (%s) can't be served: %s"
            .formatted(snapshot.description().version(), snapshot.origin(), why));
  }

  private void refuse(String why) {
    LOG.warn("A model is refused, and {}: {}", served(), why);
    listener.refuse(why);
  }

  private String served() {
    return given ? "the last one still serves" : "there is none yet";
  }

  /** Says whether a message is another than the last one: what lasts is said once. */
  private boolean isNew(String message) {
    boolean isNew = !message.equals(trouble);
    trouble = message;
    return isNew;
  }

  private void closeFeed() {
    reader.close();
    if (updates != null) {
      updates.close();
    }
    try {
      if (feed != null) {
        feed.close();
      }
    } catch (IOException e) {
      LOG.warn("What was kept of the last model can't be deleted", e);
    }
  }

  /** Ends the watch, and waits for a while where a model is just being read. */
  @Override
  public void close() {
    worker.execute(this::closeFeed);
    worker.shutdown();
    try {
      if (!worker.awaitTermination(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.warn("A model is still being read; it is dropped when that is done");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
