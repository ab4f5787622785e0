package dev.millrace.onnx.predict;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.millrace.model.ModelExporter.Agreement;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.ModelRuntime;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.RuntimeModel;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.onnx.PredictionDifference;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Supplier;

/**
 * ONNX Runtime, on the processor. A session computes on the thread that asks, as a replica of an
 * engine does.
 */
public final class OnnxModelRuntime implements ModelRuntime {

  private static final String NAME = "ONNX Runtime";

  /** Few, since models may come each second; a batch of one is what clients mostly ask for. */
  private static final int[] BATCHES = {1, 2, 29};

  private static final long SEED = 23;

  private final TensorPool pool = new TensorPool();

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public RuntimeModel open(ModelSpec spec, float[] parameters, Supplier<ModelReplica> engine) {
    return open(spec, PredictionGraph.write(spec, parameters), engine);
  }

  /** Opens a graph, once it has predicted as the engine does. */
  RuntimeModel open(ModelSpec spec, byte[] graph, Supplier<ModelReplica> engine) {
    OnnxModel model = new OnnxModel(session(graph), spec.shape(), pool);
    boolean agrees = false;
    try (ModelReplica replica = engine.get()) {
      model.compared(compare(replica, model));
      agrees = true;
      return model;
    } finally {
      if (!agrees) {
        model.close();
      }
    }
  }

  private static OrtSession session(byte[] graph) {
    try (SessionOptions options = new SessionOptions()) {
      options.setIntraOpNumThreads(1);
      options.setInterOpNumThreads(1);
      options.addConfigEntry("session.intra_op.allow_spinning", "0");
      return OrtEnvironment.getEnvironment().createSession(graph, options);
    } catch (OrtException e) {
      throw new InvalidModelException("%s can't run it: %s".formatted(NAME, e.getMessage()), e);
    }
  }

  /**
   * Has both predict for features as a network gets them: around 0, a few of them far away. The
   * rows of a batch of sequences differ in their steps.
   */
  private static Agreement compare(ModelReplica engine, RuntimeModel model) {
    ExampleShape shape = engine.spec().shape();
    Random random = new Random(SEED);
    PredictionDifference difference = new PredictionDifference();
    for (int rows : BATCHES) {
      int[] stepsOrNull = shape.structure().isSequence() ? steps(shape, rows, random) : null;
      float[] features = new float[rows * shape.features()];
      for (int i = 0; i < features.length; i++) {
        features[i] = (float) random.nextGaussian() * (random.nextInt(50) == 0 ? 5 : 1);
      }
      if (stepsOrNull != null) {
        clearBehind(stepsOrNull, shape, features);
      }
      float[] own = new float[rows * shape.labels()];
      float[] given = new float[own.length];
      engine.predict(features.clone(), stepsOrNull, rows, own);
      model.predict(features, stepsOrNull, rows, given);
      difference.add(own, given, rows);
    }
    return difference.agreement(engine.spec().engine());
  }

  private static int[] steps(ExampleShape shape, int rows, Random random) {
    int[] steps = new int[rows];
    // DL4J can't undo the steps of a single example with a single step.
    Arrays.setAll(steps, row -> rows == 1 ? shape.rows() : 1 + random.nextInt(shape.rows()));
    return steps;
  }

  private static void clearBehind(int[] steps, ExampleShape shape, float[] features) {
    for (int row = 0; row < steps.length; row++) {
      int from = row * shape.features();
      Arrays.fill(features, from + steps[row] * shape.width(), from + shape.features(), 0f);
    }
  }

  @Override
  public void close() {
    pool.close();
  }
}
