package dev.millrace.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.MeasuresSum;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.FieldShapes;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SnapshotDescriptionTest {

  private static final Instant CREATED = Instant.parse("2026-11-21T10:15:30Z");

  private final SnapshotDescription description =
      SnapshotDescription.of(
              TestModels.model(
                  2,
                  1500,
                  new Lineage(
                      new Lineage.Parent("model-1.7.zip", "abc", new ModelVersion(1, 7)),
                      Map.of("schedule", "sync", "batch.size", "32"))),
              Optional.of(
                  Quality.of(Target.CLASSIFICATION, new Measures(4, 3, 2, 0, 0)).onSet("ab")),
              CREATED)
          .numbered(12)
          .committed(34);

  @Test
  void comesBackFromJson() throws IOException {
    assertThat(SnapshotDescription.fromJson(description.toJson())).isEqualTo(description);
  }

  /** Those of arrays of numbers are as they always were. */
  @Test
  void fieldsAreInItAndNothingWhereThereAreNone() throws IOException {
    assertThat(description.toJson()).doesNotContain("columns", "structure");
    ExampleShape shape = FieldShapes.flow(2);
    GlobalModel plain = TestModels.model(2, 1500, Lineage.NONE);
    ModelSpec spec =
        new ModelSpec("test", "kind", "{}", shape, plain.vector().length, 0, List.of());
    SnapshotDescription fields =
        SnapshotDescription.of(
            new GlobalModel(
                spec,
                plain.version(),
                1,
                plain.vector(),
                FieldShapes.learned(),
                plain.ledger(),
                Measures.NONE,
                Lineage.NONE,
                ServerOptimizerState.NONE,
                false),
            Optional.empty(),
            CREATED);

    assertThat(SnapshotDescription.fromJson(fields.toJson()).shape()).isEqualTo(shape);
    assertThat(fields.toJson()).doesNotContain("plain", "sequence");
  }

  @Test
  void saysWhatReadersLookFor() throws IOException {
    JsonNode json = SnapshotDescription.MAPPER.readTree(description.toJson());

    assertThat(json.at("/format").asInt()).isEqualTo(1);
    assertThat(json.at("/millrace").asText()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(json.at("/version/generation").asLong()).isEqualTo(2);
    assertThat(json.at("/version/round").asLong()).isEqualTo(1500);
    assertThat(json.at("/iteration").asLong()).isEqualTo(77);
    assertThat(json.at("/created").asText()).isEqualTo("2026-11-21T10:15:30Z");
    assertThat(json.at("/engine").asText()).isEqualTo("test");
    assertThat(json.at("/parameters").asInt()).isEqualTo(3);
    assertThat(json.at("/movingAverage").isBoolean()).isTrue();
    assertThat(json.at("/movingAverage").asBoolean()).isFalse();
    assertThat(json.at("/updaterState").asInt()).isEqualTo(2);
    // Of the text {}.
    assertThat(json.at("/configurationHash").asText())
        .isEqualTo("44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a");
    assertThat(json.at("/shape/target").asText()).isEqualTo("CLASSIFICATION");
    assertThat(json.at("/standardizationCount").asLong()).isEqualTo(2);
    assertThat(json.at("/standardizationClip").asDouble()).isEqualTo(10);
    assertThat(json.at("/ledger/0/topic").asText()).isEqualTo("examples");
    assertThat(json.at("/ledger/0/partition").asInt()).isEqualTo(1);
    assertThat(json.at("/ledger/0/learned/count").asLong()).isEqualTo(2);
    assertThat(json.at("/ledger/0/learned/sum").asLong()).isEqualTo(11);
    assertThat(json.at("/ledger/0/learned/first").asLong()).isEqualTo(5);
    assertThat(json.at("/ledger/0/learned/last").asLong()).isEqualTo(6);
    assertThat(json.at("/ledger/0/rejected/count").asLong()).isZero();
    assertThat(json.at("/ledger/0/rejected/first").isMissingNode()).isTrue();
    assertThat(json.at("/prequential/accuracy").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/holdOut/accuracy").asDouble()).isEqualTo(0.75);
    assertThat(json.at("/number").asLong()).isEqualTo(12);
    assertThat(json.at("/state").asText()).isEqualTo("committed");
    assertThat(json.at("/checkpoint").asLong()).isEqualTo(34);
    assertThat(json.at("/parent/source").asText()).isEqualTo("model-1.7.zip");
    assertThat(json.at("/parent/sha256").asText()).isEqualTo("abc");
    assertThat(json.at("/parent/version/round").asLong()).isEqualTo(7);
    assertThat(json.at("/configuration/schedule").asText()).isEqualTo("sync");
  }

  @Test
  void aMovingAverageSaysThatItIsOne() throws IOException {
    SnapshotDescription average =
        SnapshotDescription.of(TestModels.movingAverage(2, 7), Optional.empty(), CREATED)
            .numbered(3)
            .committed(4);

    assertThat(average.movingAverage()).isTrue();
    assertThat(average.updaterState()).isZero();
    assertThat(SnapshotDescription.fromJson(average.toJson())).isEqualTo(average);
  }

  @Test
  void measuresAreThoseOfTheTarget() {
    Measures measures = new Measures(4, 0, 8, 2, 16);

    assertThat(Quality.of(Target.REGRESSION, measures))
        .isEqualTo(new Quality(4, null, 2.0, 0.5, 2.0, null));
    assertThat(Quality.of(Target.MULTI_LABEL, measures))
        .isEqualTo(new Quality(4, 0.0, 2.0, null, null, null));
    MeasuresSum two = new MeasuresSum();
    two.add(
        new ExampleShape(1, 1, Target.MULTI_LABEL),
        new float[] {0.75f, 0.5f},
        new float[] {1, 0},
        null,
        2);
    Quality ofTwo = Quality.of(Target.MULTI_LABEL, two.get());
    assertThat(ofTwo.auc()).isEqualTo(1);
    assertThat(ofTwo.normalizedEntropy()).isEqualTo(two.get().normalizedEntropy());
    assertThat(ofTwo.calibrationRatio()).isEqualTo(1.25);
    assertThat(ofTwo.onSet("ab"))
        .isEqualTo(
            new Quality(
                2, 0.5, ofTwo.loss(), 1.0, ofTwo.normalizedEntropy(), 1.25, null, null, "ab"));
    assertThat(Quality.of(Target.REGRESSION, Measures.NONE))
        .isEqualTo(new Quality(0, null, null, null, null, null));
  }

  @Test
  void whatLaterReleasesAddIsPassedOver() throws IOException {
    String json = description.toJson().replaceFirst("\\{", "{\"novelty\": [1], ");

    assertThat(SnapshotDescription.fromJson(json)).isEqualTo(description);
  }

  @Test
  void aNewerFormatIsRefused() {
    String json = description.toJson().replace("\"format\" : 1", "\"format\" : 2");

    assertThatThrownBy(() -> SnapshotDescription.fromJson(json))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("format 2");
  }
}
