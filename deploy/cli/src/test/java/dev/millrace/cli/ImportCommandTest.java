package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** On the class path of jobs, which has nothing that reads Keras models. */
class ImportCommandTest {

  private final StringWriter err = new StringWriter();

  @TempDir private Path directory;

  @Test
  void saysWhereToGetWhatItNeeds() {
    assertThat(execute()).isEqualTo(MillraceCli.FAILED);

    assertThat(err.toString()).contains("opt/keras").doesNotContain("Exception", "\tat ");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void keepsAnArchiveThatIsThereAlready() throws IOException {
    Files.writeString(directory.resolve("model.zip"), "mine");

    assertThat(execute()).isEqualTo(MillraceCli.FAILED);

    assertThat(err.toString()).contains("model.zip is there already", "--force");
    assertThat(directory.resolve("model.zip")).hasContent("mine");
  }

  private int execute() {
    CommandLine command = MillraceCli.commandLine();
    command.setErr(new PrintWriter(err, true));
    return command.execute(
        "import",
        "--from",
        directory.resolve("model.h5").toString(),
        "--to",
        directory.resolve("model.zip").toString());
  }
}
