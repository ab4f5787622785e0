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
 * @param inputs in their order: one for each named field, or the features of all
 * @param outputs in their order
 */
record Signature(ExampleShape shape, List<InputTensor> inputs, List<OutputTensor> outputs) {

  /** Stands for any number of rows, or of steps. */
  static final int ANY = -1;

  static final String FEATURES = "features";
  static final String WORDS = "words";
  static final String CLASS = "class";
  static final String CLASS_NAME = "class_name";

  /**
   * An input.
   *
   * @param shape with {@link #ANY} where a length is free
   */
  record InputTensor(String name, Datatype type, int[] shape) {}

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
    return new Signature(shape, inputs(shape), List.copyOf(outputs));
  }

  private static List<InputTensor> inputs(ExampleShape shape) {
    if (FieldInputs.areEnough(shape)) {
      return new FieldInputs(shape).inputs();
    }
    List<InputTensor> inputs = new ArrayList<>();
    inputs.add(new InputTensor(FEATURES, Datatype.FP32, inputShape(shape, shape.width())));
    if (shape.words() > 0) {
      int words = shape.columns().words().size();
      inputs.add(new InputTensor(WORDS, Datatype.BYTES, inputShape(shape, words)));
    }
    return List.copyOf(inputs);
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

  private static int[] inputShape(ExampleShape shape, int width) {
    return shape.structure().isSequence() ? new int[] {ANY, ANY, width} : new int[] {ANY, width};
  }

  /**
   * Returns the shape of an output of a model.
   *
   * @param shape of its examples
   * @param rows or {@link #ANY}
   * @param steps of sequences, or {@link #ANY}; else not looked at
   */
  static int[] shapeOf(ExampleShape shape, OutputTensor output, int rows, int steps) {
    int[] outer = shape.structure().labelPerStep() ? new int[] {rows, steps} : new int[] {rows};
    if (output.content() != Content.NUMBERS) {
      return outer;
    }
    int[] all = Arrays.copyOf(outer, outer.length + 1);
    all[outer.length] = output.range().length();
    return all;
  }
}
