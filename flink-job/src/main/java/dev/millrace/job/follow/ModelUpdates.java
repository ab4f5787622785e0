package dev.millrace.job.follow;

import java.time.Duration;
import java.util.Optional;

/**
 * Brings what a job learns between two whole models. Each update leads from the parameters before
 * it to those behind it, of a newer version; who has missed one goes on with the next whole model.
 *
 * <p>Belongs to the watch's thread.
 */
public interface ModelUpdates extends AutoCloseable {

  /**
   * Goes on from a whole model. No update is added to one that is held.
   *
   * @param held whether a person has put it back
   * @return what to serve now: the model, with the updates that have come for it; empty to go on
   *     with what was given last, which is newer, until more updates have come
   */
  Optional<ServedModel> follow(ServedModel whole, boolean held);

  /**
   * Waits for updates, for so long at most, and adds those that have come. What can't be read is
   * logged, and tried again with the next call.
   *
   * @return the newest model; empty where nothing has come
   */
  Optional<ServedModel> await(Duration patience);

  @Override
  void close();
}
