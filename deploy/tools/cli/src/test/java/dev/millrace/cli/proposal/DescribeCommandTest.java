package dev.millrace.cli.proposal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.cli.CommandRun;
import dev.millrace.cli.ProducePlan;
import dev.millrace.cli.RandomTable;
import dev.millrace.example.Example;
import dev.millrace.example.ExampleFormat;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.file.RecordSequence;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.setup.OptionReader;
import dev.millrace.model.testing.Seeds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** From files to what a job reads by their description. */
class DescribeCommandTest {

  private static final int TABLES = Integer.getInteger("millrace.tables", 150);
  private static final Pattern REJECTED =
      Pattern.compile("# A job with these options rejects ([\\d,]+) of");

  @TempDir Path directory;

  /** Each row of a table is read, or told, or the table is refused with a line of it. */
  @Test
  void whatIsProposedReadsAllRowsThatAreNotTold() throws Exception {
    long seed = Seeds.next();
    Random seeds = new Random(seed);
    int proposed = 0;
    for (int i = 0; i < TABLES; i++) {
      long tableSeed = seeds.nextLong();
      Random random = new Random(tableSeed);
      RandomTable table = new RandomTable(random);
      String format = random.nextBoolean() ? "csv" : "json";
      Path file = Files.writeString(directory.resolve("t.csv"), table.text());
      CommandRun run = new CommandRun();
      int code =
          run.execute(
              "describe",
              "--data",
              file,
              "--format",
              format,
              "--input.csv.separator",
              table.separator());
      String what =
          "table %s of seed %s (%s), %s:%n%s%n%s%n%s"
              .formatted(i, seed, tableSeed, format, table.text(), run.out, run.err);
      switch (code) {
        case 0 -> {
          requireRead(run.out.toString(), file, table, what);
          proposed++;
        }
        case 1 ->
            assertThat(run.err.toString()).as(what).startsWith("Nothing can be learned yet: ");
        default ->
            assertThat(run.err.toString())
                .as(what)
                .containsPattern(
                    "line \\d+|At least one field must become features|names of them; an object"
                        + " needs");
      }
    }
    assertThat(proposed).as("seed %d", seed).isGreaterThan(TABLES / 4);
  }

