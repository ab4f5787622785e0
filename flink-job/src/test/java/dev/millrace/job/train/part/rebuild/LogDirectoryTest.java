package dev.millrace.job.train.part.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.UnusableLogException;
import dev.millrace.model.ModelVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@SuppressWarnings("try") // Nobody interrupts a harness.
class LogDirectoryTest {

  private static final ModelVersion VERSION = new ModelVersion(3, 7);

  @TempDir Path place;

  /** A restore makes rounds behind the last checkpoint again. */
  @Test
  void whatACheckpointHasIsThereBeforeItIsComplete() throws Exception {
    try (var operator = operator()) {
      operator.processElement(entry(1), 0);
      operator.processElement(entry(2), 0);
      assertThat(read()).isEmpty();

      operator.snapshot(1, 1);
      operator.processElement(entry(3), 0);

      assertThat(read()).containsExactly(entry(1), entry(2));
    }
  }

  @Test
  void allIsThereWhenTheJobHasEnded() throws Exception {
    try (var operator = operator()) {
      operator.processElement(entry(1), 0);
      operator.snapshot(1, 1);
      operator.processElement(entry(2), 0);
      operator.endInput();

      assertThat(read()).containsExactly(entry(1), entry(2));
    }
  }

  /** An attempt may have written a version that a later one makes anew. */
  @Test
  void ofTwoEntriesOfAVersionTheLaterOneIsReadLast() throws Exception {
    for (int attempt = 1; attempt <= 11; attempt++) {
      try (var operator = operator()) {
        operator.processElement(new StreamRecord<>(new Start(VERSION, null, attempt, 4)));
        operator.endInput();
      }
    }

    assertThat(read()).last().isEqualTo(new Start(VERSION, null, 11, 4));
  }

  @Test
  void whatIsNoEntryIsRefused() throws IOException {
    Files.writeString(place.resolve("0000000000000001-1.1.jsonl"), "{}\n");

    assertThatThrownBy(this::read).isInstanceOf(UnusableLogException.class);
  }

  private OneInputStreamOperatorTestHarness<LogEntry, String> operator() throws Exception {
    var operator = new OneInputStreamOperatorTestHarness<>(new LogFilesOperator(place.toString()));
    operator.open();
    return operator;
  }

  private List<LogEntry> read() throws IOException {
    List<LogEntry> entries = new ArrayList<>();
    LogDirectory.open(place.toString()).read(entries::add);
    return entries;
  }

  private static Start entry(long generation) {
    return new Start(new ModelVersion(generation, 7), null, 2, 4);
  }
}
