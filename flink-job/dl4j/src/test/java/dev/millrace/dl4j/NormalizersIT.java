package dev.millrace.dl4j;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.dl4j.source.RowsIterator;
import dev.millrace.dl4j.source.TakenNormalizer;
import dev.millrace.job.models.LocatedModel;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.deeplearning4j.datasets.iterator.utilty.ListDataSetIterator;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.AsyncDataSetIterator;
import org.nd4j.linalg.dataset.DataSet;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.dataset.api.preprocessor.ImagePreProcessingScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerMinMaxScaler;
import org.nd4j.linalg.dataset.api.preprocessor.NormalizerStandardize;

/** What an iterator does to its minibatches is done once, and models know what that was. */
class NormalizersIT {

  private static final int SIZE = 16;

  private static final TrainingContext CONTEXT = TrainingContext.embedded();

  @TempDir Path directory;

  @AfterAll
  static void close() {
    CONTEXT.close();
  }

  static DataNormalization[] normalizers() {
    return new DataNormalization[] {
      new NormalizerStandardize(),
      new NormalizerMinMaxScaler(),
      new NormalizerMinMaxScaler(-1, 3),
      new ImagePreProcessingScaler(-1, 1)
    };
  }

  /** With one worker a network learns the same from what is normalized before. */
  @ParameterizedTest
  @MethodSource("normalizers")
  void aNormalizerIsAppliedOnceAndTravels(DataNormalization normalizer) throws Exception {
    normalizer.fit(new ListDataSetIterator<>(raw(1, 30), SIZE));
    List<DataSet> before = raw(1, 30);
    before.forEach(normalizer::preProcess);
    MultiLayerNetwork expected = Examples.network();
    fit(expected, new ListDataSetIterator<>(before, SIZE), "before");

    MultiLayerNetwork network = Examples.network();
    ListDataSetIterator<DataSet> iterator = new ListDataSetIterator<>(raw(1, 30), SIZE);
    iterator.setPreProcessor(normalizer);
    fit(network, iterator, "models");

    assertThat(iterator.getPreProcessor()).isSameAs(normalizer);
    assertThat(network.params().equalsWithEps(expected.params(), 1e-3)).isTrue();
    // Ours, and DL4J's own way to read what is published.
    TrainedNetwork trained = Dl4jModels.latest(directory.resolve("models").toString());
    assertThat(trained.network().params()).isEqualTo(network.params());
    File archive =
        LocatedModel.find("the model", directory.resolve("models").toString()).archive().toFile();
    DataNormalization restored = ModelSerializer.restoreNormalizerFromFile(archive);
    DataSet wanted = DataSet.merge(raw(2, 1));
    DataSet ours = wanted.copy();
    DataSet theirs = wanted.copy();
    normalizer.preProcess(wanted);
    trained.normalizerOrNull().preProcess(ours);
    restored.preProcess(theirs);
    assertThat(ours.getFeatures().equalsWithEps(wanted.getFeatures(), 1e-4)).isTrue();
    assertThat(theirs.getFeatures().equalsWithEps(wanted.getFeatures(), 1e-4)).isTrue();
  }

  /** Models go on as they are, into an archive of the program's own. */
  @Test
  void aProgramPutsItsNormalizerIntoItsArchive() throws Exception {
    NormalizerStandardize normalizer = new NormalizerStandardize();
    ListDataSetIterator<DataSet> iterator = new ListDataSetIterator<>(raw(1, 30), SIZE);
    normalizer.fit(iterator);
    iterator.reset();
    iterator.setPreProcessor(normalizer);
    MultiLayerNetwork network = Examples.network();
    fit(network, iterator, "models");
    File archive = directory.resolve("own.zip").toFile();
    ModelSerializer.writeModel(network, archive, true);
    ModelSerializer.addNormalizerToModel(archive, normalizer);

    NormalizerStandardize restored =
        ModelSerializer.restoreNormalizerFromFile(
            LocatedModel.find("the model", directory.resolve("models").toString())
                .archive()
                .toFile());

    NormalizerStandardize own = ModelSerializer.restoreNormalizerFromFile(archive);
    assertThat(restored.getMean().equalsWithEps(own.getMean(), 1e-6)).isTrue();
    assertThat(restored.getStd().equalsWithEps(own.getStd(), 1e-6)).isTrue();
  }

  /** It has normalized what it has read. */
  @Test
  void anIteratorThatReadsAheadKeepsItsNormalizer() {
    ListDataSetIterator<DataSet> iterator = new ListDataSetIterator<>(raw(1, 2), SIZE);
    iterator.setPreProcessor(new ImagePreProcessingScaler());
    AsyncDataSetIterator ahead = new AsyncDataSetIterator(iterator);

    try (TakenNormalizer taken = RowsIterator.of(ahead).takeNormalizer()) {
      assertThat(taken.scalingOrNull()).isNull();
    } finally {
      ahead.shutdown();
    }

    assertThat(iterator.getPreProcessor()).isNotNull();
  }

  @Test
  void otherPreProcessorsAreAppliedOnceByTheIterator() {
    AtomicInteger applied = new AtomicInteger();
    ListDataSetIterator<DataSet> iterator = new ListDataSetIterator<>(raw(1, 30), SIZE);
    iterator.setPreProcessor(
        minibatch -> {
          applied.incrementAndGet();
          INDArray features = minibatch.getFeatures();
          features.subi(5).divi(20);
        });
    MultiLayerNetwork network = Examples.network();

    fit(network, iterator, "models");

    assertThat(applied).hasValue(30 * 2);
    assertThat(Dl4jModels.latest(directory.resolve("models").toString()).normalizerOrNull())
        .isNull();
    assertThat(iterator.getPreProcessor()).isNotNull();
  }

  private void fit(MultiLayerNetwork network, ListDataSetIterator<DataSet> data, String models) {
    try (ParallelWrapper wrapper =
        new ParallelWrapper.Builder<>(network)
            .workers(1)
            .context(CONTEXT)
            .option("snapshot.directory", directory.resolve(models).toString())
            .build()) {
      wrapper.fit(data, 2);
    }
  }

  /** Single examples, whose features have means and deviations of their own. */
  private static List<DataSet> raw(long seed, int minibatches) {
    Random random = new Random(seed);
    List<DataSet> all = new ArrayList<>();
    for (int i = 0; i < minibatches; i++) {
      DataSet minibatch = Examples.minibatch(random, SIZE);
      for (int column = 0; column < Examples.FEATURES; column++) {
        minibatch.getFeatures().getColumn(column).muli(10 * column + 1).addi(5 - column);
      }
      all.addAll(minibatch.asList());
    }
    return all;
  }
}
