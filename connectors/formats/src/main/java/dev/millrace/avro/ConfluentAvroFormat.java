package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.PathTree;
import dev.millrace.fields.RecordFormat;
import dev.millrace.registry.RegisteredSchemas;
import dev.millrace.registry.RegistrySettings;
import dev.millrace.registry.SchemaTexts;
import dev.millrace.registry.UnusableSchemaException;
import java.util.Objects;
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

  private transient RegisteredSchemas<AvroReader> schemas;
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
      newest = prerequisites().require(id);
      newestId = id;
    }
    if (in == null) {
      in = new AvroInput();
    }
    newest.read(value, WireHeader.LENGTH, in, into);
  }

  @Override
  public synchronized RegisteredSchemas<AvroReader> prerequisites() {
    if (schemas == null) {
      schemas = new RegisteredSchemas<>(settings, this::reader);
    }
    return schemas;
  }

  private AvroReader reader(int id, SchemaTexts texts) throws UnusableSchemaException {
    AvroReader reader;
    try {
      reader = new AvroReader(AvroSchemas.registered(texts), plan);
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
}
