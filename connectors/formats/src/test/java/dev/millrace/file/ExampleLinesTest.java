package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleLinesTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.CLASSIFICATION);

  private static final String LINE = "{\"features\":[1],\"label\":1}\n";

  @TempDir Path directory;

  @Test
  void skippedLinesArePassedOverUnread() throws IOException {
    assertThat(
            Sequences.everySecondLabel(
                open(
                    """
                    not json
                    {"features":[1],"label":1}

                    7
                    {"features":[1],"label":0}
                    """)))
        .containsExactly(1, 0);
  }

  @Test
  void aLineThatIsNoExampleIsToldAndPassedBy() throws IOException {
    try (ExampleLines lines = open("\n{}\n{\"features\":[1],\"label\":1}\n")) {
      Example example = new Example(SHAPE);
      assertThatThrownBy(() -> lines.next(example))
          .isInstanceOf(InvalidRowException.class)
          .hasMessageEndingWith("lines.json, line 2: \"features\" expected, not found");
      assertThat(lines.next(example)).isTrue();
      assertThat(lines.next(example)).isFalse();
    }
  }

  @Test
  void compressedLinesReadLikePlainOnes() throws IOException {
    Path file = compressed("\ufeff" + LINE + LINE);

    try (ExampleLines lines = open(file)) {
      Example example = new Example(SHAPE);
      assertThat(lines.next(example)).isTrue();
      assertThat(lines.next(example)).isTrue();
      assertThat(lines.next(example)).isFalse();
    }
  }

  @Test
  void aCompressedFileThatIsCutIsNamed() throws IOException {
    Path file = compressed(LINE);
    byte[] bytes = Files.readAllBytes(file);
    Files.write(file, Arrays.copyOf(bytes, bytes.length - 12));

    assertThatThrownBy(() -> open(file).next(new Example(SHAPE)))
        .isInstanceOf(IOException.class)
        .hasMessageContainingAll("Can't read", "lines.json.gz");
  }

  @Test
  void aLineThatIsNotUtf8IsNoExampleAndTheNextOneIsRead() throws IOException {
    Path file = directory.resolve("lines.json");
    Files.writeString(file, "{\"id\":\"Zürich\"}\n" + LINE, StandardCharsets.ISO_8859_1);

    try (ExampleLines lines = open(file)) {
      Example example = new Example(SHAPE);
      assertThatThrownBy(() -> lines.next(example))
          .isInstanceOf(InvalidRowException.class)
          .hasMessageContainingAll("lines.json, line 1", "not UTF-8 at byte 8");
      assertThat(lines.next(example)).isTrue();
    }
  }

  private Path compressed(String text) throws IOException {
    Path file = directory.resolve("lines.json.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  private ExampleLines open(String text) throws IOException {
    return open(Files.writeString(directory.resolve("lines.json"), text));
  }

  private static ExampleLines open(Path file) throws IOException {
    return ExampleLines.open(
        file, SHAPE, ExampleFormat.named("json", SHAPE, FormatSettings.defaults()));
  }
}
