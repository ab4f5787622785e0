package dev.millrace.cli.console;

import dev.millrace.job.train.options.PresetOptions;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Joins options of the job, which a command doesn't know, with their values: {@code --key value}
 * becomes {@code --key=value}, or the value would be taken for a parameter of the command. Keys of
 * the job have a dot, all but the preset; options of commands have none.
 */
public final class JobOptionWords implements IParameterPreprocessor {

  private static final String OPTION = "--";
  private static final String PRESET = OPTION + PresetOptions.PRESET.key();

  @Override
  @SuppressWarnings("JdkObsolete") // The interface asks for a Stack.
  public boolean preprocess(
      Stack<String> words, CommandSpec command, ArgSpec argument, Map<String, Object> info) {
    Deque<String> joined = new ArrayDeque<>();
    while (!words.isEmpty()) {
      String word = words.pop();
      boolean hasValue = !words.isEmpty() && !words.peek().startsWith(OPTION);
      joined.push(isJobOption(word) && hasValue ? word + "=" + words.pop() : word);
    }
    joined.forEach(words::push);
    return false;
  }

  private static boolean isJobOption(String word) {
    return word.startsWith(OPTION)
        && (word.indexOf('.') >= 0 || word.equals(PRESET))
        && word.indexOf('=') < 0;
  }
}
