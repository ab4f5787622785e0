package dev.millrace.job.testing;

import dev.millrace.example.Example;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.dataset.api.preprocessor.DataNormalization;
import org.nd4j.linalg.factory.Nd4j;

/** DL4J's own {@code MultiLayerNetwork}, with the archive's normalizer for its predictions. */
final class PlainDl4jNetwork implements PlainNetwork {

  private final MultiLayerNetwork network;
  private final DataNormalization normalizerOrNull;

  PlainDl4jNetwork(Path archive) throws IOException {
    network = ModelSerializer.restoreMultiLayerNetwork(archive.toFile(), true);
    normalizerOrNull = ModelSerializer.restoreNormalizerFromFile(archive.toFile());
  }

  @Override
  public void fit(List<Example> batch) {
    network.fit(features(batch), rows(batch.stream().map(Example::labels).toArray(float[][]::new)));
  }

  @Override
  public float[] predict(List<Example> examples) {
    INDArray features = features(examples);
    if (normalizerOrNull != null) {
      normalizerOrNull.transform(features);
    }
    return floats(network.output(features));
  }

  private static INDArray features(List<Example> batch) {
    return rows(batch.stream().map(Example::features).toArray(float[][]::new));
  }

  private static INDArray rows(float[][] values) {
    return Nd4j.create(values);
  }

  @Override
  public float[] vector() {
    float[] parameters = floats(network.params());
    float[] state = floats(network.getUpdater().getStateViewArray());
    float[] vector = Arrays.copyOf(parameters, parameters.length + state.length);
    System.arraycopy(state, 0, vector, parameters.length, state.length);
    return vector;
  }

  @Override
  public void write(float[] vector) {
    int parameters = (int) network.numParams();
    assign(network.params(), Arrays.copyOf(vector, parameters));
    assign(
        network.getUpdater().getStateViewArray(),
        Arrays.copyOfRange(vector, parameters, vector.length));
  }

  private static void assign(INDArray values, float[] from) {
    values.assign(Nd4j.createFromArray(from).reshape(values.shape()));
  }

  private static float[] floats(INDArray array) {
    return array.dup('c').data().asFloat();
  }
}
