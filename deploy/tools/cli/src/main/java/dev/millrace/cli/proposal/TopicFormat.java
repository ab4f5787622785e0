package dev.millrace.cli.proposal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.cli.describe.SampledRecords;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.Utf8;
import dev.millrace.example.WireHeader;
import dev.millrace.job.options.InputFields;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.SchemaRegistryOptions;
import dev.millrace.registry.RegisteredSchemas;
import java.io.IOException;
import java.util.List;
import org.apache.flink.configuration.Configuration;

/** Finds out how the records of a topic are written. */
final class TopicFormat {

  private static final int LOOKED_AT = 100;

  private TopicFormat() {}

  /**
   * Returns the format of most of the first records.
   *
   * @throws InvalidOptionsException if there is none, or a registry is needed and isn't given
   */
  static String of(SampledRecords.Source source, Configuration options) throws IOException {
    int headers = 0;
    int objects = 0;
    int lines = 0;
    byte[] schemaOf = null;
    try (SampledRecords records = source.open()) {
      for (int i = 0; i < LOOKED_AT && records.next(); i++) {
        byte[] value = records.value();
        if (WireHeader.isThere(value)) {
          headers++;
          schemaOf = value;
        } else if (isText(value)) {
          boolean object = new String(value, UTF_8).strip().startsWith("{");
          objects += object ? 1 : 0;
          lines += object ? 0 : 1;
        }
      }
    }
    if (headers > objects + lines) {
      return ofRegistry(schemaOf, options);
    }
    if (objects + lines == 0) {
      throw new InvalidOptionsException(
          List.of(
              "The records are no text, and don't begin as a schema registry's serializer writes"
                  + " them; give --format avro with --input.schema FILE, or --format protobuf with"
                  + " --input.schema FILE and --input.protobuf.message NAME"));
    }
    return objects >= lines ? "json" : "csv";
  }

  private static boolean isText(byte[] value) {
    try {
      Utf8.require(value);
      for (byte b : value) {
        if (b == 0) {
          return false;
        }
      }
      return value.length > 0;
    } catch (InvalidExampleException e) {
      return false;
    }
  }

  private static String ofRegistry(byte[] value, Configuration options) {
    if (!options.contains(SchemaRegistryOptions.URL)) {
      throw new InvalidOptionsException(
          List.of(
              "The records begin as a schema registry's serializer writes them; give --%s URL, such"
                      .formatted(SchemaRegistryOptions.URL.key())
                  + " as http://registry:8081"));
    }
    try {
      String type = RegisteredSchemas.one(value, InputFields.input(options)).type();
      return switch (type) {
        case "AVRO" -> "avro-confluent";
        case "JSON" -> "json-confluent";
        case "PROTOBUF" -> "protobuf-confluent";
        default ->
            throw new InvalidOptionsException(
                List.of(
                    "Schema %s is of type %s; AVRO, JSON and PROTOBUF are read"
                        .formatted(WireHeader.idAt(value), type)));
      };
    } catch (IllegalArgumentException e) {
      throw new InvalidOptionsException(List.of(e.getMessage()));
    }
  }
}
