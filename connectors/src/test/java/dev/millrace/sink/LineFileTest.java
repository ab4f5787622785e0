package dev.millrace.sink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {

  @TempDir Path directory;

  @Test
  void appendsEachLineAtOnceToAFileThatItMakes() throws Exception {
    Path file = directory.resolve("a/b/metrics.jsonl");
    LineFile sink = InstantiationUtil.clone(new LineFile(file));

    SinkWriter<String> writer = sink.open(new SimpleCounter());
    writer.write("{\"loss\":1}", null);
    assertThat(Files.readString(file)).isEqualTo("{\"loss\":1}\n");
    writer.close();
    SinkWriter<String> next = sink.open(new SimpleCounter());
    next.write("Grüße", null);
    next.close();

    assertThat(Files.readAllLines(file)).containsExactly("{\"loss\":1}", "Grüße");
  }

  /** As where a disk is full: the place can't be written to, and then it can again. */
  @Test
  void aLineThatCannotBeWrittenIsCountedAndTheNextIsTried() throws Exception {
    Path inTheWay = Files.writeString(directory.resolve("a"), "");
    Path file = inTheWay.resolve("metrics.jsonl");
    Counter lost = new SimpleCounter();

    SinkWriter<String> writer = new LineFile(file).open(lost);
    writer.write("first", null);
    writer.write("second", null);
    assertThat(lost.getCount()).isEqualTo(2);
    Files.delete(inTheWay);
    writer.write("third", null);
    writer.close();

    assertThat(Files.readAllLines(file)).containsExactly("third");
    assertThat(lost.getCount()).isEqualTo(2);
  }

  @Test
  void theRestOfALineThatWasCutIsOnALineOfItsOwn() throws Exception {
    Path file = Files.writeString(directory.resolve("metrics.jsonl"), "{\"lo");

    SinkWriter<String> writer = new LineFile(file).open(new SimpleCounter());
    writer.write("next", null);
    writer.close();

    assertThat(Files.readAllLines(file)).containsExactly("{\"lo", "next");
  }

  /** Linux has a device that is a full disk. */
  @Test
  void aFullDiskLosesLinesAndNothingElse() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full));
    Counter lost = new SimpleCounter();

    SinkWriter<String> writer = new LineFile(full).open(lost);
    writer.write("first", null);
    writer.close();

    assertThat(lost.getCount()).isEqualTo(1);
  }
}
