package dev.millrace.job.follow;

import dev.millrace.exchange.flink.coordinator.ClassOrder;
import dev.millrace.model.device.UnusableEngineException;
import dev.millrace.model.io.InvalidModelException;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.Target;
import dev.millrace.snapshot.PublishedSnapshot;
import dev.millrace.snapshot.SnapshotDescription;
import java.util.List;

/**
 * Reads models where no options say what examples are: the first model does, and which class has
 * which number. Later ones that differ from it are refused, as a scoring job does with its options.
 *
 * <p>Belongs to the thread of the watch.
 */
public final class AgreeingModels implements ModelWatch.Reader {

  private final ModelRows rows;

  /** Null before the first model. */
  private ExampleShape shape;

  private List<String> classes = List.of();

  /** Reads the models of a place. */
  public AgreeingModels(ModelPlace models) {
    this.rows = new ModelRows(models);
  }

  @Override
  public ServedModel read(PublishedSnapshot snapshot) {
    SnapshotDescription description = snapshot.description();
    ExampleShape wanted = shape == null ? description.shape() : shape;
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
    ServedModel model;
    try {
      model = ServedModel.read(snapshot, wanted, names(description), rows);
    } catch (UnusableEngineException e) {
      if (shape == null) {
        throw e;
      }
      // There is a model that predicts, of another engine.
      throw new InvalidModelException(e.getMessage(), e);
    }
    shape = wanted;
    classes = model.classes();
    return model;
  }

  @Override
  public void close() {
    rows.close();
  }

  private List<String> names(SnapshotDescription description) {
    boolean classified = description.shape().target() == Target.CLASSIFICATION;
    return classes.isEmpty() && classified ? ClassOrder.in(description.configuration()) : classes;
  }

  private static String describe(ExampleShape shape) {
    return shape == null
        ? "nobody knows which"
        : "%s features, %s outputs, %s"
            .formatted(shape.features(), shape.outputs(), shape.target());
  }
}
