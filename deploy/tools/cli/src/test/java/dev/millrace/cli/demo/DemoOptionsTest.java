package dev.millrace.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.cli.RestoredProperties;
import dev.millrace.cli.console.WorkDirectory;
import dev.millrace.file.DataSpec;
import dev.millrace.file.RecordSequence;
import dev.millrace.job.options.InputOptions;
import dev.millrace.job.options.InvalidOptionsException;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.setup.JobKind;
import dev.millrace.job.setup.JobOptions;
import dev.millrace.job.train.options.BatchOptions;
import dev.millrace.job.train.options.EvaluationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.flink.configuration.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class DemoOptionsTest {

  private static final String BROKER = "127.0.0.1:9092";

  @RegisterExtension final RestoredProperties properties = new RestoredProperties();

  @TempDir Path directory;

  private WorkDirectory work;

  @BeforeEach
  void openWorkDirectory() {
    work = WorkDirectory.open(directory.resolve("work"), "demo");
  }

  @AfterEach
  void closeWorkDirectory() {
    work.close();
  }

  @Test
  void imagesGetAConvolutionalNetworkAndAHoldOutSet() {
    DemoData data = data(DataSpec.parse("digits:1000"), 1000);

    Configuration options = DemoOptions.of(data, work, BROKER, List.of());

    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    assertThat(options.get(ModelOptions.NAME)).isEqualTo("lenet");
    assertThat(options.get(ModelOptions.IMAGE)).containsExactly(28, 28, 1);
    assertThat(options.get(InputOptions.FORMAT)).isEqualTo("uint8");
    assertThat(options.get(EvaluationOptions.HOLDOUT)).isEqualTo("digits:1000");
  }

  @Test
  void aPresetSaysHowLargeMinibatchesAre() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "a,b,c\n1,2,x\n3,4,y\n5,6,x\n");

    Configuration options =
        DemoOptions.of(
            data(DataSpec.parse("csv:" + table), 3),
            work,
            BROKER,
            List.of("--preset", "streaming"));

    assertThat(options.getOptional(BatchOptions.SIZE)).isEmpty();
    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
  }

  @Test
  void tablesGetHiddenLayersAndSmallMinibatches() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "a,b,c\n1,2,x\n3,4,y\n5,6,x\n");

    Configuration options =
        DemoOptions.of(data(DataSpec.parse("csv:" + table), 3), work, BROKER, List.of());

    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    assertThat(options.get(ModelOptions.NAME)).isEqualTo("mlp");
    assertThat(options.get(BatchOptions.SIZE)).isEqualTo(4);
    assertThat(options.get(InputOptions.FORMAT)).isEqualTo("csv");
    assertThat(options.get(InputOptions.OUTPUTS)).isEqualTo(2);
    assertThat(options.getOptional(EvaluationOptions.HOLDOUT)).isEmpty();
  }

  @Test
  void aTableWithWordsIsDescribed() throws IOException {
    Path table =
        Files.writeString(directory.resolve("t.csv"), "a,w,c\n1,p,x\n3,q,y\n5,p,x\n7,r,z\n");

    DemoData data = data(DataSpec.parse("csv:" + table + ",holdout=1"), 9);
    Configuration options = DemoOptions.of(data, work, BROKER, List.of());

    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    assertThat(options.get(InputOptions.FIELDS)).contains("\"values\":[\"p\",\"q\",\"r\"]");
    assertThat(options.get(InputOptions.FEATURES)).isEqualTo(1 + 5);
    assertThat(classes(options)).containsExactly("x", "y", "z");
    assertThat(data.records()).isEqualTo(3);
    try (RecordSequence records = data.records(options)) {
      assertThat(records.next()).isTrue();
      assertThat(records.value()).asString().isEqualTo("1,p,x");
    }
    assertThat(options(Files.writeString(table, "1,2,x\n3,4,y\n")).contains(InputOptions.FIELDS))
        .isFalse();
  }

  /** The hold-out set of examples with ids needs their rows. */
  @Test
  void fieldsOfIdsHaveATopicOfRows() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "w,c\np,0\nq,1\np,0\n");
    List<String> fields =
        List.of(
            "--input.csv.columns",
            "w;c",
            "--input.fields",
            "[{\"path\":\"w\",\"kind\":\"id\",\"dimension\":2},{\"path\":\"c\",\"role\":\"label\"}]",
            "--input.outputs",
            "2");

    DemoData data =
        DemoData.open(
            DataSpec.parse("csv:" + table + ",holdout=1"), InputOptions.Format.CSV, 9, fields);
    Configuration options = DemoOptions.of(data, work, BROKER, fields.subList(0, 4));

    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    assertThat(options.toMap()).containsEntry("rows.topic", "rows");
  }

  @Test
  void paymentsAreObjectsOfNamedFieldsWhoseFraudChanges() throws IOException {
    Path table = directory.resolve("payments.csv");
    Payments.write(table, 2000);

    DemoData data =
        DemoData.open(
            new DataSpec.Csv(table, 0), InputOptions.Format.JSON, Long.MAX_VALUE, List.of());
    Configuration options = DemoOptions.of(data, work, BROKER, List.of());

    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    assertThat(JobOptions.check(JobKind.TRAINING, options, new Configuration()).warnings())
        .isEmpty();
    assertThat(classes(options)).containsExactly("fraud", "legit");
    assertThat(data.records()).isEqualTo(2000);
    try (RecordSequence records = data.records(options)) {
      assertThat(records.next()).isTrue();
      assertThat(records.value())
          .asString()
          .matches(
              "\\{\"payment\":\"p-0\",\"amount\":[0-9.]+,\"hour\":[0-9.]+,\"distance\":[0-9.]+,"
                  + "\"shop\":\"[a-z]{4}\",\"class\":\"(fraud|legit)\"}");
    }
  }

  @Test
  void classesThatAreNoNumbersAreNamedForThoseWhoUseTheModelLater() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,5\n2,0\n3,2\n");
    Path numbers = Files.writeString(directory.resolve("n.csv"), "1,1\n2,0\n");
    Path odd = Files.writeString(directory.resolve("o.csv"), "1,\"a;b\"\n2,\"it's, c\"\n");

    assertThat(classes(options(table))).containsExactly("0", "2", "5");
    assertThat(options(numbers).getOptional(InputOptions.CLASSES)).isEmpty();
    assertThat(classes(options(odd))).containsExactly("a;b", "it's, c");
  }

  @Test
  void classesKeepTheOrderThatIsGiven() throws IOException {
    Path table = Files.writeString(directory.resolve("t.csv"), "1,a\n2,b\n");

    List<String> given = List.of("--input.classes", "b,a");

    DemoData data = DemoData.open(DataSpec.parse("csv:" + table), null, 3, given);

    assertThat(data.set().classes()).containsExactly("b", "a");
    assertThat(classes(DemoOptions.of(data, work, BROKER, given))).containsExactly("b", "a");
  }

  private Configuration options(Path table) {
    DemoData data = data(DataSpec.parse("csv:" + table), 3);
    Configuration options = DemoOptions.of(data, work, BROKER, List.of());
    assertThatCode(() -> JobOptions.check(JobKind.TRAINING, options, new Configuration()))
        .doesNotThrowAnyException();
    return options;
  }

  /** As a model's description has them. */
  private static List<String> classes(Configuration options) {
    return Configuration.fromMap(options.toMap()).get(InputOptions.CLASSES);
  }

  @Test
  void theUsersOptionsWin() {
    Configuration options =
        DemoOptions.of(
            data(DataSpec.parse("digits:100"), 100),
            work,
            BROKER,
            List.of("--model.name", "mlp", "--batch.size=8", "--flink.rest.port", "0"));

    assertThat(options.get(ModelOptions.NAME)).isEqualTo("mlp");
    assertThat(options.getOptional(ModelOptions.IMAGE)).isEmpty();
    assertThat(options.toMap()).containsEntry("batch.size", "8").containsKey("flink.rest.port");
  }

  @Test
  void whatTheDemoDecidesCanNotBeGiven() {
    DemoData data = data(DataSpec.parse("digits:100"), 100);

    assertThatThrownBy(
            () ->
                DemoOptions.of(
                    data, work, BROKER, List.of("--input.topics", "x", "--input.features=3")))
        .isInstanceOf(InvalidOptionsException.class)
        .hasMessageContainingAll("input.topics is for train", "input.features is for train");
  }

  private static DemoData data(DataSpec spec, long limit) {
    return DemoData.open(spec, null, limit, List.of());
  }
}
