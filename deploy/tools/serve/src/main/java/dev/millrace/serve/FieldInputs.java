package dev.millrace.serve;

import dev.millrace.example.Example;
import dev.millrace.example.InvalidExampleException;
import dev.millrace.fields.BooleanField;
import dev.millrace.fields.FeatureField;
import dev.millrace.fields.FieldValues;
import dev.millrace.fields.FieldValues.Kind;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.NumberField;
import dev.millrace.fields.RecordFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.serve.Signature.InputTensor;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes examples of tensors of which each has a field's values, one a row. What is made of a value
 * is what a job makes of it.
 *
 * <p>Not thread-safe.
 */
final class FieldInputs {

  private final FieldsDescription description;
  private final ExampleShape shape;
  private final RecordFeatures features;
  private final FieldValues values;
  private final Example example;
  private final List<String> paths;

  FieldInputs(ExampleShape shape) {
    this.description = FieldsDescription.ofCanonical(shape.columns().description());
    this.shape = shape;
    this.features = RecordFeatures.of(description, shape);
    this.values = features.values();
    this.example = new Example(shape);
    this.paths = features.plan().fields().stream().map(Object::toString).toList();
  }

  /** Whether a row of fields alone says all that a model takes. */
  static boolean areEnough(ExampleShape shape) {
    return !shape.columns().isPlain() && !shape.structure().isSequence() && shape.labelLags() == 0;
  }

  /**
   * Returns an input for each path that the description names first, with the type that fits best.
   */
  List<InputTensor> inputs() {
    Map<String, Datatype> types = new LinkedHashMap<>();
    for (FeatureField field : description.features()) {
      types.merge(field.source().path().toString(), type(field), FieldInputs::common);
    }
    return types.entrySet().stream()
        .map(input -> new InputTensor(input.getKey(), input.getValue(), new int[] {Signature.ANY}))
        .toList();
  }

  /** Returns how many tensors a request may have. */
  int most() {
    return paths.size();
  }

  private static Datatype type(FeatureField field) {
    if (field instanceof NumberField) {
      return Datatype.FP64;
    }
    return field instanceof BooleanField ? Datatype.BOOL : Datatype.BYTES;
  }

  /** A value that is a number somewhere is one. */
  private static Datatype common(Datatype one, Datatype other) {
    if (one == Datatype.FP64 || other == Datatype.FP64) {
      return Datatype.FP64;
    }
    return one == other ? one : Datatype.BYTES;
  }

  /**
   * Reads a request.
   *
   * @param missing the text that stands for a missing value
   * @throws RefusedRequestException if the tensors don't fit each other or the description
   */
  InferRequest read(
      String idOrNull,
      List<Tensor> tensors,
      Optional<String> missing,
      List<WantedOutput> outputs,
      int maxRows)
      throws RefusedRequestException {
    int rows = rows(tensors, maxRows);
    int[] fields = new int[tensors.size()];
    for (int i = 0; i < fields.length; i++) {
      Tensor tensor = tensors.get(i);
      fields[i] = paths.indexOf(tensor.name());
      if (fields[i] < 0) {
        throw RefusedRequestException.bad(
            "%s.name is \"%s\"; the model takes the fields %s"
                .formatted(
                    tensor.where(), Tokens.shorten(tensor.name()), String.join(", ", paths)));
      }
      tensor.data().require(tensor.shape(), tensor.type(), true);
    }
    ExampleRows read = new ExampleRows(shape, rows);
    for (int row = 0; row < rows; row++) {
      values.clear();
      for (int i = 0; i < fields.length; i++) {
        tensors.get(i).data().put(row, values, fields[i]);
        if (missing.isPresent()
            && values.kind(fields[i]) == Kind.TEXT
            && values.textAt(fields[i]).equals(missing.get())) {
          values.setMissing(fields[i]);
        }
      }
      read.add(example(row));
    }
    return read.request(idOrNull, outputs);
  }

  private Example example(int row) throws RefusedRequestException {
    example.reset();
    try {
      features.read(values, example);
    } catch (InvalidExampleException e) {
      throw RefusedRequestException.bad(
          "Row %s can't be an example: %s".formatted(row, e.getMessage()));
    }
    return example;
  }

  private int rows(List<Tensor> tensors, int maxRows) throws RefusedRequestException {
    if (tensors.isEmpty()) {
      throw RefusedRequestException.bad(
          "inputs has no tensor; the model takes one for each of the fields %s"
              .formatted(String.join(", ", paths)));
    }
    int rows = tensors.get(0).shape().length == 0 ? 0 : tensors.get(0).shape()[0];
    for (Tensor tensor : tensors) {
      int[] shape = tensor.shape();
      boolean fits =
          rows > 0
              && (shape.length == 1 || (shape.length == 2 && shape[1] == 1))
              && shape[0] == rows;
      if (!fits) {
        throw RefusedRequestException.bad(
            "%s.shape is %s; each field has the shape [rows] or [rows, 1], with as many rows as %s, at least one"
                .formatted(tensor.where(), Arrays.toString(shape), tensors.get(0).where()));
      }
    }
    if (rows > maxRows) {
      throw new RefusedRequestException(
          413,
          "%s.shape has %s rows; this server takes %s at once: send them in several requests"
              .formatted(tensors.get(0).where(), rows, maxRows));
    }
    return rows;
  }
}
