package dev.millrace.job.options;

import dev.millrace.fields.FieldPath;
import dev.millrace.fields.SequenceFields;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.ExampleStructure.Input;
import dev.millrace.model.shape.ExampleStructure.Output;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;

/** How the features and labels of an example are arranged, where they are more than one array. */
public final class StructureOptions {

  /** What the labels of a sequence belong to. */
  public enum Labels {
    /** The sequence as a whole. */
    LAST,
    /** Each of its steps. */
    STEP;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final ConfigOption<Integer> SEQUENCE_STEPS =
      ConfigOptions.key("input.sequence.steps")
          .intType()
          .noDefaultValue()
          .withDescription("Most steps of a sequence. Absent: examples aren't sequences.");

  public static final ConfigOption<String> SEQUENCE_PATH =
      ConfigOptions.key("input.sequence.path")
          .stringType()
          .noDefaultValue()
          .withDescription("The field whose array holds a sequence's steps.");

  public static final ConfigOption<Labels> SEQUENCE_LABELS =
      ConfigOptions.key("input.sequence.labels")
          .enumType(Labels.class)
          .defaultValue(Labels.LAST)
          .withDescription("Whether a sequence has one label, or one for each step.");

  public static final ConfigOption<List<String>> GRAPH_INPUTS =
      ConfigOptions.key("input.graph.inputs")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("The graph's inputs, each with the number of its features.");

  public static final ConfigOption<List<String>> GRAPH_OUTPUTS =
      ConfigOptions.key("input.graph.outputs")
          .stringType()
          .asList()
          .noDefaultValue()
          .withDescription("The graph's outputs, each with the number of its labels.");

  private static final Pattern INPUT = Pattern.compile("([^:;,\\s]+):([1-9]\\d{0,8})");
  private static final Pattern OUTPUT =
      Pattern.compile(INPUT + "(?::(classification|multi-label|regression))?");

  public static final OptionGroup GROUP =
      new OptionGroup(
          "Structure",
          "Sequences, and networks with several inputs or outputs (engine `dl4j`).",
          List.of(
              Setting.of(SEQUENCE_STEPS, Range.atLeast(1)),
              Setting.of(
                  SEQUENCE_PATH,
                  Range.text("a path such as order.items", StructureOptions::isPath)),
              Setting.of(SEQUENCE_LABELS, Range.oneOf(Labels.class)),
              Setting.of(
                  GRAPH_INPUTS,
                  Range.listOf(Range.text("name:features", value -> matches(INPUT, value)))),
              Setting.of(
                  GRAPH_OUTPUTS,
                  Range.listOf(
                      Range.text(
                          "name:labels or name:labels:target", value -> matches(OUTPUT, value))))));

  private StructureOptions() {}

  /** The sequence of named fields; empty where examples are none. */
  static Optional<SequenceFields> sequence(Configuration options) {
    return options.contains(SEQUENCE_PATH) && options.contains(SEQUENCE_STEPS)
        ? Optional.of(
            new SequenceFields(
                FieldPath.of(options.get(SEQUENCE_PATH)),
                options.get(SEQUENCE_STEPS),
                options.get(SEQUENCE_LABELS) == Labels.STEP))
        : Optional.empty();
  }

  private static boolean isPath(String value) {
    try {
      return !FieldPath.of(value).steps().isEmpty();
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean matches(Pattern pattern, String value) {
    return pattern.matcher(value).matches();
  }

  /** The shape of plain examples of checked options. */
  static ExampleShape shape(Configuration options) {
    ExampleStructure structure = structure(options);
    Target target =
        structure.outputs().isEmpty()
            ? options.get(InputOptions.TARGET)
            : structure.outputs().get(0).target();
    return new ExampleShape(
        Math.multiplyExact(options.get(InputOptions.FEATURES), Math.max(1, structure.steps())),
        options.get(InputOptions.OUTPUTS),
        target,
        FeatureColumns.PLAIN,
        structure);
  }

  /** Returns what the options say of the arrangement. */
  public static ExampleStructure structure(Configuration options) {
    int steps = options.getOptional(SEQUENCE_STEPS).orElse(0);
    return new ExampleStructure(
        steps,
        steps > 0 && options.get(SEQUENCE_LABELS) == Labels.STEP,
        inputs(options),
        outputs(options));
  }

  private static List<Input> inputs(Configuration options) {
    List<Input> inputs = new ArrayList<>();
    int from = 0;
    for (String text : options.getOptional(GRAPH_INPUTS).orElse(List.of())) {
      Matcher matcher = INPUT.matcher(text);
      if (matcher.matches()) {
        int to = Math.addExact(from, Integer.parseInt(matcher.group(2)));
        inputs.add(new Input(matcher.group(1), new IndexRange(from, to)));
        from = to;
      }
    }
    return inputs;
  }

  private static List<Output> outputs(Configuration options) {
    List<Output> outputs = new ArrayList<>();
    int from = 0;
    for (String text : options.getOptional(GRAPH_OUTPUTS).orElse(List.of())) {
      Matcher matcher = OUTPUT.matcher(text);
      if (matcher.matches()) {
        int to = Math.addExact(from, Integer.parseInt(matcher.group(2)));
        outputs.add(
            new Output(matcher.group(1), new IndexRange(from, to), target(matcher, options)));
        from = to;
      }
    }
    return outputs;
  }

  private static Target target(Matcher matcher, Configuration options) {
    return Arrays.stream(Target.values())
        .filter(target -> target.toString().equals(matcher.group(3)))
        .findFirst()
        .orElseGet(() -> options.get(InputOptions.TARGET));
  }
}
