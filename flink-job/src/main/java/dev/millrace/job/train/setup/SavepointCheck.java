package dev.millrace.job.train.setup;

import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.common.Resumption;
import dev.millrace.job.options.ModelOptions;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.model.io.InvalidModelException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;

/** Compares the savepoint that a job is to go on from with the job, before it is submitted. */
public final class SavepointCheck {

  /** What the first start decides, with the state that has been kept since in its place. */
  private static final List<ConfigOption<?>> DECIDED =
      List.of(ModelOptions.SEED, ModelOptions.ARCHIVE);

  private SavepointCheck() {}

  /**
   * Compares.
   *
   * @return what a person should know of options that have no effect
   * @throws IOException if the savepoint can't be read
   * @throws InvalidModelException if it is of another model, naming the difference
   */
  public static List<String> require(Resumption resumption, CoordinatorSettings coordinator)
      throws IOException {
    return require(resumption, coordinator, "", false);
  }

  /**
   * Compares the savepoint with training that is part of a job.
   *
   * @param prefix of its operators' names
   * @param mayBeNew whether the job may have been without it
   */
  public static List<String> require(
      Resumption resumption, CoordinatorSettings coordinator, String prefix, boolean mayBeNew)
      throws IOException {
    SavedStates states = resumption.states();
    List<byte[]> saved =
        states.strings(TrainingOperators.COORDINATOR.of(prefix).uid(), CoordinatorState.NAME);
    if (saved.isEmpty() && mayBeNew) {
      return List.of();
    }
    if (saved.isEmpty()) {
      throw new InvalidModelException(
          "%s holds no model of Millrace; it is of another job".formatted(states.path()));
    }
    if (!coordinator.gathers() && states.has(TrainingOperators.GATHERER.of(prefix).uid())) {
      throw new InvalidModelException(
          ("%s is of a job with %s '%s', and contributions may wait in it that a job without"
                  + " would lose; continue with that option")
              .formatted(
                  states.path(),
                  ExchangeOptions.COMBINE.key(),
                  ExchangeOptions.FirstLevel.PROCESS));
    }
    Map<String, String> now = coordinator.start().model().lineage().configuration();
    try {
      CoordinatorState unused = CoordinatorState.restore(coordinator, saved.get(0));
      Map<String, String> before =
          CoordinatorState.read(saved.get(0)).model().lineage().configuration();
      List<String> told = new ArrayList<>(decided(before, now));
      told.addAll(frozen(before, now));
      return told;
    } catch (InvalidModelException e) {
      throw mayBeNew && grows(now) ? fromArchiveAlone(e) : e;
    } catch (RuntimeException e) {
      throw new IOException(
          "What the coordinator saved in %s can't be read: %s".formatted(states.path(), e), e);
    }
  }

  private static boolean grows(Map<String, String> given) {
    return Stream.of(ModelOptions.GROW, ModelOptions.REPLACE_OUTPUT)
        .anyMatch(option -> Boolean.parseBoolean(given.get(option.key())));
  }

  private static InvalidModelException fromArchiveAlone(InvalidModelException difference) {
    return new InvalidModelException(
        ("%s. %s and %s act on a savepoint in a job that Millrace makes as a whole alone; here start"
                + " without the savepoint, and with %s, from its last model")
            .formatted(
                difference.getMessage(),
                ModelOptions.GROW.key(),
                ModelOptions.REPLACE_OUTPUT.key(),
                ModelOptions.ARCHIVE.key()),
        difference);
  }

  private static List<String> frozen(Map<String, String> saved, Map<String, String> given) {
    String key = ModelOptions.FREEZE.key();
    String before = saved.getOrDefault(key, "");
    String now = given.getOrDefault(key, "");
    return before.equals(now)
        ? List.of()
        : List.of(
            "%s is '%s', and was '%s' in the savepoint; what is left out learns on from there"
                .formatted(key, now, before));
  }

  private static List<String> decided(Map<String, String> saved, Map<String, String> given) {
    return DECIDED.stream()
        .map(ConfigOption::key)
        .filter(given::containsKey)
        .filter(key -> !given.get(key).equals(saved.get(key)))
        .map(
            key ->
                ("%s is '%s', and doesn't change the parameters here: the savepoint has them, of a"
                        + " job with %s")
                    .formatted(
                        key,
                        given.get(key),
                        saved.containsKey(key) ? "'%s'".formatted(saved.get(key)) : "none given"))
        .toList();
  }
}
