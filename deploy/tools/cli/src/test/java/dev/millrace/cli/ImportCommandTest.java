package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.console.ExitCode;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On the class path of jobs, which has nothing that reads Keras models. */
class ImportCommandTest {

  private final CommandRun run = new CommandRun();
  private final StringWriter err = run.err;

  @TempDir private Path directory;

  @Test
  void saysWhereToGetWhatItNeeds() {
    assertThat(execute()).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains("opt/keras").doesNotContain("Exception", "\tat ");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void keepsAnArchiveThatIsThereAlready() throws IOException {
    Files.writeString(directory.resolve("model.zip"), "mine");

    assertThat(execute()).isEqualTo(ExitCode.FAILED);

    assertThat(err.toString()).contains("model.zip is there already", "--force");
    assertThat(directory.resolve("model.zip")).hasContent("mine");
  }

  private int execute() {
    return run.execute(
        "import", "--from", directory.resolve("model.h5"), "--to", directory.resolve("model.zip"));
  }
}
