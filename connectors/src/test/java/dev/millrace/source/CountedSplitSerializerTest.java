package dev.millrace.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.source.SplitCounts.Count;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource.NumberSequenceSplit;
import org.junit.jupiter.api.Test;

class CountedSplitSerializerTest {

  private final CountedSplitSerializer<NumberSequenceSplit> serializer =
      new CountedSplitSerializer<>(new NumberSequenceSource(0, 1).getSplitSerializer());

  @Test
  void writesASplitWithAllThatItCarries() throws IOException {
    CountedSplit<NumberSequenceSplit> split =
        new CountedSplit<>(
            new NumberSequenceSplit("seven", 7, 9),
            List.of(new Count("seven", 3), new Count("three", 5_000_000_000L)));

    CountedSplit<NumberSequenceSplit> read =
        serializer.deserialize(serializer.getVersion(), serializer.serialize(split));

    assertThat(read.splitId()).isEqualTo("seven");
    assertThat(read.split().from()).isEqualTo(7);
    assertThat(read.counts()).isEqualTo(split.counts());
  }

  @Test
  void refusesWhatALaterReleaseWrote() {
    assertThatThrownBy(() -> serializer.deserialize(2, new byte[0]))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("version 2");
  }
}
