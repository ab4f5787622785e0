package dev.millrace.job.testing;

import dev.millrace.example.Example;
import dev.millrace.model.ArchivedModel;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;
import org.bytedeco.pytorch.parameter_iterator;
import org.bytedeco.pytorch.parameter_list;

/**
 * A TorchScript archive as libtorch loads it, taught by libtorch's gradients and by Adam as its
 * paper has it (Kingma and Ba 2015), written in Java. Without buffers, as the built-in networks
 * are.
 */
@SuppressWarnings("try") // Scopes of native memory: nothing refers to them.
final class PlainTorchNetwork implements PlainNetwork {

  private static final double RATE = 1e-3;
  private static final double FIRST = 0.9;
  private static final double SECOND = 0.999;
  private static final double EPSILON = 1e-8;

  private final JitModule module;
  private final List<Tensor> parameters = new ArrayList<>();
  private final ArchivedModel archived;
  private final int length;
  private final float[] state;
  private long steps;

  /**
   * @param archived the same archive: what it has beside the module
   */
  PlainTorchNetwork(Path archive, ArchivedModel archived) {
    this.archived = archived;
    module = torch.load(archive.toString());
    int count = 0;
    try (parameter_list all = module.parameters()) {
      parameter_iterator end = all.end();
      for (parameter_iterator at = all.begin(); at.notEquals(end); at.increment()) {
        Tensor parameter = new Tensor(at.multiply());
        parameters.add(parameter);
        count += (int) parameter.numel();
      }
    }
    length = count;
    state = new float[2 * count];
    steps = archived.iteration();
    if (archived.vector().length > count) {
      System.arraycopy(archived.vector(), count, state, 0, state.length);
    }
  }

  @Override
  public void fit(List<Example> batch) {
    module.train(true);
    float[] gradients = gradients(batch);
    float[] values = vector();
    steps++;
    for (int i = 0; i < length; i++) {
      int variance = length + i;
      state[i] = (float) (FIRST * state[i] + (1 - FIRST) * gradients[i]);
      state[variance] =
          (float) (SECOND * state[variance] + (1 - SECOND) * gradients[i] * gradients[i]);
      double mean = state[i] / (1 - Math.pow(FIRST, (double) steps));
      double deviation = Math.sqrt(state[variance] / (1 - Math.pow(SECOND, (double) steps)));
      values[i] = (float) (values[i] - RATE * mean / (deviation + EPSILON));
    }
    writeParameters(values);
  }

  private float[] gradients(List<Example> batch) {
    try (PointerScope scope = new PointerScope()) {
      float[] labels = flat(batch.stream().map(Example::labels).toList());
      Tensor loss =
          torch.cross_entropy(
              forward(flat(batch.stream().map(Example::features).toList()), batch.size()),
              Tensor.create(labels, batch.size(), labels.length / batch.size()));
      loss.backward();
      float[] gradients = new float[length];
      int from = 0;
      for (Tensor parameter : parameters) {
        Tensor gradient = parameter.mutable_grad();
        from += read(gradient, gradients, from);
        gradient.zero_();
      }
      return gradients;
    }
  }

  private Tensor forward(float[] features, int rows) {
    Tensor input = Tensor.create(features, rows, features.length / rows);
    return module.forward(new IValueVector(new IValue(input))).toTensor();
  }

  @Override
  public float[] predict(List<Example> examples) {
    module.train(false);
    float[] features = flat(examples.stream().map(Example::features).toList());
    archived.statistics().ifPresent(s -> s.standardization().apply(features, examples.size()));
    try (PointerScope scope = new PointerScope()) {
      Tensor probabilities = torch.softmax(forward(features, examples.size()), 1).detach();
      float[] values = new float[(int) probabilities.numel()];
      read(probabilities, values, 0);
      return values;
    }
  }

  private static float[] flat(List<float[]> rows) {
    int width = rows.get(0).length;
    float[] flat = new float[rows.size() * width];
    for (int row = 0; row < rows.size(); row++) {
      System.arraycopy(rows.get(row), 0, flat, row * width, width);
    }
    return flat;
  }

  @Override
  public float[] vector() {
    float[] vector = new float[length + state.length];
    int from = 0;
    for (Tensor parameter : parameters) {
      from += read(parameter, vector, from);
    }
    System.arraycopy(state, 0, vector, length, state.length);
    return vector;
  }

  @Override
  public void write(float[] vector) {
    writeParameters(vector);
    System.arraycopy(vector, length, state, 0, state.length);
  }

  private void writeParameters(float[] values) {
    int from = 0;
    for (Tensor parameter : parameters) {
      FloatBuffer buffer = parameter.createBuffer();
      int count = (int) parameter.numel();
      buffer.put(values, from, count);
      from += count;
    }
  }

  private static int read(Tensor tensor, float[] into, int from) {
    try (PointerScope scope = new PointerScope()) {
      FloatBuffer buffer = tensor.contiguous().createBuffer();
      int count = (int) tensor.numel();
      buffer.get(into, from, count);
      return count;
    }
  }
}
