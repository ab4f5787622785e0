package dev.millrace.registry;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import dev.millrace.example.UnavailableException;
import dev.millrace.example.WireHeader;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schemas of a registry that were asked for. One that can be used is kept: what an id stands
 * for never changes. One that can't is asked for again after a while, and where the registry can't
 * be asked, at each call.
 *
 * <p>That the registry can't be asked is one thing, that it doesn't give one schema while it
 * answers for others is another: such a schema can't be used.
 *
 * <p>Thread-safe.
 *
 * @param <T> what is made of a schema
 */
public final class RegisteredSchemas<T> implements Prerequisites {

  private static final Logger LOG = LoggerFactory.getLogger(RegisteredSchemas.class);

  /** A schema is asked for again: the registry may be about to restart, or be overloaded. */
  private static final int TRIES = 3;

  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(3);

  /** Makes something of a schema. */
  public interface Reading<T> {

    /**
     * Reads a schema.
     *
     * @throws UnusableSchemaException if no record can be read by it
     */
    T of(int id, SchemaTexts texts) throws UnusableSchemaException;
  }

  private final Reading<T> reading;
  private final RegistrySettings settings;
  private final SchemaFetch fetch;
  private final Duration betweenTries;
  private final RecentSchemas<T> usable = new RecentSchemas<>();
  private final UnusableSchemas unusable;
  private final Map<Integer, CompletableFuture<Optional<String>>> underWay =
      new ConcurrentHashMap<>();
  private final ExecutorService thread = thread();

  public RegisteredSchemas(RegistrySettings settings, Reading<T> reading) {
    this(settings, reading, BETWEEN_TRIES, System::nanoTime);
  }

  /**
   * The clock is as {@link System#nanoTime}, and tells when what can't be used is asked for anew.
   */
  RegisteredSchemas(
      RegistrySettings settings, Reading<T> reading, Duration betweenTries, LongSupplier clock) {
    this.settings = settings;
    this.reading = Objects.requireNonNull(reading, "reading");
    this.betweenTries = betweenTries;
    this.unusable = new UnusableSchemas(clock);
    this.fetch = new SchemaFetch(new RegistryConnection(settings));
  }

  /**
   * Fetches the schema that a value begins with the id of, once, for somebody who only looks at it.
   *
   * @param options of the input, by their last names
   * @throws IllegalArgumentException if it can't be had, saying why
   */
  public static SchemaTexts one(byte[] value, Map<String, String> options) {
    int id = WireHeader.idAt(value);
    RegisteredSchemas<SchemaTexts> schemas =
        new RegisteredSchemas<>(SettingsReader.of(options, "registry."), (any, texts) -> texts);
    String problem = schemas.prepare(id).join().orElse(schemas.reason(id));
    if (problem != null) {
      throw new IllegalArgumentException("Schema %s can't be had: %s".formatted(id, problem));
    }
    return schemas.get(id);
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

  /**
   * A schema; has it fetched where nobody has before.
   *
   * @throws InvalidExampleException if it can't be used
   * @throws UnavailableException if the registry can't be asked
   */
  public T require(int id) throws InvalidExampleException {
    while (true) {
      T schema = get(id);
      if (schema != null) {
        return schema;
      }
      String reason = reason(id);
      if (reason != null) {
        throw new InvalidExampleException("schema %s can't be used: %s".formatted(id, reason));
      }
      Optional<String> problem = prepare(id).join();
      if (problem.isPresent()) {
        throw new UnavailableException(problem.get());
      }
    }
  }

  /** Returns why a schema can't be used; null where it can, or that isn't known. */
  public String reason(int id) {
    return id < 0 ? "no schema has an id below 0" : unusable.reason(id);
  }

  @Override
  public CompletableFuture<Optional<String>> of(byte[] value) {
    return WireHeader.isThere(value) ? prepare(WireHeader.idAt(value)) : Ready.NOW;
  }

  /** Has a schema fetched, if need be; as {@link Prerequisites#of}. */
  public CompletableFuture<Optional<String>> prepare(int id) {
    if (id < 0 || usable.get(id) != null || unusable.isKnown(id)) {
      return Ready.NOW;
    }
    return underWay.computeIfAbsent(
        id,
        any -> {
          CompletableFuture<Optional<String>> result = new CompletableFuture<>();
          thread.execute(() -> fetch(id, result));
          return result;
        });
  }

  /** Completes the result, whatever happens: records wait for it. */
  private void fetch(int id, CompletableFuture<Optional<String>> result) {
    Optional<String> problem =
        Optional.of("Schema %s can't be read now; the log says why".formatted(id));
    try {
      problem = fetch(id);
    } catch (InterruptedException e) {
      problem = Optional.of("interrupted");
    } catch (RuntimeException | Error e) {
      LOG.error("Schema {} of the registry at {} can't be read", id, settings.urls(), e);
    } finally {
      underWay.remove(id);
      result.complete(problem);
    }
  }

  /** Nothing once it is known, or why it can't be found out. */
  private Optional<String> fetch(int id) throws InterruptedException {
    for (int tried = 1; ; tried++) {
      try {
        SchemaTexts texts = fetch.byId(id);
        usable.put(id, read(id, texts), texts.length());
        unusable.remove(id);
        return Optional.empty();
      } catch (UnusableSchemaException e) {
        unusable.add(id, e.getMessage());
        return Optional.empty();
      } catch (RegistryException e) {
        if (!answersForOthers(id, e.kind())) {
          return Optional.of(e.getMessage());
        }
        if (e.kind() == RegistryException.Kind.REFUSED || tried == TRIES) {
          unusable.add(id, e.reason());
          return Optional.empty();
        }
        TimeUnit.NANOSECONDS.sleep(betweenTries.toNanos());
      }
    }
  }

  private T read(int id, SchemaTexts texts) throws UnusableSchemaException {
    try {
      return reading.of(id, texts);
    } catch (StackOverflowError e) {
      throw new UnusableSchemaException("it is nested too deep");
    } catch (RuntimeException e) {
      LOG.error("Schema {} can't be read", id, e);
      throw new UnusableSchemaException("it can't be read; the log of the task says why");
    }
  }

  /** Whether what has failed for one id is about that one. */
  private boolean answersForOthers(int id, RegistryException.Kind failure)
      throws InterruptedException {
    return failure != RegistryException.Kind.LATER
        && (fetch.answersFor(usable.idBeside(id, id == 1 ? 2 : 1))
            || (failure == RegistryException.Kind.REFUSED && fetch.answersAtItsRoot()));
  }

  @Override
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
    } catch (RegistryException e) {
      try {
        return answersForOthers(1, e.kind()) ? Optional.empty() : Optional.of(e.getMessage());
      } catch (InterruptedException interrupted) {
        return Optional.of("interrupted");
      }
    } catch (InterruptedException e) {
      return Optional.of("interrupted");
    }
  }
}
