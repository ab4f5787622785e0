package dev.millrace.serve;

import java.util.List;

/**
 * What a model takes and gives.
 *
 * @param version the one that is served
 */
public record ModelDescription(
    String name, String version, String platform, List<Slot> inputs, List<Slot> outputs) {

  /**
   * Describes a tensor.
   *
   * @param datatype by the protocol's name
   * @param shape with -1 where a length is free
   */
  public record Slot(String name, String datatype, int[] shape) {}

  static ModelDescription of(String name, String version, String engine, Signature signature) {
    return new ModelDescription(
        name,
        version,
        "millrace_" + engine,
        signature.inputs().stream()
            .map(input -> new Slot(input.name(), input.type().name(), input.shape()))
            .toList(),
        signature.outputs().stream()
            .map(
                output ->
                    new Slot(
                        output.name(),
                        output.type().name(),
                        Signature.shapeOf(signature.shape(), output, Signature.ANY, Signature.ANY)))
            .toList());
  }
}
