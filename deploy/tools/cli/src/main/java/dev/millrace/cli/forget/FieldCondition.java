package dev.millrace.cli.forget;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordObjects;
import dev.millrace.kafka.record.RawRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;

/**
 * Records in which a field has a value. None that isn't of the format is meant.
 *
 * <p>Not thread-safe.
 */
final class FieldCondition implements RecordCondition {

  private static final JsonMapper JSON = new JsonMapper();

  private final FieldPath field;
  private final String value;
  private final RecordObjects objects;
  private boolean seen;

  /**
   * @param field where it stands in the record
   * @param value its text; of a number any that is equal
   * @param objects reads the records' format
   */
  FieldCondition(FieldPath field, String value, RecordObjects objects) {
    this.field = field;
    this.value = value;
    this.objects = objects;
  }

  @Override
  public boolean holds(RawRecord record) {
    JsonNode found = record.value() == null ? JSON.missingNode() : find(record.value());
    seen |= !found.isMissingNode();
    return found.isValueNode() && !found.isNull() && isMeant(found);
  }

  private JsonNode find(byte[] record) {
    try {
      return JSON.readTree(objects.json(record)).at(field.pointer());
    } catch (InvalidExampleException | JsonProcessingException e) {
      return JSON.missingNode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isMeant(JsonNode found) {
    return found.asText().equals(value) || (found.isNumber() && isEqual(found.decimalValue()));
  }

  private boolean isEqual(BigDecimal number) {
    try {
      return number.compareTo(new BigDecimal(value)) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  /** Whether any record had the field. */
  boolean isSeen() {
    return seen;
  }

  @Override
  public String toString() {
    return field.toString();
  }
}
