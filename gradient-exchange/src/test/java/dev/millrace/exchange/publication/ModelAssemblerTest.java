package dev.millrace.exchange.publication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.testing.SummingEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ModelAssemblerTest {

  private static final ModelSpec SUMMING = SummingEngine.spec(4);

  /** Two blocks of parameters, and one of updater state. */
  private static final ModelSpec SPEC =
      new ModelSpec(
          SUMMING.engine(),
          SUMMING.kind(),
          SUMMING.configuration(),
          SUMMING.shape(),
          4,
          2,
          List.of());

  private static final BlockLayout LAYOUT = SPEC.layout(2, true);

  private final ModelAssembler assembler = new ModelAssembler(SPEC, LAYOUT);

  /** Otherwise each aborted checkpoint would keep a model in memory until a later one completes. */
  @Test
  void whatIsForgottenHasToComeAgainFromItsFirstPart() {
    PublicationTrigger aborted = PublicationTrigger.checkpoint(7);
    assembler.add(new PublishedPart.Block(aborted, 0, 3, false, new float[2]));
    assertThat(assembler.size()).isEqualTo(1);

    assembler.forget(aborted);

    assertThat(assembler.size()).isZero();
  }

  @Test
  void theNewestModelIsWholeWithItsUpdaterState() {
    assertThat(assembler.add(block(0, 5, false))).isEmpty();
    assertThat(assembler.add(block(1, 5, false))).isEmpty();
    assertThat(assembler.add(head(5))).isEmpty();

    GlobalModel model = assembler.add(block(2, 5, false)).orElseThrow().model();

    assertThat(model.movingAverage()).isFalse();
    assertThat(model.vector()).containsExactly(0, 0, 1, 1, 2, 2);
  }

  /** In whatever order its parts come. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  void aMovingAverageIsWholeWithItsParameters(int headAt) {
    List<PublishedPart> parts = new ArrayList<>(List.of(block(1, 5, true), block(0, 5, true)));
    parts.add(headAt, head(5));
    assertThat(assembler.add(parts.get(0))).isEmpty();
    assertThat(assembler.add(parts.get(1))).isEmpty();

    GlobalModel model = assembler.add(parts.get(2)).orElseThrow().model();

    assertThat(model.movingAverage()).isTrue();
    assertThat(model.version().round()).isEqualTo(5);
    assertThat(model.vector()).containsExactly(0, 0, 1, 1);
  }

  @Test
  void aMovingAverageAndALedgerOfDifferentRoundsAreNoModel() {
    assembler.add(head(5));

    assertThatIllegalStateException()
        .isThrownBy(() -> assembler.add(block(0, 4, true)))
        .withMessageContaining("of rounds 5 and 4");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void newestValuesAndAMovingAverageAreNoModel(boolean average) {
    assembler.add(block(0, 5, average));

    assertThatIllegalStateException()
        .isThrownBy(() -> assembler.add(block(1, 5, !average)))
        .withMessageContainingAll("round 5", "block 1 is of the " + (average ? "newest" : "aver"));
  }

  /** Each value is the number of its block. */
  private static PublishedPart.Block block(int block, long round, boolean average) {
    float[] values = {block, block};
    return new PublishedPart.Block(PublicationTrigger.round(5), block, round, average, values);
  }

  private static PublishedPart.Head head(long round) {
    return new PublishedPart.Head(
        PublicationTrigger.round(5),
        Set.of(Purpose.RELEASE),
        new ModelVersion(1, round),
        7,
        LearnedFeatures.of(new FeatureStatistics(0)),
        new Ledger(),
        Measures.NONE,
        Lineage.NONE);
  }
}
