package dev.millrace.keras;

import org.deeplearning4j.nn.conf.dropout.Dropout;
import org.deeplearning4j.nn.conf.layers.Layer;

/**
 * DL4J's import gives every layer a dropout, which keeps all where Keras has none. That costs a
 * random number for each value, and fails in the backward pass of convolutions whose channels come
 * last, as Keras' do.
 */
final class IdleDropout {

  private static final double ALL = 1;

  private IdleDropout() {}

  static void remove(Layer layer) {
    if (layer.getIDropout() instanceof Dropout dropout
        && dropout.getP() == ALL
        && dropout.getPSchedule() == null) {
      layer.setIDropout(null);
    }
  }
}
