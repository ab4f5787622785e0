package dev.millrace.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong is said in sentences of Millrace's, and not in those of a library or of Java. */
class FailureWordsTest {

  private static final List<String> FOREIGN =
      List.of("Exception", "java.", "org.apache", "com.fasterxml", "interface ", "an int", "\tat ");

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  private final CommandRun run = new CommandRun();

  @BeforeEach
  void files() throws IOException {
    Files.createDirectory(directory.resolve("folder"));
    Files.writeString(directory.resolve("bad.yaml"), "batch.size: [1\n a: b: c");
    Files.writeString(directory.resolve("twice.yaml"), "batch.size: 3\nbatch.size: 4\n");
    Files.writeString(directory.resolve("cut.json"), "{\"a\":");
    Files.write(directory.resolve("noise"), new byte[] {(byte) 0xff, (byte) 0xfe, 0, 1, 2, 3});
    Files.createDirectory(directory.resolve("savepoint"));
    Files.write(directory.resolve("savepoint/_metadata"), "noise noise noise".getBytes(UTF_8));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          train --config @bad.yaml       | 2 | can't be read: line 2, column
          train --config @twice.yaml     | 2 | can't be read: line 2, column 11: 'batch.size' is there twice
          train --config @folder         | 2 | folder can't be read: it is a directory
          train --config @noise          | 2 | noise can't be read: it is not UTF-8 text
          train --config @absent         | 2 | absent can't be read: there is no such file
          train --config a^b             | 2 | Invalid value for option '--config': 'a?b' is no path on this machine
          train --parallelism two        | 2 | 'two' is not a whole number
          train --parallelism 99999999999 | 2 | '99999999999' is not a whole number, or it is too large
          train --lr 0.1                 | 2 | lr is not an option; did you mean model.learning-rate?
          train --input.fields=[1        | 2 | --input.fields can't be read: line 1, column
          train --input.fields=@absent   | 2 | absent can't be read: there is no such file
          train --mlflow.url=http://bob:SECRET@m | 2 | mlflow.url is 'http://…@m'; it must be
          inspect a^b                    | 1 | 'a?b' is no path on this machine
          inspect @noise                 | 1 | noise can't be read: it is no savepoint of Flink's
          inspect @savepoint             | 1 | savepoint can't be read: it is no savepoint of Flink's, or it is damaged
          inspect nowhere://a/b          | 1 | Flink has no file system here for what its path begins with
          inspect topic:                 | 1 | it is neither a path nor a URI of a file
          timeline @absent               | 1 | absent: there is no such file
          evaluate --result @absent      | 1 | absent can't be read: there is no such file
          evaluate --result @cut.json    | 1 | cut.json can't be read: it ends early
          evaluate --result @noise       | 1 | noise can't be read: line 1, column 1: what is written there can't be parsed
          describe --data a^b            | 1 | 'a?b' is no path on this machine
          """)
  void whatIsWrongIsSaidInOwnWords(String command, int code, String words) {
    Object[] arguments =
        Stream.of(command.replaceFirst("^(train|evaluate)", "$1 --work-dir @work").split(" "))
            .map(word -> word.replace("@", word.contains("://") ? "@" : directory + "/"))
            .map(word -> word.replace('^', '\0'))
            .toArray();

    assertThat(run.execute(arguments)).isEqualTo(code);
    assertThat(run.err.toString()).contains(words).doesNotContain(FOREIGN).doesNotContain("SECRET");
    assertThat(Path.of("millrace-work")).doesNotExist();
  }
}
