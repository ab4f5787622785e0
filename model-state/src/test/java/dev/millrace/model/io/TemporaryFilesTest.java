package dev.millrace.model.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFilesTest {

  @Test
  void theyAreMadeWhereTheProcessSaysNow(@TempDir Path place) throws IOException {
    String before = System.setProperty("java.io.tmpdir", place.toString());
    try {
      assertThat(TemporaryFiles.file("one-", null)).isRegularFile().hasParentRaw(place);
      assertThat(TemporaryFiles.directory("two-")).isEmptyDirectory().hasParentRaw(place);
    } finally {
      System.setProperty("java.io.tmpdir", before);
    }
  }
}
