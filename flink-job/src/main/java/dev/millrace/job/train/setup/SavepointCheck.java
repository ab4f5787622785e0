package dev.millrace.job.train.setup;

import dev.millrace.exchange.flink.coordinator.CoordinatorSettings;
import dev.millrace.exchange.flink.coordinator.CoordinatorState;
import dev.millrace.exchange.savepoint.SavedStates;
import dev.millrace.job.train.TrainingOperators;
import dev.millrace.job.train.options.ExchangeOptions;
import dev.millrace.model.InvalidModelException;
import java.io.IOException;
import java.util.List;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.configuration.StateRecoveryOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compares the savepoint that a job is to go on from with the job, before it is submitted. */
public final class SavepointCheck {

  private static final Logger LOG = LoggerFactory.getLogger(SavepointCheck.class);

  private SavepointCheck() {}

  /**
   * Looks at it where it can be read from here; otherwise the job itself does, when it starts.
   *
   * @throws InvalidModelException if it is of another model, naming the difference
   */
  public static void require(ReadableConfig flink, CoordinatorSettings coordinator) {
    require(flink, coordinator, "", false);
  }

  /**
   * The same for training that is part of a job.
   *
   * @param prefix of its operators' names
   * @param mayBeNew whether the job may have been without it
   */
  public static void require(
      ReadableConfig flink, CoordinatorSettings coordinator, String prefix, boolean mayBeNew) {
    String savepoint = flink.get(StateRecoveryOptions.SAVEPOINT_PATH);
    if (savepoint == null) {
      return;
    }
    try {
      SavedStates states = SavedStates.open(savepoint);
      List<byte[]> saved =
          states.strings(TrainingOperators.COORDINATOR.of(prefix).uid(), CoordinatorState.NAME);
      if (saved.isEmpty() && mayBeNew) {
        return;
      }
      if (saved.isEmpty()) {
        throw new InvalidModelException(
            "%s holds no model of Millrace; it is of another job".formatted(savepoint));
      }
      if (!coordinator.gathers() && states.has(TrainingOperators.GATHERER.of(prefix).uid())) {
        throw new InvalidModelException(
            ("%s is of a job with %s '%s', and contributions may wait in it that a job without"
                    + " would lose; continue with that option")
                .formatted(
                    savepoint, ExchangeOptions.COMBINE.key(), ExchangeOptions.FirstLevel.PROCESS));
      }
      CoordinatorState unused = CoordinatorState.restore(coordinator, saved.get(0));
    } catch (InvalidModelException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      LOG.info("The savepoint {} can't be looked at from here", savepoint, e);
    }
  }
}
