package dev.millrace.exchange.forgetting;

import dev.millrace.exchange.ForwardingModel;
import dev.millrace.model.Minibatch;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;

/** Parameters whose gradients a test chooses. */
final class Quadratic extends ForwardingModel {

  private final ModelSpec spec;
  private float[] gradient;

  /**
   * @param statistics those of the parameters that are no weights
   */
  Quadratic(int parameters, IndexRange... statistics) {
    super(
        ModelEngine.named(SummingEngine.NAME)
            .build(SummingEngine.spec(parameters), DeviceRequest.any()));
    gradient = new float[parameters];
    ModelSpec plain = super.spec();
    spec =
        new ModelSpec(
            plain.engine(),
            plain.kind(),
            plain.configuration(),
            plain.shape(),
            parameters,
            plain.updaterState(),
            plain.nonNegative(),
            List.of(statistics));
  }

  @Override
  public ModelSpec spec() {
    return spec;
  }

  void gradientIs(float... chosen) {
    gradient = chosen.clone();
  }

  void set(float... values) {
    write(0, values, 0, values.length);
  }

  float[] values() {
    float[] values = new float[spec().parameters()];
    read(0, values, 0, values.length);
    return values;
  }

  /** One step down half the square of the distance to a target. */
  void descendTo(double rate, float... target) {
    float[] values = values();
    for (int i = 0; i < values.length; i++) {
      values[i] -= (float) (rate * (values[i] - target[i]));
    }
    set(values);
  }

  @Override
  public void gradient(Minibatch minibatch, float[] target) {
    System.arraycopy(gradient, 0, target, 0, gradient.length);
  }
}
