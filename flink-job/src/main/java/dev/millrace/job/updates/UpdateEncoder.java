package dev.millrace.job.updates;

import dev.millrace.exchange.codec.Encoder;
import dev.millrace.model.GlobalModel;
import dev.millrace.model.Ledger;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.shape.IndexRange;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the updates that lead from a whole model to newer ones: a fifth of the parameters in each
 * update, those that are furthest away, in two bits and their places. What an update leaves out the
 * next ones bring.
 *
 * <p>Not thread-safe.
 */
public final class UpdateEncoder {

  /** Parameters of one scale: each has magnitudes of its own (SparseLoCo has the same size). */
  private static final int SEGMENT = 4096;

  private final ModelVersion whole;
  private final FollowedParameters followed;
  private final Encoder encoder;
  private final float[] difference;
  private ModelVersion newest;

  /** Begins with a whole model, which followers have or will have. */
  public UpdateEncoder(GlobalModel model) {
    int parameters = model.spec().parameters();
    this.whole = model.version();
    this.newest = whole;
    this.followed = new FollowedParameters(model.vector(), parameters);
    this.encoder = FollowedParameters.CODEC.encoder(segments(parameters));
    this.difference = new float[followed.length(0)];
  }

  private static List<IndexRange> segments(int parameters) {
    List<IndexRange> segments = new ArrayList<>();
    for (int from = 0; from < parameters; from += SEGMENT) {
      segments.add(new IndexRange(from, Math.min(parameters, from + SEGMENT)));
    }
    return segments;
  }

  /** Whether a model is newer than the one that followers are led to. */
  public boolean isBefore(GlobalModel model) {
    return newest.compareTo(model.version()) < 0;
  }

  /** Number of the update that was made last. */
  public int number() {
    return followed.number();
  }

  /** Returns the pieces of the update that leads towards a model. */
  public List<ModelUpdate> encode(GlobalModel model, Instant made) {
    List<byte[]> changes = new ArrayList<>();
    for (int piece = 0; piece < followed.pieces(); piece++) {
      followed.difference(piece, model.vector(), difference);
      byte[] change = encoder.encode(followed.offset(piece), difference, followed.length(piece));
      followed.add(piece, change);
      changes.add(change);
    }
    encoder.complete();
    followed.complete();
    newest = model.version();
    List<ModelUpdate> pieces = new ArrayList<>();
    for (int piece = 0; piece < changes.size(); piece++) {
      pieces.add(
          new ModelUpdate(
              whole,
              followed.origin(),
              followed.number(),
              piece,
              changes.size(),
              newest,
              made,
              followed.checksum(),
              piece == 0 ? model.ledger() : new Ledger(),
              changes.get(piece)));
    }
    return pieces;
  }
}
