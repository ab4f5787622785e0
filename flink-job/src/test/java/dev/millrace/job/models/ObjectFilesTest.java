package dev.millrace.job.models;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.core.fs.FSDataOutputStream;
import org.apache.flink.core.fs.local.LocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a file system that makes an object when a stream is closed, as the clients of S3 do. */
class ObjectFilesTest {

  @TempDir private Path directory;

  private ObjectFiles files;

  @BeforeEach
  void open() {
    files =
        new ObjectFiles(
            new org.apache.flink.core.fs.Path(directory.toUri()), new StagingFileSystem());
  }

  @Test
  void anObjectIsThereOnceItIsWhole() throws IOException {
    files.replace("latest.json", out -> write(out, "first"));
    files.replace("latest.json", out -> write(out, "second"));

    assertThat(directory.resolve("latest.json")).hasContent("second");
  }

  @Test
  void aPointerIsAsItWasAfterAWriteThatFailsHalfway() throws IOException {
    files.replace("latest.json", out -> write(out, "first"));

    assertFails("latest.json");

    assertThat(directory.resolve("latest.json")).hasContent("first");
  }

  @Test
  void nothingIsLeftOfANewObjectWhoseWriteFailsHalfway() {
    assertFails("model-1.1.zip");
    assertFails("model-1.1.json");

    assertThat(directory).isEmptyDirectory();
  }

  private void assertFails(String name) {
    assertThatThrownBy(
            () ->
                files.replace(
                    name,
                    out -> {
                      write(out, "second,");
                      write(out, StagingFileSystem.TOO_MUCH);
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("No space left on device");
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
  }

  private static final class StagingFileSystem extends LocalFileSystem {

    /** Nothing more can be staged. */
    static final String TOO_MUCH = " and more";

    @Override
    public FSDataOutputStream create(org.apache.flink.core.fs.Path path, WriteMode mode) {
      return new Staged(pathToFile(path));
    }
  }

  /** Keeps what is written until it is closed. */
  private static final class Staged extends FSDataOutputStream {

    private final File file;
    private final ByteArrayOutputStream staged = new ByteArrayOutputStream();

    Staged(File file) {
      this.file = file;
    }

    @Override
    public void write(int one) {
      staged.write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      String text = new String(bytes, from, length, StandardCharsets.UTF_8);
      if (text.equals(StagingFileSystem.TOO_MUCH)) {
        throw new IOException("No space left on device");
      }
      staged.write(bytes, from, length);
    }

    @Override
    public long getPos() {
      return staged.size();
    }

    @Override
    public void flush() {}

    @Override
    public void sync() {}

    @Override
    public void close() throws IOException {
      Files.write(file.toPath(), staged.toByteArray());
    }
  }
}
