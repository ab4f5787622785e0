package dev.millrace.model.testing;

import dev.millrace.model.InitialModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.Partition;
import dev.millrace.model.Steps;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.device.DeviceRequest.Kind;
import dev.millrace.model.device.DeviceRequest.Use;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import java.util.List;
import java.util.Random;

/** Replicas of any engine, and examples for them. */
public final class Replicas {

  static final Partition PARTITION = new Partition("examples", 0);

  /** On any device, and the same bits on each. */
  private static final DeviceRequest DEVICE =
      new DeviceRequest(List.of(), Use.SHARED, Kind.AUTO, true);

  private Replicas() {}

  /** Built on the calling thread, as the model begins. */
  public static ModelReplica of(ModelEngine engine, InitialModel model) {
    ModelReplica replica = engine.build(model.spec(), DEVICE);
    replica.write(0, model.vector(), 0, model.vector().length);
    replica.setSteps(Steps.of(model.iteration()));
    return replica;
  }

  /** All of its flat vector. */
  public static float[] vector(ModelReplica replica) {
    float[] vector = new float[replica.spec().vectorLength()];
    replica.read(0, vector, 0, vector.length);
    return vector;
  }

  /** Predictions for the rows of a minibatch. */
  public static float[] predict(ModelReplica replica, Minibatch minibatch) {
    float[] predictions = room(minibatch);
    replica.predict(minibatch.features(), minibatch.size(), predictions);
    return predictions;
  }

  /** One step; what was predicted before it. */
  public static float[] fit(ModelReplica replica, Minibatch minibatch) {
    float[] predictions = room(minibatch);
    replica.fit(minibatch, predictions);
    return predictions;
  }

  private static float[] room(Minibatch minibatch) {
    return new float[minibatch.size() * minibatch.shape().outputs()];
  }

  /** Random examples of weight 1. */
  public static Minibatch examples(ExampleShape shape, int rows, Random random) {
    Minibatch minibatch = new Minibatch(shape, rows);
    for (int row = 0; row < rows; row++) {
      minibatch.add(features(shape, random), labels(shape, random), 1, PARTITION, row);
    }
    return minibatch;
  }

  /** Examples of one feature. */
  public static Minibatch ofOneFeature(ExampleShape shape, float... values) {
    Minibatch minibatch = new Minibatch(shape, values.length);
    for (int row = 0; row < values.length; row++) {
      float[] labels = new float[shape.outputs()];
      labels[0] = 1;
      minibatch.add(new float[] {values[row]}, labels, 1, PARTITION, row);
    }
    return minibatch;
  }

  private static float[] features(ExampleShape shape, Random random) {
    float[] features = new float[shape.features()];
    for (int i = 0; i < features.length; i++) {
      features[i] = (float) random.nextGaussian();
    }
    return features;
  }

  private static float[] labels(ExampleShape shape, Random random) {
    float[] labels = new float[shape.outputs()];
    if (shape.target() == Target.CLASSIFICATION) {
      labels[random.nextInt(labels.length)] = 1;
      return labels;
    }
    for (int i = 0; i < labels.length; i++) {
      labels[i] = random.nextInt(2);
    }
    return labels;
  }
}
