package dev.millrace.cli.forget;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.exchange.log.RecordSet;
import dev.millrace.fields.FieldPath;
import dev.millrace.fields.RecordObjects;
import dev.millrace.kafka.record.RawRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Says which records are meant. */
@FunctionalInterface
interface RecordCondition {

  JsonMapper JSON = new JsonMapper();

  boolean holds(RawRecord record);

  /** Records of a key, in UTF-8. */
  static RecordCondition key(String key) {
    byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
    return record -> Arrays.equals(bytes, record.key());
  }

  /** Records of a set. */
  static RecordCondition among(RecordSet records) {
    return record ->
        records.contains(record.partition().topic(), record.partition().number(), record.offset());
  }

  /**
   * Records in which a field has a value. None that isn't of the format is meant.
   *
   * @param field where it stands in the record
   * @param value its text; of a number any that is equal
   * @param objects reads the records' format
   */
  static RecordCondition field(FieldPath field, String value, RecordObjects objects) {
    return record -> record.value() != null && equals(at(field, record.value(), objects), value);
  }

  private static JsonNode at(FieldPath field, byte[] value, RecordObjects objects) {
    try {
      return JSON.readTree(objects.json(value)).at(field.pointer());
    } catch (InvalidExampleException | JsonProcessingException e) {
      return JSON.missingNode();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean equals(JsonNode found, String value) {
    if (!found.isValueNode() || found.isNull()) {
      return false;
    }
    if (found.asText().equals(value)) {
      return true;
    }
    return found.isNumber() && isEqual(found.decimalValue(), value);
  }

  private static boolean isEqual(BigDecimal number, String value) {
    try {
      return number.compareTo(new BigDecimal(value)) == 0;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
