package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class LocalJobTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  @Test
  void flinkWritesToTheWorkDirectory() {
    try (WorkDirectory work = WorkDirectory.open(directory, "train")) {
      String temporary = work.temporary().toString();

      assertThat(LocalJob.clusterConfiguration(work, 2).toMap())
          .extractingByKeys("io.tmp.dirs", "web.tmpdir", "user.artifacts.base-dir")
          .isEqualTo(List.of(temporary, temporary, temporary));
    }
  }
}
