package dev.millrace.job.testing;

import dev.millrace.example.Example;
import dev.millrace.model.shape.ExampleStructure;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.deeplearning4j.nn.graph.ComputationGraph;
import org.deeplearning4j.nn.multilayer.MultiLayerNetwork;
import org.deeplearning4j.util.ModelSerializer;
import org.nd4j.linalg.api.ndarray.INDArray;
import org.nd4j.linalg.factory.Nd4j;

/** DL4J's own network of sequences, or of two inputs and two outputs. */
public final class PlainStructuredNetwork implements PlainNetwork {

  private final MultiLayerNetwork layeredOrNull;
  private final ComputationGraph graphOrNull;

  private PlainStructuredNetwork(MultiLayerNetwork layeredOrNull, ComputationGraph graphOrNull) {
    this.layeredOrNull = layeredOrNull;
    this.graphOrNull = graphOrNull;
  }

  public static PlainStructuredNetwork open(Path archive, boolean graph) throws IOException {
    return graph
        ? new PlainStructuredNetwork(
            null, ModelSerializer.restoreComputationGraph(archive.toFile(), true))
        : new PlainStructuredNetwork(
            ModelSerializer.restoreMultiLayerNetwork(archive.toFile(), true), null);
  }

  @Override
  public void fit(List<Example> batch) {
    if (graphOrNull != null) {
      ExampleStructure structure = batch.get(0).shape().structure();
      graphOrNull.fit(
          structure.inputs().stream()
              .map(input -> columns(batch, true, input.features().from(), input.features().to()))
              .toArray(INDArray[]::new),
          structure.outputs().stream()
              .map(output -> columns(batch, false, output.labels().from(), output.labels().to()))
              .toArray(INDArray[]::new));
      return;
    }
    int longest = batch.stream().mapToInt(Example::steps).max().orElseThrow();
    boolean each = batch.get(0).shape().structure().labelPerStep();
    INDArray mask = Nd4j.zeros(batch.size(), longest);
    for (int row = 0; row < batch.size(); row++) {
      for (int step = 0; step < batch.get(row).steps(); step++) {
        mask.putScalar(row, step, 1);
      }
    }
    int outputs = batch.get(0).shape().outputs();
    layeredOrNull.fit(
        turned(batch, true, batch.get(0).shape().width(), longest),
        each ? turned(batch, false, outputs, longest) : columns(batch, false, 0, outputs),
        mask,
        each ? mask : null);
  }

  private static INDArray turned(List<Example> batch, boolean features, int width, int longest) {
    INDArray array = Nd4j.zeros(batch.size(), width, longest);
    for (int row = 0; row < batch.size(); row++) {
      Example example = batch.get(row);
      float[] values = features ? example.features() : example.labels();
      for (int step = 0; step < example.steps(); step++) {
        for (int i = 0; i < width; i++) {
          array.putScalar(row, i, step, values[step * width + i]);
        }
      }
    }
    return array;
  }

  private static INDArray columns(List<Example> batch, boolean features, int from, int to) {
    return Nd4j.create(
        batch.stream()
            .map(example -> features ? example.features() : example.labels())
            .map(values -> Arrays.copyOfRange(values, from, to))
            .toArray(float[][]::new));
  }

  @Override
  public float[] predict(List<Example> examples) {
    throw new UnsupportedOperationException("Only what is learned is compared");
  }

  @Override
  public float[] vector() {
    float[] parameters = parameters().dup('c').data().asFloat();
    float[] state = state().dup('c').data().asFloat();
    float[] vector = Arrays.copyOf(parameters, parameters.length + state.length);
    System.arraycopy(state, 0, vector, parameters.length, state.length);
    return vector;
  }

  @Override
  public void write(float[] vector) {
    int parameters = Math.toIntExact(parameters().length());
    assign(parameters(), Arrays.copyOf(vector, parameters));
    assign(state(), Arrays.copyOfRange(vector, parameters, vector.length));
  }

  private static void assign(INDArray values, float[] from) {
    values.assign(Nd4j.createFromArray(from).reshape(values.shape()));
  }

  private INDArray parameters() {
    return graphOrNull == null ? layeredOrNull.params() : graphOrNull.params();
  }

  private INDArray state() {
    return graphOrNull == null
        ? layeredOrNull.getUpdater().getStateViewArray()
        : graphOrNull.getUpdater().getStateViewArray();
  }
}
