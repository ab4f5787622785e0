package dev.millrace.model.dl4j;

import dev.millrace.model.Learning;
import dev.millrace.model.Learning.Schedule;
import dev.millrace.model.io.InvalidModelException;
import java.util.List;
import org.nd4j.linalg.learning.config.AdaGrad;
import org.nd4j.linalg.learning.config.Adam;
import org.nd4j.linalg.learning.config.IUpdater;
import org.nd4j.linalg.learning.config.Nesterovs;
import org.nd4j.linalg.learning.config.RmsProp;
import org.nd4j.linalg.learning.config.Sgd;
import org.nd4j.linalg.schedule.ExponentialSchedule;
import org.nd4j.linalg.schedule.ISchedule;
import org.nd4j.linalg.schedule.ScheduleType;
import org.nd4j.linalg.schedule.StepSchedule;

/** The updaters of the built-in networks, by name. */
final class Updaters {

  private static final List<String> NAMES =
      List.of("sgd", "nesterovs", "adam", "rmsprop", "adagrad");

  private Updaters() {}

  static IUpdater of(Learning learning) {
    double rate = learning.learningRate().orElse(1e-3);
    if (!(rate > 0) || Double.isInfinite(rate)) {
      throw new InvalidModelException(
          "The learning rate is %s; it must be a number above 0, such as 0.01".formatted(rate));
    }
    IUpdater updater = constant(learning, rate);
    // As the updaters' own constructors that take a schedule: the rate is no number then.
    learning
        .schedule()
        .ifPresent(falling -> updater.setLrAndSchedule(Double.NaN, schedule(falling, rate)));
    return updater;
  }

  private static IUpdater constant(Learning learning, double rate) {
    String updater = learning.updater().orElse("adam");
    return switch (updater) {
      case "sgd" -> new Sgd(rate);
      case "nesterovs" -> new Nesterovs(rate, momentum(learning));
      case "adam" ->
          new Adam(
              rate,
              momentum(learning),
              Adam.DEFAULT_ADAM_BETA2_VAR_DECAY,
              Adam.DEFAULT_ADAM_EPSILON);
      case "rmsprop" -> new RmsProp(rate);
      case "adagrad" -> new AdaGrad(rate);
      case "adamw" -> throw Dl4jLearning.noAdamW();
      default ->
          throw new InvalidModelException(
              "There is no updater '%s'; %s".formatted(updater, Nearest.remedy(updater, NAMES)));
    };
  }

  private static ISchedule schedule(Schedule schedule, double rate) {
    return switch (schedule.kind()) {
      case STEP ->
          new StepSchedule(ScheduleType.ITERATION, rate, schedule.factor(), schedule.steps());
      case EXPONENTIAL ->
          new ExponentialSchedule(
              ScheduleType.ITERATION, rate, Math.pow(schedule.factor(), 1.0 / schedule.steps()));
      case COSINE -> throw Dl4jLearning.noSchedule(schedule.kind());
    };
  }

  private static double momentum(Learning learning) {
    double momentum = learning.momentum().orElse(0.9);
    if (!(momentum >= 0 && momentum < 1)) {
      throw new InvalidModelException(
          "The momentum is %s; it must be at least 0 and below 1, such as 0.9".formatted(momentum));
    }
    return momentum;
  }
}
