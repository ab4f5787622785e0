package dev.millrace.registry;

import dev.millrace.example.Prerequisites;
import dev.millrace.model.Reason;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The schemas of a registry that were asked for. One that can be used is kept for good: what an id
 * stands for never changes. One that can't is asked for again after half a minute, and where the
 * registry can't be asked, at each call.
 *
 * <p>Thread-safe.
 *
 * @param <T> what is made of a schema
 */
public final class RegisteredSchemas<T> {

  private static final Duration UNUSABLE_FOR = Duration.ofSeconds(30);

  /** Above all records that a reader has fetched ahead, so that none is forgotten meanwhile. */
  private static final int MOST_UNUSABLE = 50_000;

  /** Makes something of a schema. */
  public interface Reading<T> {

    /**
     * Reads a schema.
     *
     * @throws UnusableSchemaException if no record can be read by it
     */
    T of(int id, SchemaTexts texts) throws UnusableSchemaException;
  }

  private record Unusable(String reason, long until) {}

  private final Reading<T> reading;
  private final RegistrySettings settings;
  private final SchemaFetch fetch;
  private final Map<Integer, T> usable = new ConcurrentHashMap<>();
  private final Map<Integer, CompletableFuture<Optional<String>>> underWay =
      new ConcurrentHashMap<>();
  private final ExecutorService thread = thread();

  // Guarded by itself.
  private final Map<Integer, Unusable> unusable =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Integer, Unusable> eldest) {
          return size() > MOST_UNUSABLE;
        }
      };

  public RegisteredSchemas(RegistrySettings settings, Reading<T> reading) {
    this.settings = settings;
    this.reading = Objects.requireNonNull(reading, "reading");
    this.fetch = new SchemaFetch(new RegistryConnection(settings));
  }

  /** One at a time, and none while nothing is fetched. */
  private static ExecutorService thread() {
    ThreadPoolExecutor thread =
        new ThreadPoolExecutor(
            1,
            1,
            1,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            work -> {
              Thread made = new Thread(work, "millrace-schemas");
              made.setDaemon(true);
              return made;
            });
    thread.allowCoreThreadTimeOut(true);
    return thread;
  }

  /**
   * A schema that is known, or null: of an unknown id, and of one that can't be used.
   *
   * @see #reason
   */
  public T get(int id) {
    return usable.get(id);
  }

  /** Why a schema can't be used; null where it can, or that isn't known. */
  public String reason(int id) {
    synchronized (unusable) {
      Unusable found = unusable.get(id);
      return found == null ? null : found.reason();
    }
  }

  /** Has a schema fetched, if need be; as {@link Prerequisites#of}. */
  public CompletableFuture<Optional<String>> prepare(int id) {
    if (usable.containsKey(id) || isUnusableStill(id)) {
      return Prerequisites.Ready.NOW;
    }
    return underWay.computeIfAbsent(
        id,
        any -> {
          CompletableFuture<Optional<String>> result = new CompletableFuture<>();
          thread.execute(
              () -> {
                Optional<String> problem = fetch(id);
                underWay.remove(id);
                result.complete(problem);
              });
          return result;
        });
  }

  private boolean isUnusableStill(int id) {
    synchronized (unusable) {
      Unusable found = unusable.get(id);
      return found != null && found.until() - System.nanoTime() > 0;
    }
  }

  /** Nothing once it is known, or why it can't be found out. */
  private Optional<String> fetch(int id) {
    try {
      usable.put(id, reading.of(id, fetch.byId(id)));
      return Optional.empty();
    } catch (UnusableSchemaException e) {
      synchronized (unusable) {
        unusable.put(id, new Unusable(e.getMessage(), System.nanoTime() + UNUSABLE_FOR.toNanos()));
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    } catch (InterruptedException e) {
      return Optional.of("interrupted");
    } catch (RuntimeException e) {
      return Optional.of(
          "The schema registry at %s can't be asked: %s".formatted(settings.urls(), Reason.of(e)));
    }
  }

  /** Whether the registry can be asked at all; as {@link Prerequisites#problem}. */
  public Optional<String> problem(Duration limit) {
    // Any id needs the rights that every other needs.
    return CompletableFuture.supplyAsync(this::probe, thread)
        .completeOnTimeout(
            Optional.of(
                "The schema registry at %s gave no answer within %s ms; check the registry and the network"
                    .formatted(String.join(", ", settings.urls()), limit.toMillis())),
            limit.toMillis(),
            TimeUnit.MILLISECONDS)
        .join();
  }

  private Optional<String> probe() {
    try {
      fetch.byId(1);
      return Optional.empty();
    } catch (UnusableSchemaException e) {
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(e.getMessage());
    } catch (InterruptedException e) {
      return Optional.of("interrupted");
    }
  }
}
