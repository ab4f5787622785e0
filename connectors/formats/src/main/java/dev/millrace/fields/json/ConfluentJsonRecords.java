package dev.millrace.fields.json;

import dev.millrace.example.InvalidExampleException;
import dev.millrace.example.WireHeader;
import dev.millrace.fields.FieldPlan;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.RecordFormat;
import java.util.Arrays;

/**
 * The format {@code json-confluent}: an object in UTF-8 after the id of its JSON Schema. The object
 * names its fields itself, so that no registry is asked.
 */
final class ConfluentJsonRecords implements RecordFormat {

  private final JsonRecords objects;

  ConfluentJsonRecords(FieldPlan plan) {
    this.objects = new JsonRecords(plan);
  }

  @Override
  public void read(byte[] value, FieldValues into) throws InvalidExampleException {
    objects.read(object(value), into);
  }

  /**
   * Returns what follows the id.
   *
   * @throws InvalidExampleException if there is no id
   */
  static byte[] object(byte[] value) throws InvalidExampleException {
    WireHeader.id(value);
    return Arrays.copyOfRange(value, WireHeader.LENGTH, value.length);
  }
}
