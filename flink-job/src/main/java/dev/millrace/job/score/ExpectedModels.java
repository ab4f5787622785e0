package dev.millrace.job.score;

import dev.millrace.job.follow.ModelRows;
import dev.millrace.job.follow.ModelWatch;
import dev.millrace.job.follow.ServedModel;
import dev.millrace.snapshot.PublishedSnapshot;

/** Reads models where options say what examples are. Belongs to the thread of the watch. */
final class ExpectedModels implements ModelWatch.Reader {

  private final ScoringSettings settings;
  private final ModelRows rows;

  ExpectedModels(ScoringSettings settings) {
    this.settings = settings;
    this.rows = new ModelRows(settings.serving().models());
  }

  @Override
  public ServedModel read(PublishedSnapshot snapshot) {
    return ServedModel.read(snapshot, settings.shape(), settings.classes(), rows);
  }

  @Override
  public void close() {
    rows.close();
  }
}
