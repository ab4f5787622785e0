package dev.millrace.serve;

import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a model takes and gives, as tensors. Names and shapes are those of a model that was exported
 * as ONNX; classes come in addition.
 *
 * @param shape of the examples
 * @param outputs in their order
 */
record Signature(ExampleShape shape, List<OutputTensor> outputs) {

  /** Stands for any number of rows, or of steps. */
  static final int ANY = -1;

  static final String FEATURES = "features";
  static final String WORDS = "words";
  static final String CLASS = "class";
  static final String CLASS_NAME = "class_name";

  /** What an output tensor is made of. */
  enum Content {
    /** The numbers of a range of the model's outputs. */
    NUMBERS,
    /** The number of the most probable class. */
    CLASS,
    /** Its name. */
    CLASS_NAME
  }

  /**
   * An output.
   *
   * @param range of the model's outputs that it is made of
   */
  record OutputTensor(String name, Content content, IndexRange range) {

    Datatype type() {
      return switch (content) {
        case NUMBERS -> Datatype.FP32;
        case CLASS -> Datatype.INT64;
        case CLASS_NAME -> Datatype.BYTES;
      };
    }
  }

  /**
   * Describes the tensors of a model.
   *
   * @param named whether its classes have names
   */
  static Signature of(ExampleShape shape, boolean named) {
    List<OutputTensor> outputs = new ArrayList<>();
    for (Output output : shape.structure().outputs()) {
      outputs.add(new OutputTensor(output.name(), Content.NUMBERS, output.labels()));
    }
    if (outputs.isEmpty()) {
      IndexRange all = new IndexRange(0, shape.outputs());
      boolean regression = shape.target() == Target.REGRESSION;
      outputs.add(new OutputTensor(regression ? "values" : "probabilities", Content.NUMBERS, all));
      if (shape.target() == Target.CLASSIFICATION) {
        outputs.add(new OutputTensor(CLASS, Content.CLASS, all));
        if (named) {
          outputs.add(new OutputTensor(CLASS_NAME, Content.CLASS_NAME, all));
        }
      }
    }
    return new Signature(shape, List.copyOf(outputs));
  }

  static Signature of(ServedModel model) {
    return of(model.spec().shape(), !model.classes().isEmpty());
  }

  Optional<OutputTensor> output(String name) {
    return outputs.stream().filter(output -> output.name().equals(name)).findFirst();
  }

  List<String> outputNames() {
    return outputs.stream().map(OutputTensor::name).toList();
  }

  boolean takesWords() {
    return shape.words() > 0;
  }

  /** Returns the shape of the input {@value #FEATURES}; {@link #ANY} where a length is free. */
  int[] featuresShape() {
    return inputShape(shape.width());
  }

  /** Returns the shape of the input {@value #WORDS}. */
  int[] wordsShape() {
    return inputShape(shape.columns().words().size());
  }

  private int[] inputShape(int width) {
    return shape.structure().isSequence() ? new int[] {ANY, ANY, width} : new int[] {ANY, width};
  }

  /**
   * Returns the shape of an output.
   *
   * @param rows or {@link #ANY}
   * @param steps of sequences, or {@link #ANY}; else not looked at
   */
  int[] shapeOf(OutputTensor output, int rows, int steps) {
    int[] outer = shape.structure().labelPerStep() ? new int[] {rows, steps} : new int[] {rows};
    if (output.content() != Content.NUMBERS) {
      return outer;
    }
    int[] all = Arrays.copyOf(outer, outer.length + 1);
    all[outer.length] = output.range().length();
    return all;
  }
}
