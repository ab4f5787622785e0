package dev.millrace.dl4j.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Flink leaves in the temporary directory goes, and nothing else. */
class CacheDirectoriesTest {

  @TempDir Path temporary;

  @Test
  void whatCameWithTheJobGoes() throws Exception {
    Path before = make("flink-distributed-cache-1");
    CacheDirectories directories = CacheDirectories.in(temporary.toFile());
    Path made = make("flink-distributed-cache-2");
    Path full = make("flink-distributed-cache-3");
    Files.createFile(full.resolve("of another job.zip"));
    Path other = make("other");
    directories.submitted();
    Path later = make("flink-distributed-cache-4");

    directories.delete();

    assertThat(made).doesNotExist();
    for (Path left : new Path[] {before, full, other, later}) {
      assertThat(left).exists();
    }
  }

  /** Flink names them so, in the directory where they are looked for. */
  @Test
  void flinkMakesOneOfThisName() throws Exception {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, new Configuration());
    environment.registerCachedFile(Files.createFile(temporary.resolve("file")).toString(), "file");
    environment.fromSequence(1, 2).sinkTo(new DiscardingSink<>());
    CacheDirectories directories = CacheDirectories.before();

    environment.getStreamGraph();

    directories.submitted();
    assertThat(directories.made()).isNotEmpty();
    directories.delete();
    assertThat(directories.made()).isEmpty();
  }

  private Path make(String name) throws Exception {
    return Files.createDirectory(temporary.resolve(name));
  }
}
