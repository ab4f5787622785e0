package dev.millrace.exchange.codec;

import dev.millrace.model.BlockLayout;
import java.util.Arrays;
import java.util.List;

/**
 * Encodes a replica's contributions: parameters by one codec, the updater's state by another. They
 * share no codec, since they share no scale: Adam's second moments are far below any threshold that
 * fits its first ones, and whoever takes them over would make steps far too long.
 *
 * <p>Not thread-safe.
 */
public final class ContributionEncoder {

  private static final Codec EXACT = Codec.float32();

  private final BlockLayout layout;
  private final Codec parameters;
  private final Codec updaterState;
  private final Encoder ofParameters;
  private final Encoder ofUpdaterState;
  private final Encoder exact = EXACT.encoder(List.of());
  private final float decay;

  /**
   * @param layout of the exchanged vector
   */
  ContributionEncoder(BlockLayout layout, ContributionCodecs codecs) {
    this.layout = layout;
    this.parameters = codecs.parameters();
    this.updaterState = codecs.updaterState();
    this.ofParameters = parameters.encoder(codecs.segments());
    this.ofUpdaterState = updaterState.encoder(codecs.segments());
    this.decay = (float) codecs.decay();
  }

  /** Whether nothing is ever left out. */
  public boolean isLossless() {
    return ofParameters.isLossless() && (ofUpdaterState.isLossless() || !layout.hasUpdaterState());
  }

  /**
   * Encodes a block's change as {@link Encoder#encode} does; what is left out is in {@code change}
   * then, all zero if nothing is.
   */
  public Payload send(int block, float[] change) {
    Encoder encoder = of(block);
    int size = layout.size(block);
    Payload payload = codecOf(block).send(encoder, layout.offset(block), change, size);
    if (encoder.isLossless()) {
      Arrays.fill(change, 0, size, 0f);
    }
    return payload;
  }

  /**
   * Encodes every bit of a block's change, whatever the codecs; what {@code change} is is
   * undefined.
   */
  public Payload sendExactly(int block, float[] change) {
    boolean lossless = of(block).isLossless();
    Codec codec = lossless ? codecOf(block) : EXACT;
    Encoder encoder = lossless ? of(block) : exact;
    return codec.send(encoder, layout.offset(block), change, layout.size(block));
  }

  /** Whether anything that is left out decays. */
  public boolean decays() {
    return decay != 1 && !ofParameters.isLossless();
  }

  /**
   * Returns what stays of what is left out of a block's change; 1 is all of it, as of the updater's
   * state always.
   */
  public float decay(int block) {
    return isOfParameters(block) ? decay : 1;
  }

  /** See {@link Encoder#learned}. */
  public void learned(long examples) {
    ofParameters.learned(examples);
    ofUpdaterState.learned(examples);
  }

  /** The last block of a change has been encoded. */
  public void complete() {
    ofParameters.complete();
    ofUpdaterState.complete();
  }

  /** Returns what has to be remembered between changes, for a checkpoint. */
  public float[][] save() {
    return new float[][] {ofParameters.save(), ofUpdaterState.save()};
  }

  /** Continues from what {@link #save} gave; what isn't of these codecs' form is left aside. */
  public void restore(float[][] saved) {
    ofParameters.restore(saved[0]);
    ofUpdaterState.restore(saved[1]);
  }

  private Encoder of(int block) {
    return isOfParameters(block) ? ofParameters : ofUpdaterState;
  }

  private Codec codecOf(int block) {
    return isOfParameters(block) ? parameters : updaterState;
  }

  private boolean isOfParameters(int block) {
    return layout.parameters(block) > 0;
  }
}
