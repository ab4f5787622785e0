package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.avro.FuzzedAvro;
import dev.millrace.protobuf.FuzzedProtobuf;
import org.junit.jupiter.api.Test;

/** Whatever the bytes are, a record is an example or refused, and a schema is usable or refused. */
class FuzzedRecordsTest {

  private static final int COUNT = Integer.getInteger("millrace.fuzz", 4_000);

  @Test
  void schemasAndValuesOfAvro() throws Exception {
    assertThat(FuzzedAvro.run(COUNT)).isBetween(1, COUNT - 1);
  }

  @Test
  void descriptorsOfProtobuf() throws Exception {
    assertThat(FuzzedProtobuf.descriptors(COUNT)).isBetween(1, COUNT - 1);
  }

  @Test
  void messagesOfProtobuf() throws Exception {
    assertThat(FuzzedProtobuf.values(COUNT)).isBetween(1, COUNT - 1);
  }

  @Test
  void recordsOfJson() throws Exception {
    assertThat(FuzzedTexts.json(COUNT)).isBetween(1, COUNT - 1);
    assertThat(FuzzedTexts.namedJson(COUNT)).isBetween(1, COUNT - 1);
  }

  @Test
  void recordsOfCsv() throws Exception {
    assertThat(FuzzedTexts.csv(COUNT)).isBetween(1, COUNT - 1);
    assertThat(FuzzedTexts.namedCsv(COUNT)).isBetween(1, COUNT - 1);
  }
}
