package dev.millrace.job.train.publish;

import dev.millrace.model.ModelVersion;

/**
 * What an attempt still has to commit of what attempts before it have released.
 *
 * @param covered the newest of these models
 * @param checkpoint that covers them
 */
record Adoption(ModelVersion covered, long checkpoint) {

  static Adoption parse(String text) {
    int space = text.indexOf(' ');
    return new Adoption(
        ModelVersion.parse(text.substring(0, space)), Long.parseLong(text.substring(space + 1)));
  }

  @Override
  public String toString() {
    return covered + " " + checkpoint;
  }
}
