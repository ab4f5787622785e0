package dev.millrace.job.train.part.rebuild;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import dev.millrace.example.testing.CapturedLog;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.log.LogEntry.Away;
import dev.millrace.exchange.log.LogEntry.Contributed;
import dev.millrace.exchange.log.LogEntry.Forgotten;
import dev.millrace.exchange.log.LogEntry.Round;
import dev.millrace.exchange.log.LogEntry.Start;
import dev.millrace.exchange.log.RecordRun;
import dev.millrace.kafka.sink.LineTopic;
import dev.millrace.kafka.sink.OutputRecord;
import dev.millrace.model.ModelVersion;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class LogTopicTest {

  private final LogTopic.Form form = new LogTopic.Form("log");

  @Test
  void anEntryIsReadAsItWasWritten() {
    BitSet idle = BitSet.valueOf(new long[] {4});
    Round round =
        new Round(
            new ModelVersion(3, 7),
            List.of(new Contributed(0, 7, 3, "b6 h6 @t 0:1+2 d"), new Contributed(1, 6, 2, "d")),
            List.of(BitSet.valueOf(new long[] {3})),
            new Away(idle, new BitSet(), new BitSet()),
            true);
    Start start = new Start(new ModelVersion(3, 6), new ModelVersion(1, 6), 2, 4);
    Start first = new Start(new ModelVersion(0, 0), null, 2, 4);

    for (LogEntry entry : List.of(round, start, first)) {
      assertThat(LogLine.read(form.map(entry).valueOrNull())).isEqualTo(entry);
    }
    assertThat(new String(form.map(round).valueOrNull(), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"version\":\"3.7\",\"members\":[[0,7,\"b6 h6 @t 0:1+2 d\"],[1,6,\"d\",2]],"
                + "\"together\":[[0,1]],\"idle\":[2],\"published\":true}");
  }

  @Test
  void whatWasForgottenIsReadAsItWasWritten() {
    Forgotten forgotten =
        new Forgotten(
            new ModelVersion(5, 7),
            new ModelVersion(3, 9),
            List.of(new RecordRun("clicks", 0, 12, 3), new RecordRun("odd topic", 1, 4, 1)));

    assertThat(LogLine.read(LogLine.write(forgotten))).isEqualTo(forgotten);
    assertThat(new String(LogLine.write(forgotten), StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"version\":\"5.7\",\"from\":\"3.9\",\"forgotten\":{\"clicks\":[\"0:12+3\"],"
                + "\"odd topic\":[\"1:4+1\"]}}");
  }

  /** The job would fail for it, again and again. */
  @Test
  void anEntryThatBrokersWouldRefuseSaysThatItIsTooLong() {
    Contributed much = new Contributed(0, 1, 1, "h1 ".repeat(30_000));
    Round round =
        new Round(
            new ModelVersion(1, 1),
            Collections.nCopies(11, much),
            List.of(),
            new Away(new BitSet(), new BitSet(), new BitSet()),
            false);

    OutputRecord record;
    try (CapturedLog warnings = new CapturedLog(LogTopic.class)) {
      record = form.map(round);
      OutputRecord unused = form.map(round);
      assertThat(warnings.messages())
          .singleElement(as(STRING))
          .contains("doesn't tell what replicas did for version 1.1", "very many replicas");
    }

    assertThat(record.valueOrNull()).hasSizeLessThan(LineTopic.MAX_LINE_BYTES);
    assertThat(((Round) LogLine.read(record.valueOrNull())).members())
        .hasSize(11)
        .allSatisfy(member -> assertThat(member.log()).isEqualTo("!"));
  }
}
