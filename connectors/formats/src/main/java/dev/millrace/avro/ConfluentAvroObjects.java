package dev.millrace.avro;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.RecordObjects;
import dev.millrace.registry.RegisteredSchemas;
import dev.millrace.registry.RegistrySettings;
import org.apache.avro.Schema;

/** Makes objects of records that begin with the id of their schema in a registry. */
final class ConfluentAvroObjects implements RecordObjects {

  private final RegistrySettings settings;

  private transient RegisteredSchemas<Schema> schemas;
  private transient AvroInput in;

  ConfluentAvroObjects(RegistrySettings settings) {
    this.settings = settings;
  }

  @Override
  public byte[] json(byte[] value) throws InvalidExampleException {
    Schema schema = prerequisites().require(WireHeader.id(value));
    if (in == null) {
      in = new AvroInput();
    }
    return AvroObjects.json(value, WireHeader.LENGTH, schema, in);
  }

  @Override
  public synchronized RegisteredSchemas<Schema> prerequisites() {
    if (schemas == null) {
      schemas = new RegisteredSchemas<>(settings, (id, texts) -> AvroSchemas.registered(texts));
    }
    return schemas;
  }
}
