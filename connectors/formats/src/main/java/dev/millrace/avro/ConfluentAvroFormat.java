package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Prerequisites;
import dev.millrace.example.UnavailableException;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.PathTree;
import dev.millrace.fields.RecordFormat;
import dev.millrace.registry.RegisteredSchemas;
import dev.millrace.registry.RegistrySettings;
import dev.millrace.registry.SchemaTexts;
import dev.millrace.registry.UnusableSchemaException;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The format {@code avro-confluent}: a value begins with the id of its writer's schema, which the
 * registry has. Each record is read by its own schema, so writers may go over to another one while
 * a job runs.
 */
final class ConfluentAvroFormat implements RecordFormat {

  private static final Logger LOG = LoggerFactory.getLogger(ConfluentAvroFormat.class);

  private final RegistrySettings settings;
  private final FieldPlan plan;

  private transient Schemas schemas;
  private transient AvroInput in;
  private transient AvroReader newest;
  private transient int newestId;

  /**
   * Makes a format.
   *
   * @throws IllegalArgumentException if the plan can't be followed in any schema
   */
  ConfluentAvroFormat(RegistrySettings settings, FieldPlan plan) {
    this.settings = Objects.requireNonNull(settings, "settings");
    this.plan = Objects.requireNonNull(plan, "plan");
    PathTree.of(plan);
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    int id = WireHeader.id(value);
    if (newest == null || id != newestId) {
      newest = prerequisites().reader(id);
      newestId = id;
    }
    if (in == null) {
      in = new AvroInput();
    }
    newest.read(value, WireHeader.LENGTH, in, into);
  }

  @Override
  public synchronized Schemas prerequisites() {
    if (schemas == null) {
      schemas = new Schemas(settings, plan);
    }
    return schemas;
  }

  /** The readers of all schemas that were met. */
  static final class Schemas implements Prerequisites {

    private final RegisteredSchemas<AvroReader> known;
    private final FieldPlan plan;

    Schemas(RegistrySettings settings, FieldPlan plan) {
      this.known = new RegisteredSchemas<>(settings, this::read);
      this.plan = plan;
    }

    private AvroReader read(int id, SchemaTexts texts) throws UnusableSchemaException {
      if (!texts.type().equals("AVRO")) {
        throw new UnusableSchemaException("it is of type %s".formatted(texts.type()));
      }
      AvroReader reader;
      try {
        reader = new AvroReader(AvroSchemas.of(texts), plan);
      } catch (IllegalArgumentException e) {
        throw new UnusableSchemaException(e.getMessage());
      }
      if (reader.missing().isEmpty()) {
        LOG.info("Records of schema {} are read", id);
      } else {
        LOG.warn(
            "Records of schema {} are read. It has no {}: missing in each of them",
            id,
            String.join(", ", reader.missing()));
      }
      return reader;
    }

    @Override
    public CompletableFuture<Optional<String>> of(byte[] value) {
      return WireHeader.isThere(value) ? known.prepare(WireHeader.idAt(value)) : Ready.NOW;
    }

    @Override
    public Optional<String> problem(Duration limit) {
      return known.problem(limit);
    }

    /** The reader of a schema; fetches it where nobody has had it fetched before. */
    AvroReader reader(int id) throws InvalidExampleException {
      while (true) {
        AvroReader reader = known.get(id);
        if (reader != null) {
          return reader;
        }
        String reason = known.reason(id);
        if (reason != null) {
          throw new InvalidExampleException("schema %s can't be used: %s".formatted(id, reason));
        }
        Optional<String> problem = known.prepare(id).join();
        if (problem.isPresent()) {
          throw new UnavailableException(problem.get());
        }
      }
    }
  }
}
