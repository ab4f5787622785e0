package dev.millrace.job.follow;

import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Reads models where no options say what examples are: the first model that is served does, and
 * which class has which number. Later ones that differ from it are refused, as a scoring job does
 * with its options.
 *
 * <p>Belongs to the thread of the watch, but for {@link #refused}.
 */
public final class AgreeingModels implements ModelWatch.Reader {

  private final ModelRows rows;

  /** Null before the first model. */
  private final AtomicReference<Agreed> agreed = new AtomicReference<>();

  /** The agreement of models, up to the newest of them. */
  private record Agreed(ExampleShape shape, List<String> classes, ModelVersion newest) {}

  /** Reads the models of a place. */
  public AgreeingModels(ModelPlace models) {
    this.rows = new ModelRows(models);
  }

  @Override
  public ServedModel read(PublishedSnapshot snapshot) {
    SnapshotDescription description = snapshot.description();
    Agreed before = agreed.get();
    ExampleShape wanted = before == null ? description.shape() : before.shape();
    if (wanted == null) {
      throw new InvalidModelException(
          "its description doesn't say what examples it takes; publish it again");
    }
    if (!wanted.equals(description.shape())) {
      throw new InvalidModelException(
          ("it takes other examples than the models before it (%s, and not %s); start again to"
                  + " predict with it")
              .formatted(describe(description.shape()), describe(wanted)));
    }
    try {
      return ServedModel.read(
          snapshot, wanted, before == null ? List.of() : before.classes(), rows);
    } catch (UnusableEngineException e) {
      if (before == null) {
        throw e;
      }
      // There is a model that predicts, of another engine.
      throw new InvalidModelException(e.getMessage(), e);
    }
  }

  @Override
  public void offered(ServedModel model) {
    agreed.set(new Agreed(model.spec().shape(), model.classes(), model.version()));
  }

  @Override
  public void refused(ServedModel model) {
    Agreed last = agreed.get();
    // A later one that is still to be served agrees with it.
    if (last != null && last.newest().equals(model.version())) {
      agreed.compareAndSet(last, null);
    }
  }

  @Override
  public void close() {
    rows.close();
  }

  private static String describe(ExampleShape shape) {
    return shape == null
        ? "nobody knows which"
        : "%s features, %s outputs, %s"
            .formatted(shape.features(), shape.outputs(), shape.target());
  }
}
