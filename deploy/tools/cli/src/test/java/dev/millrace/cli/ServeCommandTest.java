package dev.millrace.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On the class path of jobs, which has no server. */
class ServeCommandTest {

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  private final CommandRun run = new CommandRun();

  @TempDir private Path directory;

  @Test
  void saysWhereToGetWhatItNeeds() {
    assertThat(execute()).isEqualTo(ExitCode.FAILED);

    assertThat(run.err.toString()).contains("opt/serve").doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--host 0.0.0.0 | --host is '0.0.0.0', which other machines reach; give --token-file, or"
            + " --no-token",
        "--host no.such.host.invalid --token-file x | --token-file: x can't be read; name a file",
        "--token-file x --no-token | --token-file and --no-token are both given",
        "--port 70000 | --port is '70000'; it must be from 0 to 65535",
        "--health-port 70000 | --health-port is '70000'; it must be from 0 to 65535",
        "--port 9 --health-port 9 | --health-port is '9', as --port is; name another",
        "--name a/b | --name is 'a/b'; it must be letters",
        "--tls-certificate x | --tls-certificate and --tls-key go together",
        "--tls-keystore x | --tls-keystore and --tls-password-file go together",
        "--runtime fast | Invalid value for option '--runtime': expected one of [AUTO, auto",
        "--max-batch 0 | --max-batch is '0'; it must be a whole number of at least 1",
        "--max-wait 5x | '5x' is no time such as 5ms",
        "--max-body much | 'much' is no size such as 16mb",
        "--timeout 0s | --timeout is '0'",
        "--scoring.models-topic m | scoring.models-topic is given, and kafka.bootstrap.servers is"
            + " missing",
        "--rows.topic r | rows.topic is given, and kafka.bootstrap.servers is missing; it must be"
            + " host:port",
        "--scoring.serves latest | scoring.serves is not an option; did you mean scoring.serve?"
      })
  void optionsThatAreWrongAreNamed(String options, String message) {
    assertThat(execute(options.split(" "))).isEqualTo(ExitCode.WRONG_USAGE);

    assertThat(run.err.toString()).contains(message, "serve --help").doesNotContain("\tat ");
  }

  @Test
  void aTokenAdmitsOtherMachinesAndMayNotBeEmpty() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "\n");

    assertThat(execute("--host", "0.0.0.0", "--token-file", token.toString()))
        .isEqualTo(ExitCode.WRONG_USAGE);
    assertThat(run.err.toString()).contains(token + " is empty");
    Files.writeString(token, "secret\n");

    assertThat(execute("--host", "0.0.0.0", "--token-file", token.toString()))
        .isEqualTo(ExitCode.FAILED);
    assertThat(run.err.toString()).contains("opt/serve").doesNotContain("secret");
  }

  private int execute(String... options) {
    List<Object> words = new ArrayList<>(List.of("serve", "--work-dir", directory.resolve("work")));
    words.addAll(List.of(options));
    return run.execute(words.toArray());
  }
}
