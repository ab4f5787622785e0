package dev.millrace.job.score;

import dev.millrace.exchange.flink.NonRecoverableException;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InputErrors;
import dev.millrace.model.io.InvalidModelException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a model that was read and tried to work on the task's thread. What goes wrong there, such as
 * a second replica that memory has no room for, refuses the model: if it failed the task, that
 * would restart and meet the same model again.
 */
final class ModelTakeover {

  private static final Logger LOG = LoggerFactory.getLogger(ModelTakeover.class);

  private ModelTakeover() {}

  /**
   * Tries to serve a model.
   *
   * @param another whether one serves already, which goes on if this one is refused
   * @param serving leaves all as it was if it fails
   * @return whether it serves now
   * @throws NonRecoverableException if the engine can't work here, and no model serves
   */
  static boolean attempt(
      ServedModel model, boolean another, Runnable serving, ScoringMetrics metrics) {
    try {
      serving.run();
      metrics.serves(model);
      return true;
    } catch (UnusableEngineException e) {
      if (!another) {
        throw new NonRecoverableException(e);
      }
      refuse(model, another, e.getMessage(), metrics);
    } catch (InvalidModelException e) {
      refuse(model, another, e.getMessage(), metrics);
    } catch (Error e) {
      refuse(model, another, InputErrors.reason(e), metrics);
    }
    return false;
  }

  private static void refuse(
      ServedModel model, boolean another, String why, ScoringMetrics metrics) {
    LOG.warn(
        "A model is refused, {}: version {} can't be served: {}",
        another ? "and the last one still serves" : "and there is none yet",
        model.version(),
        why);
    metrics.refused();
  }
}
