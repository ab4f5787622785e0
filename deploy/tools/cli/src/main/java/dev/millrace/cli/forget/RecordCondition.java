package dev.millrace.cli.forget;

import dev.millrace.exchange.log.RecordSet;
import dev.millrace.kafka.record.RawRecord;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Says which records are meant. */
@FunctionalInterface
interface RecordCondition {

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
}
