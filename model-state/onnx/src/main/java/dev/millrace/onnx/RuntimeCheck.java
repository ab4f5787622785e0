package dev.millrace.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import dev.millrace.model.FeatureCompletion;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ServableModel;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.onnx.graph.FeatureNodes;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Has ONNX Runtime predict with a file, and the model's own engine with the model, for the same
 * random raw examples, which are the same in each run.
 */
final class RuntimeCheck {

  private static final int[] BATCHES = {1, 2, 61, 192};
  private static final long SEED = 17;

  private final ServableModel model;
  private final ExampleShape shape;
  private final FeatureCompletion completion;

  private RuntimeCheck(ServableModel model) {
    this.model = model;
    this.shape = model.spec().shape();
    this.completion = FeatureCompletion.of(shape, model.learned());
  }

  /**
   * Compares predictions.
   *
   * @param ids see {@link RandomExamples#draw}
   * @throws InvalidModelException if they differ by more than is allowed, or the file can't be run
   */
  static Agreement run(ServableModel model, int ids, Path file) {
    return run(model, ids, file, SEED, BATCHES);
  }

  /** Compares predictions with examples of another seed, in batches of these sizes. */
  static Agreement run(ServableModel model, int ids, Path file, long seed, int... batches) {
    RuntimeCheck check = new RuntimeCheck(model);
    try (ModelReplica replica =
            ModelEngine.named(model.spec().engine()).build(model.spec(), DeviceRequest.guest());
        OrtSession.SessionOptions options = new OrtSession.SessionOptions()) {
      replica.write(0, model.vector(), 0, model.spec().parameters());
      // Other processes have the machine's cores.
      options.setIntraOpNumThreads(1);
      try (OrtSession session =
          OrtEnvironment.getEnvironment().createSession(file.toString(), options)) {
        return check.compare(replica, session, ids, new Random(seed), batches);
      }
    } catch (OrtException e) {
      throw new InvalidModelException("ONNX Runtime can't run the model: " + e.getMessage(), e);
    }
  }

  private Agreement compare(
      ModelReplica replica, OrtSession session, int ids, Random random, int... batches)
      throws OrtException {
    PredictionDifference difference = new PredictionDifference();
    for (int rows : batches) {
      RandomExamples examples = RandomExamples.draw(shape, model.learned(), ids, rows, random);
      difference.add(engines(replica, examples), runtimes(session, examples), rows);
    }
    return difference.agreement(model.spec().engine());
  }

  private float[] engines(ModelReplica replica, RandomExamples examples) {
    int[] steps = null;
    if (shape.structure().isSequence()) {
      steps = new int[examples.rows()];
      Arrays.fill(steps, examples.steps());
    }
    float[] features = examples.features().clone();
    completion.apply(features, examples.words(), steps, examples.rows());
    float[] predictions = new float[examples.rows() * shape.labels()];
    replica.predict(features, steps, examples.rows(), predictions);
    return predictions;
  }

  /**
   * Returns the runtime's predictions as rows of {@code shape.labels()}, as the engine gives them.
   */
  private float[] runtimes(OrtSession session, RandomExamples examples) throws OrtException {
    float[] predictions = new float[examples.rows() * shape.labels()];
    Map<String, OnnxTensor> inputs = inputs(examples);
    try (OrtSession.Result result = session.run(inputs)) {
      List<Output> outputs = shape.structure().outputs();
      if (outputs.isEmpty()) {
        IndexRange all = new IndexRange(0, shape.outputs());
        place(result, ModelGraph.outputName(shape.target()), all, examples, predictions);
      }
      for (Output output : outputs) {
        place(result, output.name(), output.labels(), examples, predictions);
      }
      return predictions;
    } finally {
      inputs.values().forEach(OnnxTensor::close);
    }
  }

  private Map<String, OnnxTensor> inputs(RandomExamples examples) throws OrtException {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    int rows = examples.rows();
    boolean sequence = shape.structure().isSequence();
    int columns = shape.columns().words().size();
    FloatBuffer numbers = FloatBuffer.allocate(rows * examples.steps() * shape.width());
    String[] words = new String[rows * examples.steps() * columns];
    for (int row = 0; row < rows; row++) {
      numbers.put(examples.features(), row * shape.features(), examples.steps() * shape.width());
      for (int i = 0; i < examples.steps() * columns; i++) {
        String word = examples.words()[row * shape.words() + i];
        words[row * examples.steps() * columns + i] = word == null ? FeatureNodes.MISSING : word;
      }
    }
    Map<String, OnnxTensor> inputs = new HashMap<>();
    for (IdColumn column : shape.columns().ids()) {
      int width = column.features().length();
      inputs.put(
          column.name(),
          OnnxTensor.createTensor(
              environment, FloatBuffer.wrap(examples.rowsOf(column)), new long[] {rows, width}));
      // Nothing may depend on what stands there.
      for (int row = 0; row < rows; row++) {
        int from = row * shape.features() + column.features().from();
        Arrays.fill(numbers.array(), from, from + width, Float.NaN);
      }
    }
    if (FeatureNodes.takesFeatures(shape)) {
      inputs.put(
          FeatureNodes.FEATURES,
          OnnxTensor.createTensor(
              environment, numbers.flip(), dimensions(sequence, examples, shape.width())));
    }
    if (columns > 0) {
      inputs.put(
          FeatureNodes.WORDS,
          OnnxTensor.createTensor(environment, words, dimensions(sequence, examples, columns)));
    }
    return inputs;
  }

  private static long[] dimensions(boolean sequence, RandomExamples examples, int width) {
    return sequence
        ? new long[] {examples.rows(), examples.steps(), width}
        : new long[] {examples.rows(), width};
  }

  private void place(
      OrtSession.Result result,
      String name,
      IndexRange labels,
      RandomExamples examples,
      float[] predictions)
      throws OrtException {
    OnnxTensor tensor = (OnnxTensor) result.get(name).orElseThrow();
    int steps = shape.structure().labelPerStep() ? examples.steps() : 1;
    FloatBuffer values = tensor.getFloatBuffer();
    if (values.remaining() != examples.rows() * steps * labels.length()) {
      throw new InvalidModelException(
          "ONNX Runtime gives the output '%s' as %s, of %s examples with %s values each"
              .formatted(
                  name,
                  Arrays.toString(tensor.getInfo().getShape()),
                  examples.rows(),
                  labels.length()));
    }
    for (int row = 0; row < examples.rows(); row++) {
      for (int step = 0; step < steps; step++) {
        int to = row * shape.labels() + step * shape.outputs() + labels.from();
        values.get(predictions, to, labels.length());
      }
    }
  }
}
