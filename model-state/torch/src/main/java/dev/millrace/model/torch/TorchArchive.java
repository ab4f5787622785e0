package dev.millrace.model.torch;

/** An archive in TorchScript's format. */
final class TorchArchive {

  /** Name of the engine. */
  static final String ENGINE = "torch";

  /** Of all its networks, see {@link dev.millrace.model.ModelSpec#kind()}. */
  static final String KIND = "torchscript";

  private TorchArchive() {}
}
