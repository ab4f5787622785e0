package dev.millrace.model.torch;

import java.util.LinkedHashMap;
import java.util.Map;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.NamedJitModule;
import org.bytedeco.pytorch.NamedTensor;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.named_buffer_iterator;
import org.bytedeco.pytorch.named_buffer_list;
import org.bytedeco.pytorch.named_module_iterator;
import org.bytedeco.pytorch.named_module_list;
import org.bytedeco.pytorch.named_parameter_iterator;
import org.bytedeco.pytorch.named_parameter_list;

/**
 * The tensors and parts of a module by name, depth first and as registered: an order that stays
 * over saving, loading and copying. What is returned belongs to the caller's {@code PointerScope}.
 */
final class ModuleTensors {

  private ModuleTensors() {}

  /** Trainable and frozen ones; tied ones are there under each of their names. */
  static Map<String, Tensor> parameters(JitModule module) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    named_parameter_list list = module.named_parameters(true);
    for (named_parameter_iterator at = list.begin(), end = list.end();
        at.notEquals(end);
        at.increment()) {
      NamedTensor named = at.multiply();
      tensors.put(named.name().getString(), new Tensor(named.value()));
    }
    return tensors;
  }

  static Map<String, Tensor> buffers(JitModule module) {
    Map<String, Tensor> tensors = new LinkedHashMap<>();
    named_buffer_list list = module.named_buffers(true);
    for (named_buffer_iterator at = list.begin(), end = list.end();
        at.notEquals(end);
        at.increment()) {
      NamedTensor named = at.multiply();
      tensors.put(named.name().getString(), new Tensor(named.value()));
    }
    return tensors;
  }

  /** The module itself, whose name is empty, and its parts; those within parts behind them. */
  static Map<String, JitModule> modules(JitModule module) {
    Map<String, JitModule> modules = new LinkedHashMap<>();
    named_module_list list = module.named_modules();
    for (named_module_iterator at = list.begin(), end = list.end();
        at.notEquals(end);
        at.increment()) {
      NamedJitModule named = at.multiply();
      // JavaCPP has null for an empty text.
      modules.put(
          named.name() == null ? "" : named.name().getString(), new JitModule(named.value()));
    }
    return modules;
  }

  /** Parameters, then buffers. */
  static Map<String, Tensor> all(JitModule module) {
    Map<String, Tensor> tensors = parameters(module);
    tensors.putAll(buffers(module));
    return tensors;
  }
}
