package dev.millrace.job.options;

import dev.millrace.example.ExampleFormat;
import dev.millrace.fields.Envelope;
import dev.millrace.fields.FieldsDescription;
import dev.millrace.fields.RecordFormats;
import dev.millrace.model.shape.Target;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/** What the options of examples and of rejected records must say together, in every job. */
public final class InputRules {

  private final Configuration options;
  private final OptionRules rules;

  private InputRules(OptionRules rules) {
    this.options = rules.options();
    this.rules = rules;
  }

  public static void check(OptionRules rules) {
    rules.require(KafkaOptions.GROUP, KafkaOptions.BOOTSTRAP_SERVERS);
    InputRules input = new InputRules(rules);
    input.checkExamples();
    OutputOptions.check(rules);
  }

  /** Checks the options of examples where a program or a query gives these. */
  public static void checkMapped(OptionRules rules) {
    new InputRules(rules).checkExamples();
  }

  /** Checks the options of where rejected records go, whoever gives the examples. */
  public static void checkDeadLetters(OptionRules rules) {
    if (rules.has(DeadLetterOptions.TOPIC)) {
      rules.require(KafkaOptions.GROUP, KafkaOptions.BOOTSTRAP_SERVERS);
    }
    OutputOptions.check(rules);
  }

  /**
   * Checks where a job begins to read, and whether it ends.
   *
   * @param start says where
   */
  public static void checkOffsets(OptionRules rules, ConfigOption<String> start) {
    String offsets = rules.options().get(start);
    if (offsets.equals(InputOptions.GROUP_OFFSETS)) {
      rules.requireConsumerGroup("%s is 'group-offsets'".formatted(start.key()));
    }
    if (rules.options().get(InputOptions.BOUNDED) && offsets.equals("latest")) {
      rules.broken(
          ("%s is 'latest' and input.bounded is true: no record lies between; start at earliest, or"
                  + " don't bound the input")
              .formatted(start.key()));
    }
  }

  private void checkExamples() {
    if (InputFields.areGiven(options)) {
      checkFields();
    } else if (!ExampleFormat.names().contains(options.get(InputOptions.FORMAT))) {
      rules.broken(
          ("input.format is '%s', which holds named fields; describe them by input.fields, which"
                  + " 'millrace init --topic T' writes")
              .formatted(options.get(InputOptions.FORMAT)));
    } else {
      rules.require(InputOptions.GROUP, InputOptions.FEATURES, ": how many numbers an example has");
      rules.require(
          InputOptions.GROUP,
          InputOptions.OUTPUTS,
          ": the number of classes, or of the values to predict");
    }
    checkClasses();
    StructureRules.check(rules);
    LagOptions.check(rules);
  }

  private void checkFields() {
    String format = options.get(InputOptions.FORMAT);
    if (!RecordFormats.names().contains(format)) {
      rules.broken(
          "input.format is '%s', which holds no named fields; with input.fields it must be one of %s"
              .formatted(format, String.join(", ", RecordFormats.names())));
      return;
    }
    if (rules.has(StructureOptions.SEQUENCE_PATH) && !rules.has(StructureOptions.SEQUENCE_STEPS)) {
      rules.broken("input.sequence.path is set, and input.sequence.steps is missing; give both");
    }
    if (rules.has(StructureOptions.SEQUENCE_STEPS) && !rules.has(StructureOptions.SEQUENCE_PATH)) {
      rules.broken(
          "input.sequence.steps is set, and input.sequence.path is missing: with input.fields it"
              + " names the array of steps");
    }
    if (options.get(InputOptions.ENVELOPE) != Envelope.NONE && format.equals("csv")) {
      rules.broken(
          "input.envelope is '%s', and a line of csv has none; leave it out"
              .formatted(options.get(InputOptions.ENVELOPE)));
      return;
    }
    int before = rules.problems().size();
    RecordSchemaOptions.check(rules);
    boolean hasSchema = rules.problems().size() == before;
    try {
      checkNumbers(InputFields.description(options).orElseThrow());
      if (hasShape(options) && hasSchema) {
        InputOptions.unlabelledFormat(options, InputOptions.shape(options));
      }
    } catch (InvalidOptionsException e) {
      e.problems().forEach(rules::broken);
    }
  }

  private void checkNumbers(FieldsDescription fields) {
    int features = fields.width();
    if (rules.has(InputOptions.FEATURES) && options.get(InputOptions.FEATURES) != features) {
      rules.broken(
          "input.features is '%s', and input.fields become %s; they must agree, or leave it out"
              .formatted(options.get(InputOptions.FEATURES), features));
    }
    OptionalInt outputs = InputFields.outputs(fields, options);
    if (!rules.has(InputOptions.OUTPUTS)) {
      rules.broken(
          "input.outputs is missing, and neither the rule of a label nor input.classes gives it; set"
              + " the number of classes, or name them");
    } else if (outputs.isPresent() && outputs.getAsInt() != options.get(InputOptions.OUTPUTS)) {
      rules.broken(
          ("input.outputs is '%s', and the labels in input.fields have %s; they must agree, or leave it"
                  + " out")
              .formatted(options.get(InputOptions.OUTPUTS), outputs.getAsInt()));
    }
  }

  private static boolean hasShape(Configuration options) {
    return options.contains(InputOptions.OUTPUTS)
        && (options.get(InputOptions.TARGET) != Target.CLASSIFICATION
            || options.get(InputOptions.OUTPUTS) >= 2);
  }

  /** Checks that fields have the labels that training needs. */
  public static void checkLabels(OptionRules rules) {
    Configuration options = rules.options();
    if (!InputFields.areGiven(options) || !rules.problems().isEmpty()) {
      return;
    }
    try {
      if (hasShape(options)) {
        InputOptions.exampleFormat(options, InputOptions.shape(options));
      }
    } catch (InvalidOptionsException e) {
      e.problems().forEach(rules::broken);
    }
  }

  private void checkClasses() {
    if (!rules.has(InputOptions.OUTPUTS)) {
      return;
    }
    int outputs = options.get(InputOptions.OUTPUTS);
    boolean classification =
        options.get(InputOptions.TARGET) == Target.CLASSIFICATION
            && !rules.has(StructureOptions.GRAPH_OUTPUTS);
    if (classification && outputs < 2) {
      rules.broken(
          "input.outputs is '%s'; classification needs at least 2 classes".formatted(outputs));
    }
    List<String> classes = InputOptions.classes(options);
    if (rules.has(StructureOptions.GRAPH_OUTPUTS)) {
      return;
    }
    if (!classes.isEmpty() && !classification) {
      rules.broken("input.classes names classes; input.target must be classification then");
    } else if (!classes.isEmpty() && classes.size() != outputs) {
      rules.broken(
          "input.classes names %s classes and input.outputs is '%s'; they must agree"
              .formatted(classes.size(), outputs));
    }
    if (new HashSet<>(classes).size() < classes.size()) {
      rules.broken("input.classes names a class twice: " + String.join(";", classes));
    }
  }
}
