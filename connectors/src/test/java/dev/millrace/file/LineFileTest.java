package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LineFileTest {

  @TempDir Path directory;

  @Test
  void appendsEachLineAtOnceToAFileThatItMakes() throws Exception {
    Path file = directory.resolve("a/b/metrics.jsonl");
    LineFile sink = InstantiationUtil.clone(new LineFile(file));

    SinkWriter<String> writer = sink.createWriter(null);
    writer.write("{\"loss\":1}", null);
    assertThat(Files.readString(file)).isEqualTo("{\"loss\":1}\n");
    writer.close();
    SinkWriter<String> next = sink.createWriter(null);
    next.write("Grüße", null);
    next.close();

    assertThat(Files.readAllLines(file)).containsExactly("{\"loss\":1}", "Grüße");
  }
}
