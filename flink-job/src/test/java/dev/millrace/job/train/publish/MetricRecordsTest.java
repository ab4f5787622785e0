package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.process.ReplicaReport;
import dev.millrace.exchange.round.NewestRound;
import dev.millrace.exchange.round.RefusedContributions;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.SnapshotDescription;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetricRecordsTest {

  @Test
  void refusedContributionsAreToldWhereThereAreSome() throws IOException {
    JsonNode some = progress(new RefusedContributions(2, 96, "values that \"exploded\""));

    assertThat(some.get("rejected").asLong()).isEqualTo(98);
    assertThat(some.get("refused").toString())
        .isEqualTo(
            "{\"contributions\":2,\"records\":96,\"reason\":\"values that \\\"exploded\\\"\"}");
    assertThat(progress(RefusedContributions.NONE).has("refused")).isFalse();
  }

  @Test
  void aRoundTellsWhatIsKnownOfIt() throws IOException {
    NewestRound known = new NewestRound(2, 2_500_000, 120, 0, 31, 407);

    assertThat(progress(RefusedContributions.NONE, known).toString())
        .contains(
            "\"members\":2,\"duration\":2.5,\"bytes\":120,\"staleness\":0,\"lag\":31,\"pending\":407");
    assertThat(progress(RefusedContributions.NONE).toString())
        .contains("\"members\":0")
        .doesNotContain("duration", "bytes", "staleness", "lag", "pending");
  }

  @Test
  void aModelTellsWhatItsDescriptionKnows() throws IOException {
    String described =
        """
        "holdOut":{"examples":10,"accuracy":0.5,"loss":1.0},
        "gate":{"metric":"accuracy","margin":0.1,"candidate":0.5,"serving":0.7,"passed":false},
        "parent":{"source":"a.zip","sha256":"ab","version":{"generation":0,"round":3}}
        """;
    SnapshotDescription snapshot =
        SnapshotDescription.fromJson(
            """
            {"format":1,"version":{"generation":1,"round":7},"engine":"dl4j","created":"2026-01-01T00:00:00Z",
             "ledger":[{"topic":"t","partition":0,"learned":{"count":5,"sum":10,"first":0,"last":4},
             "rejected":{"count":0,"sum":0}}],"configuration":{},"state":"fresh",%s}
            """
                .formatted(described));
    ObjectMapper mapper = new ObjectMapper();

    assertThat(mapper.readTree(MetricRecords.snapshot(snapshot, "m.zip", 5)))
        .isEqualTo(
            mapper.readTree(
                """
                {"type":"snapshot","time":5,"generation":1,"round":7,"model":"m.zip",
                 "state":"fresh","served":false,"learned":5,%s}
                """
                    .formatted(described)));
  }

  @Test
  void confusionHasARowForEachClass() {
    assertThat(
            MetricRecords.confusion(
                new ConfusionReport(
                    5,
                    7,
                    List.of(List.of(6, 2), List.of(0, 0)),
                    4,
                    List.of(new ConfusionReport.Bin(0, 0, 0), new ConfusionReport.Bin(8, 6, 7)))))
        .isEqualTo(
            "{\"type\":\"confusion\",\"time\":5,\"round\":7,\"counts\":[[6,2],[0,0]],"
                + "\"recalls\":[0.75,null],\"majority\":1.0,\"lastLabel\":0.5,"
                + "\"calibrationError\":0.125,"
                + "\"calibration\":[{\"examples\":8,\"stated\":0.875,\"right\":0.75}]}");
  }

  @Test
  void aReplicaTellsWhatItsProcessUses() {
    assertThat(MetricRecords.replica(new ReplicaReport(5, 7, 1, 64, "3@host", 0.5, 10, 20)))
        .isEqualTo(
            "{\"type\":\"replica\",\"time\":5,\"round\":7,\"replica\":1,\"examples\":64,"
                + "\"process\":\"3@host\",\"cpu\":0.5,\"heap\":10,\"mostHeap\":20}");
    assertThat(MetricRecords.replica(new ReplicaReport(5, 7, 1, 64, "3@host", Double.NaN, 10, 20)))
        .doesNotContain("cpu");
  }

  @Test
  void twoClassesHaveMoreMeasures() throws IOException {
    MeasuresSum all = new MeasuresSum();
    ExampleShape shape = new ExampleShape(1, 1, Target.MULTI_LABEL);
    all.add(shape, new float[] {0.75f, 0.5f, 0.25f}, new float[] {1, 0, 1}, null, 3);
    MeasuresSum recent = new MeasuresSum();
    recent.add(shape, new float[] {0.5f, 0.25f}, new float[] {0, 0}, null, 2);

    JsonNode record =
        new ObjectMapper()
            .readTree(
                MetricRecords.progress(
                    new RoundReport(
                        new ModelVersion(1, 7),
                        5,
                        3,
                        0,
                        RefusedContributions.NONE,
                        NewestRound.NONE,
                        all.get(),
                        recent.get()),
                    Target.MULTI_LABEL));

    assertThat(record.get("auc").asDouble()).isEqualTo(0.5);
    assertThat(record.get("normalizedEntropy").asDouble()).isEqualTo(all.get().normalizedEntropy());
    assertThat(record.get("calibrationRatio").asDouble()).isEqualTo(0.75);
    assertThat(record.has("window_loss")).isTrue();
    assertThat(record.toString())
        .as("the window has no positive example")
        .doesNotContain("window_auc", "window_normalizedEntropy", "window_calibrationRatio", "NaN");
  }

  private static JsonNode progress(RefusedContributions refused) throws IOException {
    return progress(refused, NewestRound.NONE);
  }

  private static JsonNode progress(RefusedContributions refused, NewestRound newest)
      throws IOException {
    RoundReport report =
        new RoundReport(
            new ModelVersion(1, 7), 5, 1_000, 98, refused, newest, Measures.NONE, Measures.NONE);
    return new ObjectMapper().readTree(MetricRecords.progress(report, Target.CLASSIFICATION));
  }
}
