package dev.millrace.model.torch;

import dev.millrace.model.ArchivedModel;
import dev.millrace.model.InitialModel;
import dev.millrace.model.ModelDefinition;
import dev.millrace.model.ModelDefinition.Archive;
import dev.millrace.model.ModelDefinition.BuiltIn;
import dev.millrace.model.ModelDefinition.Configuration;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ScoreWeights;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.io.Reason;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.KeptFields;
import dev.millrace.model.shape.NumberColumns;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.JitModule;

/** Makes models from their definitions, each tried on a few examples before a job relies on it. */
final class InitialModels {

  private InitialModels() {}

  /**
   * @throws InvalidModelException if it can't be trained, naming the definition and the cause
   */
  @SuppressWarnings("try") // The resource is a scope.
  static InitialModel of(ModelDefinition definition) {
    try (PointerScope scope = new PointerScope()) {
      if (definition instanceof BuiltIn builtIn) {
        requireFlat(builtIn.shape(), builtIn.name().equals(TwoTowers.NAME));
        return of(builtIn);
      }
      if (definition instanceof Archive archive) {
        return of(archive);
      }
      throw new InvalidModelException(
          ("The engine torch takes no configuration file, such as %s; script the network in Python"
                  + " with torch.jit.script(model).save(file), and name that file as the archive")
              .formatted(((Configuration) definition).file()));
    }
  }

  /**
   * @param takesInputs whether the network knows which features are whose
   */
  private static void requireFlat(ExampleShape shape, boolean takesInputs) {
    ExampleStructure structure = shape.structure();
    if (structure.isSequence()) {
      throw new InvalidModelException(
          ("The engine torch takes no sequences, and examples are some of up to %s steps; take the"
                  + " engine dl4j, or give each example as one array of features")
              .formatted(structure.steps()));
    }
    boolean inputs = structure.inputs().size() > 1 && !takesInputs;
    if (inputs || structure.outputs().size() > 1) {
      throw new InvalidModelException(
          ("The engine torch takes networks with one input and one output, and examples are for the"
                  + " inputs %s and the outputs %s; take the engine dl4j, or name none")
              .formatted(
                  structure.inputs().stream().map(ExampleStructure.Input::name).toList(),
                  structure.outputs().stream().map(ExampleStructure.Output::name).toList()));
    }
  }

  private static InitialModel of(BuiltIn definition) {
    Training training = Training.of(definition.learning(), definition.shape().target());
    JitModule made = BuiltInModules.make(definition);
    List<TensorSlot> slots = ModuleSlots.of(made);
    float[] values = new float[slots.get(slots.size() - 1).to()];
    ModuleSlots.read(made, slots, values);
    weighScores(definition, slots, values);
    // As it is once it was saved, so that its archives have the same configuration.
    JitModule module = ModuleArchive.fromText(ModuleArchive.toText(made));
    ModuleSlots.write(values, slots, module);
    ModelSpec spec =
        spec(
            module,
            slots,
            training,
            definition.shape(),
            "The built-in network " + definition.name());
    return new InitialModel(spec, Arrays.copyOf(values, spec.vectorLength()), 0, null);
  }

  /** Behind the weights of the last layer are its biases. */
  private static void weighScores(BuiltIn definition, List<TensorSlot> slots, float[] values) {
    TensorSlot weights = slots.get(slots.size() - 2);
    ScoreWeights.set(definition, values, new IndexRange(weights.from(), values.length));
  }

  private static InitialModel of(Archive definition) {
    TorchArchive archive = read(definition.file());
    ExampleShape shape = definition.shape();
    ExampleShape known = archive.facts().shape();
    requireFlat(shape, known != null && known.structure().equals(shape.structure()));
    Training own = archive.facts().training();
    Training training =
        own == null
            ? Training.of(definition.learning(), shape.target())
            : own.with(definition.learning(), shape.target());
    String origin = "The network in the archive " + definition.file();
    checkFeatures(archive, shape, origin);
    ModelSpec spec = spec(archive.module(), archive.slots(), training, shape, origin);
    // Of another updater, or none: a new one's begins with zeros.
    boolean keep =
        own != null
            && own.updater() == training.updater()
            && archive.updaterState().length == spec.updaterState();
    float[] state = keep ? archive.updaterState() : new float[spec.updaterState()];
    return new InitialModel(
        spec,
        archive.vector(state),
        archive.facts().iteration(),
        archive.learnedOrNull(),
        archive.serverOptimizer());
  }

  private static ModelSpec spec(
      JitModule module,
      List<TensorSlot> slots,
      Training training,
      ExampleShape shape,
      String origin) {
    ModuleCheck.verify(module, origin);
    ModuleTrial.verify(module, shape, training.precision(), origin);
    return new TorchConfiguration(
            training, slots, ModuleSlots.types(module, slots), ModuleArchive.toText(module))
        .spec(shape);
  }

  private static void checkFeatures(TorchArchive archive, ExampleShape shape, String origin) {
    if (archive.featuresOrNull() != null) {
      archive.featuresOrNull().requireFor(shape, origin);
      return;
    }
    FeatureStatistics statistics = archive.statisticsOrNull();
    if (statistics == null) {
      return;
    }
    KeptFields.require("", shape.columns().description(), origin);
    if (statistics.features() != NumberColumns.count(shape)) {
      throw new InvalidModelException(
          ("%s standardizes %s features, and the examples have %s; set the number of features, or"
                  + " save the module alone with Python")
              .formatted(origin, statistics.features(), NumberColumns.count(shape)));
    }
  }

  /** Returns what an archive holds; its network may be of no use for training. */
  @SuppressWarnings("try") // The resource is a scope.
  static ArchivedModel archived(Path file) {
    try (PointerScope scope = new PointerScope()) {
      TorchArchive archive = read(file);
      try {
        return archive.model();
      } catch (IllegalArgumentException e) {
        throw unreadable(file, new IOException(e.getMessage(), e));
      }
    }
  }

  /**
   * @throws InvalidModelException if the archive can't be read, or doesn't tell
   */
  static ExampleShape shapeOf(Path file) {
    ModelFacts facts;
    try {
      facts = TorchArchive.facts(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    }
    if (facts.shape() == null) {
      throw new InvalidModelException(
          ("The archive %s doesn't say how many features and outputs its examples have; give the"
                  + " number of features, the number of outputs and the target of the input")
              .formatted(file));
    }
    return facts.shape();
  }

  /** Returns how many outputs the last layer of an archive's module gives. */
  @SuppressWarnings("try") // The resource is a scope.
  static int outputsOf(Path file) {
    try (PointerScope scope = new PointerScope()) {
      return Resizing.outputs(read(file).slots());
    }
  }

  private static TorchArchive read(Path file) {
    try {
      return TorchArchive.read(file);
    } catch (IOException e) {
      throw unreadable(file, e);
    } catch (RuntimeException e) {
      throw unreadable(file, new IOException(TorchMessage.of(e), e));
    }
  }

  private static InvalidModelException unreadable(Path file, IOException e) {
    return new InvalidModelException(
        "The model archive %s can't be read: %s; name a file that torch.jit.save or Millrace has written"
            .formatted(file, Reason.of(e)),
        e);
  }
}
