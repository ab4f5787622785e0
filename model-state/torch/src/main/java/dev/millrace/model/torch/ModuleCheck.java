package dev.millrace.model.torch;

import dev.millrace.model.io.InvalidModelException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.bytedeco.pytorch.IValueOptional;
import org.bytedeco.pytorch.JitModule;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch.ScalarType;

/** Finds, in a module's tensors and parts, why it can't be trained. */
final class ModuleCheck {

  private static final String MOMENTUM = "momentum";

  private final JitModule module;
  private final String origin;

  private ModuleCheck(JitModule module, String origin) {
    this.module = module;
    this.origin = origin;
  }

  /**
   * @param origin names the module in messages
   * @throws InvalidModelException if it can't be trained
   */
  static void verify(JitModule module, String origin) {
    ModuleCheck check = new ModuleCheck(module, origin);
    check.modules();
    check.modes();
    check.parameters();
    check.types();
    check.ties();
    check.values();
  }

  private void modules() {
    ModuleTensors.modules(module)
        .forEach(
            (name, part) -> {
              require(
                  part.hasattr("training"),
                  ("its part '%s' doesn't say whether it trains; script it with torch.jit.script,"
                          + " and don't freeze it or optimize it for inference")
                      .formatted(name));
              require(
                  !(part.hasattr("num_batches_tracked") && lacksMomentum(part)),
                  ("its part '%s' has no momentum, so each replica would weigh its statistics by a"
                          + " count of its own; set momentum, such as 0.1")
                      .formatted(name));
            });
  }

  private void modes() {
    FixedModes.find(module)
        .ifPresent(
            operation ->
                require(
                    false,
                    ("the mode of its %s is a constant, so training and predicting would be the"
                            + " same; use torch.jit.script in place of torch.jit.trace, and pass"
                            + " self.training")
                        .formatted(operation)));
  }

  private static boolean lacksMomentum(JitModule part) {
    IValueOptional constant = part.type().findConstant(MOMENTUM);
    if (constant.has_value()) {
      return constant.get().isNone();
    }
    return part.hasattr(MOMENTUM) && part.attr(MOMENTUM).isNone();
  }

  private void parameters() {
    Map<String, Tensor> parameters = ModuleTensors.parameters(module);
    require(
        !parameters.isEmpty(),
        "it has no parameters, so there is nothing to train; save it as torch.jit.script gives it,"
            + " not frozen");
    require(
        parameters.values().stream().anyMatch(Tensor::requires_grad),
        "all its parameters are frozen, so there is nothing to train; set requires_grad of some");
  }

  private void types() {
    ModuleTensors.parameters(module)
        .forEach(
            (name, tensor) ->
                require(
                    tensor.scalar_type().intern() == ScalarType.Float,
                    "its parameter '%s' is of type %s; call float() before scripting it"
                        .formatted(name, type(tensor))));
    ModuleTensors.buffers(module)
        .forEach(
            (name, tensor) ->
                require(
                    tensor.scalar_type().intern() == ScalarType.Float
                        || !(tensor.is_floating_point() || tensor.is_complex()),
                    "its buffer '%s' is of type %s; call float() before scripting it"
                        .formatted(name, type(tensor))));
  }

  private static String type(Tensor tensor) {
    return tensor.dtype().name().getString();
  }

  /** The bytes that a tensor lies in. */
  private record Place(String name, long from, long to) {}

  private void ties() {
    List<Place> places = new ArrayList<>();
    ModuleTensors.all(module)
        .forEach(
            (name, tensor) -> {
              if (tensor.numel() > 0) {
                long from = tensor.data_ptr().address();
                places.add(new Place(name, from, from + tensor.numel() * tensor.element_size()));
              }
            });
    places.sort(Comparator.comparingLong(Place::from));
    for (int i = 1; i < places.size(); i++) {
      Place before = places.get(i - 1);
      Place place = places.get(i);
      require(
          place.from() >= before.to(),
          ("its '%s' and '%s' are tied, and each would be averaged apart; register the tensor once"
                  + " and use it twice in forward, or give each values of its own")
              .formatted(before.name(), place.name()));
    }
  }

  private void values() {
    ModuleTensors.all(module)
        .forEach(
            (name, tensor) ->
                require(
                    !tensor.is_floating_point() || tensor.isfinite().all().item_bool(),
                    ("its '%s' has values that are no finite numbers; save a model from before"
                            + " training failed, or make constants such as masks in forward")
                        .formatted(name)));
  }

  private void require(boolean condition, String reason) {
    if (!condition) {
      throw new InvalidModelException(origin + " can't be trained: " + reason);
    }
  }
}