  private static void requireRead(String yaml, Path file, RandomTable table, String what)
      throws Exception {
    Configuration options = OptionReader.parse(yaml);
    JobOptions.check(JobKind.TRAINING, options, new Configuration());
    Example example = new Example(InputOptions.shape(options));
    ExampleFormat format = InputOptions.exampleFormat(options, InputOptions.shape(options));
    long rows = 0;
    long rejected = 0;
    try (RecordSequence records = ProducePlan.of("csv:" + file, options).open()) {
      while (records.next()) {
        rows++;
        example.reset();
        try {
          format.read(records.value(), example);
        } catch (InvalidExampleException e) {
          rejected++;
        }
      }
    }
    Matcher told = REJECTED.matcher(yaml);
    assertThat(rejected)
        .as(what)
        .isEqualTo(told.find() ? Long.parseLong(told.group(1).replace(",", "")) : 0);
    // A header that begins with #n names n, or is a comment. Without a header a row may name
    // columns.
    boolean comment = table.firstLine().startsWith("#") && !yaml.contains("\"n\"");
    boolean named = table.hasHeader() && !comment;
    boolean headless = yaml.contains("# The table has no header");
    int more = named == headless ? (named ? 1 : -1) : 0;
    assertThat(rows).as(what).isEqualTo(table.rows() + more);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        // Refused, with a line.
        "a,b~1,x~2,y,z~3,x | 2 | t.csv, line 3: expected 2 fields as in the first line, got 3",
        "a,b,label~1,2,x,0~3,4,y,1 | 2 | line 2: expected 3 fields as in the first line, got 4",
        "1 1:0.5 3:2~-1 2:0.25 | 2 | line 1: it is libsvm",
        "sep=;~a;b~\"1,5\";x~\"2,5\";y | 0 | csv.separator: \";\"",
        "abc,2,a~1,2,a~3,4,b | 2 | line 1: it may name the columns or be a row",
        "a,label~1,~2, | 1 | the label has no value here",
        "a,b~1,x~2,x | 1 | only one class was seen, \"x\"",
        "k,b~z,x~z,y | 2 | At least one field must become features",
        "n,b~1.5,x~2.5,~3,z | 0 | 1 record is rejected, the first is line 3: field \"b\" is"
            + " missing",
        // Told at the line.
        "temp,temp,b~1.5,2.5,x~2.5,3.5,y | 0 | the header has \"temp\" twice",
        "code,b~007,x~010,y~010,x | 0 | taken for words, since some begin with 0",
        "a,n,b~1,1,x~2,2,y~5,3,x | 0 | it counts the records as an id does",
        "a,w,b~1.5,NA,x~2.5,u,y~3,u,x | 0 | \"NA\" may mean missing, input.missing says so",
        "a,p,b~1.5,AAH=,x~2.5,AAHA,y | 0 | it looks like base64",
        "t,b~1790000000000,x~1790000000001,y | 0 | it may be a time in milliseconds",
        "a;n;b~1.5;1,5;x~2.5;2,5;y | 0 | it looks like numbers with another decimal sign",
        "a;n;b~1,234;1,500;x~2,345;2,500;y | 0 | with commas between thousands",
        "a,b~1.5,\" x\"~2.5,y~3,z | 0 | classes: [x, \"y\", z]",
      })
  void whatIsDoubtfulIsToldAndWhatCanNotBeIsRefused(String lines, int code, String told)
      throws Exception {
    Path file = Files.writeString(directory.resolve("t.csv"), lines.replace('~', '\n') + "\n");
    String[] separator =
        lines.startsWith("a;") ? new String[] {"--input.csv.separator", ";"} : new String[0];
    CommandRun run = new CommandRun();
    Object[] words = new Object[3 + separator.length];
    words[0] = "describe";
    words[1] = "--data";
    words[2] = file;
    System.arraycopy(separator, 0, words, 3, separator.length);

    assertThat(run.execute(words)).as(run.out + "" + run.err).isEqualTo(code);
    assertThat(run.out + "" + run.err).contains(told);
  }

  /** Labels come in runs, too: the preset replays examples with ids as any others. */
  @Test
  void aJobCanHaveProposedIds() throws Exception {
    Random random = new Random(4);
    StringBuilder text = new StringBuilder("user,genres,label\n");
    for (int i = 0; i < 4_000; i++) {
      text.append(random.nextInt(600)).append(",g").append(random.nextInt(9));
      text.append(i % 3 == 0 ? "" : "|g" + random.nextInt(9)).append(',').append(i / 50 % 2);
      text.append('\n');
    }
    Path file = Files.writeString(directory.resolve("t.csv"), text);
    Path yaml = directory.resolve("t.yaml");
    CommandRun describe = new CommandRun();
    CommandRun check = new CommandRun();

    assertThat(
            describe.execute(
                "describe",
                "--data",
                file,
                "--output",
                yaml,
                "--kafka.bootstrap.servers",
                "localhost:9"))
        .as(describe.err.toString())
        .isZero();
    assertThat(Files.readString(yaml))
        .contains(
            "{path: user, kind: id, dimension: 16}",
            "{path: genres, kind: ids, dimension: 16, separator: \"|\"}",
            "# Classes come in runs",
            "\npreset: streaming");
    // No broker is there, so topics aren't checked.
    assertThat(check.execute("check", "--config", yaml)).as(check.err.toString()).isEqualTo(3);
    assertThat(check.out.toString()).contains("No problem was found");
  }

  /** A column behind the 32,767th is one as others are, and so is a label there. */
  @Test
  @Tag("slow")
  void aLineOfTensOfThousandsOfColumnsIsNotCut() throws Exception {
    int columns = 39_916;
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < 6; row++) {
      for (int i = 1; i < columns; i++) {
        text.append((row * 7 + i) % 11).append(".5,");
      }
      text.append(row % 2 == 0 ? "yes\n" : "no\n");
    }
    Path file = Files.writeString(directory.resolve("t.csv"), text);
    CommandRun run = new CommandRun();

    assertThat(run.execute("describe", "--data", file)).as(run.err.toString()).isZero();
    Configuration options = OptionReader.parse(run.out.toString());
    assertThat(options.get(InputOptions.CLASSES)).containsExactly("no", "yes");
    assertThat(InputOptions.shape(options).features()).isEqualTo(columns - 1);
  }
}
