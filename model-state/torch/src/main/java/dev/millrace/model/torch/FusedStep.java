package dev.millrace.model.torch;

import org.bytedeco.pytorch.CompilationUnit;
import org.bytedeco.pytorch.Function;
import org.bytedeco.pytorch.IValue;
import org.bytedeco.pytorch.IValueVector;
import org.bytedeco.pytorch.QualifiedName;
import org.bytedeco.pytorch.global.torch;

/**
 * An updater's step as one operation of libtorch's, which reads and writes each value once: what
 * PyTorch's optimizers do with {@code fused=True}. libtorch has them for scripts alone, so this is
 * one.
 */
final class FusedStep implements AutoCloseable {

  private static final String NAME = "step";

  private final Natives natives = new Natives();
  private final Function function;

  /**
   * @param script parameters and body of a function in TorchScript. It returns the lists that it
   *     changes: what changes nothing that is returned is left out of a script
   */
  FusedStep(String script) {
    CompilationUnit unit = natives.keep(torch.compile("def " + NAME + script));
    this.function = natives.keep(unit.get_function(new QualifiedName(NAME)));
  }

  /** Changes the tensors among the arguments; as many as the script has parameters. */
  void run(IValue... arguments) {
    function.apply(new IValueVector(arguments));
  }

  @Override
  public void close() {
    natives.close();
  }
}
