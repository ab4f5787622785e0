package dev.millrace.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.FormatSettings;
import dev.millrace.model.ExampleShape;
import dev.millrace.model.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExampleLinesTest {

  private static final ExampleShape SHAPE = new ExampleShape(1, 2, Target.CLASSIFICATION);

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

  private ExampleLines open(String text) throws IOException {
    Path file = Files.writeString(directory.resolve("lines.json"), text);
    return ExampleLines.open(
        file, SHAPE, ExampleFormat.named("json", SHAPE, FormatSettings.defaults()));
  }
}
