package dev.millrace.job.options;

import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.Target;
import java.util.HashSet;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * What the options of sequences, and of graphs with several inputs or outputs, must say together.
 */
final class StructureRules {

  /** More would hardly be a network. */
  private static final int MOST_PARTS = 64;

  private final Configuration options;
  private final OptionRules rules;
  private final ExampleStructure structure;

  private StructureRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
    this.structure = StructureOptions.structure(options);
  }

  static void check(OptionRules rules) {
    StructureRules structure = new StructureRules(rules);
    structure.checkSequences();
    structure.checkInputs();
    structure.checkOutputs();
  }

  private void checkSequences() {
    int steps = structure.steps();
    if (steps == 0 && rules.has(StructureOptions.SEQUENCE_LABELS)) {
      rules.broken(
          "input.sequence.labels is '%s', and examples are no sequences; give input.sequence.steps, or"
                  .formatted(options.get(StructureOptions.SEQUENCE_LABELS))
              + " leave it out");
    }
    if (steps == 0) {
      return;
    }
    if (options.get(InputOptions.FORMAT).equals("csv")) {
      rules.broken(
          "input.format is 'csv' and input.sequence.steps is '%s'; a line holds no sequence: take json,"
                  .formatted(steps)
              + " float32 or uint8");
    }
    if (tooLong(InputOptions.FEATURES) || tooLong(InputOptions.OUTPUTS)) {
      rules.broken(
          "input.sequence.steps is '%s', and an example would have more than 2^31 values; have fewer"
                  .formatted(steps)
              + " steps");
    }
  }

  private boolean tooLong(ConfigOption<Integer> ofStep) {
    return rules.has(ofStep)
        && (long) structure.steps() * options.get(ofStep) > Integer.MAX_VALUE - 8;
  }

  private void checkInputs() {
    List<Input> inputs = structure.inputs();
    check(
        StructureOptions.GRAPH_INPUTS,
        inputs.stream().map(Input::name).toList(),
        inputs.stream().mapToInt(input -> input.features().length()).sum(),
        InputOptions.FEATURES);
  }

  private void checkOutputs() {
    List<Output> outputs = structure.outputs();
    if (outputs.isEmpty()) {
      return;
    }
    check(
        StructureOptions.GRAPH_OUTPUTS,
        outputs.stream().map(Output::name).toList(),
        outputs.stream().mapToInt(output -> output.labels().length()).sum(),
        InputOptions.OUTPUTS);
    for (Output output : outputs) {
      if (output.target() == Target.CLASSIFICATION && output.labels().length() < 2) {
        rules.broken(
            "input.graph.outputs gives '%s' one label; classification needs at least 2 classes"
                .formatted(output.name()));
      }
    }
    Target first = outputs.get(0).target();
    if (rules.has(InputOptions.TARGET) && options.get(InputOptions.TARGET) != first) {
      rules.broken(
          "input.target is '%s', and the first of input.graph.outputs has the target '%s'; leave"
                  .formatted(options.get(InputOptions.TARGET), first)
              + " input.target out");
    }
    if (rules.has(InputOptions.CLASSES)) {
      rules.broken(
          "input.classes names classes of one output, and input.graph.outputs has %s; give classes"
                  .formatted(outputs.size())
              + " by their numbers");
    }
  }

  private void check(
      ConfigOption<List<String>> option, List<String> names, int sum, ConfigOption<Integer> whole) {
    if (names.isEmpty()) {
      return;
    }
    if (names.size() > MOST_PARTS) {
      rules.broken(
          "%s has %s names; at most %s go".formatted(option.key(), names.size(), MOST_PARTS));
    }
    if (new HashSet<>(names).size() < names.size()) {
      rules.broken("%s has a name twice: %s".formatted(option.key(), String.join(";", names)));
    }
    if (rules.has(whole) && options.get(whole) != sum) {
      rules.broken(
          "%s has %s values together and %s is '%s'; they must agree"
              .formatted(option.key(), sum, whole.key(), options.get(whole)));
    }
  }
}
