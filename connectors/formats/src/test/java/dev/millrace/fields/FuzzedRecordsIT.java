package dev.millrace.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.avro.FuzzedAvro;
import dev.millrace.protobuf.FuzzedProtobuf;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The same as {@link FuzzedRecordsTest}, a million times each; {@code -Dmillrace.fuzz} for more.
 */
@Tag("nightly")
class FuzzedRecordsIT {

  private static final int COUNT = Integer.getInteger("millrace.fuzz", 1_000_000);

  @Test
  void schemasAndValuesOfAvro() throws Exception {
    assertThat(FuzzedAvro.run(COUNT)).isPositive();
  }

  @Test
  void descriptorsOfProtobuf() throws Exception {
    assertThat(FuzzedProtobuf.descriptors(COUNT)).isPositive();
  }

  @Test
  void messagesOfProtobuf() throws Exception {
    assertThat(FuzzedProtobuf.values(COUNT)).isPositive();
  }

  @Test
  void recordsOfJson() throws Exception {
    assertThat(FuzzedTexts.json(COUNT)).isPositive();
    assertThat(FuzzedTexts.namedJson(COUNT)).isPositive();
  }

  @Test
  void recordsOfCsv() throws Exception {
    assertThat(FuzzedTexts.csv(COUNT)).isPositive();
    assertThat(FuzzedTexts.namedCsv(COUNT)).isPositive();
  }
}
