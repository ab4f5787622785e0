package dev.millrace.dl4j.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.deeplearning4j.datasets.iterator.ExistingDataSetIterator;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.iterator.DataSetIterator;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;
import org.nd4j.linalg.factory.Nd4j;

class RowsIteratorTest {

  private static DataSet dataSet(float... features) {
    return new DataSet(Nd4j.createFromArray(new float[][] {features}), Nd4j.ones(1, 1));
  }

  private static DataSet sequences(int steps) {
    INDArray each = Nd4j.ones(1, 2, steps);
    return new DataSet(each, Nd4j.ones(1, 1, steps));
  }

  /** Evaluating a network by it has normalized them, in place. */
  @Test
  void dataSetsThatExistAreNormalizedByTheirIterator() {
    List<DataSet> all = List.of(dataSet(1, 2), dataSet(3, 6));
    NormalizerStandardize normalizer = new NormalizerStandardize();
    normalizer.fit(new ExistingDataSetIterator(all));
    DataSetIterator iterator = new ExistingDataSetIterator(all);
    iterator.setPreProcessor(normalizer);

    assertThat(RowsIterator.of(iterator).takeNormalizer().scalingOrNull()).isNull();
    assertThat(iterator.getPreProcessor()).isSameAs(normalizer);
  }

  @Test
  void whatWasNormalizedBeforeIsNotNormalizedAgain() {
    DataSet once = dataSet(1, 2);
    List<DataSet> all = List.of(once, dataSet(3, 6));
    NormalizerStandardize normalizer = new NormalizerStandardize();
    normalizer.fit(new ListDataSetIterator<>(all, 1));
    DataSetIterator iterator =
        new ListDataSetIterator<>(all, 1) {
          @Override
          public DataSet next() {
            return once;
          }
        };
    iterator.setPreProcessor(normalizer);
    once.markAsPreProcessed();
    RowsIterator<DataSet> rows = RowsIterator.of(iterator);

    try (TakenNormalizer taken = rows.takeNormalizer()) {
      assertThat(taken.scalingOrNull()).isNotNull();
      assertThatThrownBy(rows::nextOrNull).hasMessageContaining("apply it again");
    }
  }

  /** The scaler makes the lower end of such a feature, whatever it is. */
  @Test
  void aScalerToLessThanZeroIsTheIteratorsWhereAFeatureIsAlwaysTheSame() {
    NormalizerMinMaxScaler scaler = new NormalizerMinMaxScaler(-1, 1);
    DataSetIterator iterator = new ListDataSetIterator<>(List.of(dataSet(0, 2), dataSet(0, 6)), 1);
    scaler.fit(iterator);
    iterator.reset();
    iterator.setPreProcessor(scaler);

    assertThat(RowsIterator.of(iterator).takeNormalizer().scalingOrNull()).isNull();
  }

  @Test
  void aSequenceThatIsLongerThanTheFirstIsRefusedByName() {
    RowsIterator<DataSet> rows =
        RowsIterator.of(
            new ExistingDataSetIterator(List.of(sequences(4), sequences(3), sequences(7))));
    rows.keepToFirstLength();

    assertThat(rows.nextOrNull().steps()).isEqualTo(4);
    assertThat(rows.nextOrNull().steps()).isEqualTo(3);
    assertThatThrownBy(rows::nextOrNull)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("sequences of 7 steps, and the first one has 4")
        .hasMessageContaining(".option(\"input.sequence.steps\", \"7\")");
  }
}
