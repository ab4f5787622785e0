package dev.millrace.model.dl4j;

import org.deeplearning4j.nn.conf.ComputationGraphConfiguration;
import org.deeplearning4j.nn.conf.MultiLayerConfiguration;

/** DL4J's two kinds of network, by the names of their classes. */
enum NetworkKind {
  LAYERED("MultiLayerNetwork") {
    @Override
    Network parse(String json) {
      return new LayeredNetwork(MultiLayerConfiguration.fromJson(json));
    }
  },
  GRAPH("ComputationGraph") {
    @Override
    Network parse(String json) {
      return new GraphNetwork(ComputationGraphConfiguration.fromJson(json));
    }
  };

  private final String className;

  NetworkKind(String className) {
    this.className = className;
  }

  String className() {
    return className;
  }

  /** A network of this kind, not initialized; DL4J throws what it likes if the text is wrong. */
  abstract Network parse(String json);

  static NetworkKind named(String className) {
    for (NetworkKind kind : values()) {
      if (kind.className.equals(className)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("DL4J has no kind of network called " + className);
  }
}
