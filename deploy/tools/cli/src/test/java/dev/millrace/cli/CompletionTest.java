package dev.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@DisabledOnOs(OS.WINDOWS)
class CompletionTest {

  @TempDir Path directory;

  @Test
  void commandsTheirOptionsAndThoseOfJobsAreCompleted() throws Exception {
    Path script = directory.resolve("completion/millrace");
    Completion.main(new String[] {script.toString()});

    assertThat(completed(script, "des")).containsExactly("describe");
    assertThat(completed(script, "cluster", "sta")).containsExactly("start", "status");
    assertThat(completed(script, "train", "--par")).containsExactly("--parallelism");
    assertThat(completed(script, "train", "--batch.s")).containsExactly("--batch.size");
    assertThat(completed(script, "check", "--input.target", "reg")).containsExactly("regression");
    assertThat(completed(script, "diff", "--batch.s")).isEmpty();
    assertThat(Files.readString(script)).doesNotContain(directory.toString());
  }

  /** Returns what bash would offer for the last word. */
  private static List<String> completed(Path script, String... words)
      throws IOException, InterruptedException {
    String line = "millrace " + String.join(" ", words);
    String program =
        """
        source '%s'
        compopt() { :; }
        COMP_WORDS=(%s) COMP_CWORD=%s COMP_LINE='%s' COMP_POINT=%s
        _complete_millrace
        printf '%%s\\n' "${COMPREPLY[@]}"
        """
            .formatted(script, line, words.length, line, line.length());
    Process bash =
        new ProcessBuilder("bash", "--norc", "-c", program).redirectErrorStream(true).start();
    List<String> said =
        new String(bash.getInputStream().readAllBytes(), UTF_8)
            .lines()
            .map(String::strip)
            .filter(word -> !word.isEmpty())
            .sorted()
            .toList();
    assertThat(bash.waitFor()).as(String.join("\n", said)).isZero();
    return said;
  }
}
