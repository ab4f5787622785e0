package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.codec.ContributionCodecs;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.schedule.Fragment;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChangeEncoderTest {

  private final ModelReplica model =
      ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(4), DeviceRequest.any());
  private final BlockLayout layout = SummingEngine.spec(4).layout(3, true);
  private final VectorBlocks blocks = new VectorBlocks(model, layout);
  private final Anchor anchor = new Anchor(blocks);
  private final Divergence divergence = new Divergence(4);
  private final Residual residual = new Residual(blocks);

  @Test
  void theChangeIsWholeAndTheAnchorMovesToTheValues() {
    ChangeEncoder encoder = encoder(Codec.float32());
    change(2, 3, 4, 6);

    assertThat(decoded(encoder.encode(10, false, Fragment.WHOLE).orElseThrow()))
        .containsExactly(1, 2, 3, 5);

    assertThat(anchor.isClean()).isTrue();
    assertThat(divergence.value()).isEqualTo(Math.sqrt(39) / 2);
  }

  /** Half of each block is sent, rounded up: the larger ones. */
  @Test
  void whatTheCodecLeavesOutIsTheDifferenceThatStays() {
    Codec codec = Codec.topK(0.5);
    ChangeEncoder encoder = encoder(codec);
    change(5, 2, 1.5f, 9);

    float[] sent = decoded(encoder.encode(10, false, Fragment.WHOLE).orElseThrow());

    for (int i = 0; i < 4; i++) {
      float known = i < 3 ? anchor.of(0)[i] : anchor.of(1)[0];
      assertThat(known).as("value %d", i).isEqualTo(1 + sent[i]);
    }
    assertThat(sent[2]).isZero();
    assertThat(anchor.isClean()).isFalse();
    assertThat(values()).as("the values stay").containsExactly(5, 2, 1.5f, 9);
    assertThat(residual.save()[0][2]).isEqualTo(0.5f);
  }

  /** The values go as far back to the anchor as decays, and no further. */
  @Test
  void whatDecaysIsGoneFromTheValuesToo() {
    ChangeEncoder encoder = encoder(ContributionCodecs.ofAll(Codec.topK(0.5), List.of()), 0.75);
    change(5, 2, 1.5f, 9);

    float[] sent = decoded(encoder.encode(10, false, Fragment.WHOLE).orElseThrow());

    assertThat(sent).containsExactly(4, 1, 0, 8);
    assertThat(anchor.of(0)).containsExactly(5, 2, 1);
    assertThat(values()).containsExactly(5, 2, 1.375f, 9);
    assertThat(residual.save()[0]).containsExactly(0, 0, 0.375f);
    assertThat(anchor.isClean()).isFalse();
  }

  /** What has been given up bit by bit isn't sent whole at the end; nothing of it is owed. */
  @Test
  void theLastContributionIsAsAnyWhereWhatIsLeftOutDecays() {
    ChangeEncoder encoder = encoder(ContributionCodecs.ofAll(Codec.topK(0.5), List.of()), 0.75);
    change(5, 2, 1.5f, 9);

    float[] sent = decoded(encoder.encode(10, true, Fragment.WHOLE).orElseThrow());

    assertThat(sent).containsExactly(4, 1, 0, 8);
    assertThat(values()).containsExactly(5, 2, 1, 9);
    assertThat(residual.isEmpty()).isTrue();
    assertThat(anchor.isClean()).isTrue();
  }

  @Test
  void whereNothingStaysTheValuesAreWhatIsKnown() {
    ChangeEncoder encoder = encoder(ContributionCodecs.ofAll(Codec.topK(0.5), List.of()), 0);
    change(5, 2, 1.5f, 9);

    assertThat(encoder.encode(10, false, Fragment.WHOLE)).isPresent();

    assertThat(values()).containsExactly(5, 2, 1, 9);
    assertThat(residual.isEmpty()).isTrue();
    assertThat(anchor.isClean()).isTrue();
  }

  /** They wait for their turn. */
  @Test
  void whatIsNotCoveredDoesNotDecay() {
    ChangeEncoder encoder = encoder(ContributionCodecs.ofAll(Codec.topK(0.5), List.of()), 0.5);
    change(2, 3, 4, 6);

    assertThat(encoder.encode(10, false, new Fragment(1, 2))).isPresent();

    assertThat(residual.save()[0]).containsExactly(1, 2, 3);
    assertThat(values()).containsExactly(2, 3, 4, 6);
  }

  @Test
  void blocksThatAreNotCoveredStayWithAllOfTheirChange() {
    ChangeEncoder encoder = encoder(Codec.float32());
    change(2, 3, 4, 6);

    Payload[] sent = encoder.encode(10, false, new Fragment(1, 2)).orElseThrow();

    assertThat(sent[0]).isNull();
    assertThat(sent[1].receive(new float[1], 1)).containsExactly(5);
    assertThat(anchor.of(0)).containsExactly(1, 1, 1);
    assertThat(anchor.of(1)).containsExactly(6);
    assertThat(values()).containsExactly(2, 3, 4, 6);
    assertThat(residual.isEmpty(1)).isTrue();
    assertThat(residual.save()[0]).containsExactly(1, 2, 3);

    assertThat(decoded(encoder.encode(10, false, Fragment.WHOLE).orElseThrow()))
        .containsExactly(1, 2, 3, 0);
    assertThat(anchor.isClean()).isTrue();
    assertThat(residual.isEmpty()).isTrue();
  }

  @Test
  void exactlyEveryBitIsSentWhateverTheCodec() {
    ChangeEncoder encoder = encoder(Codec.topK(0.5));
    change(5, 2, 1.5f, 9);
    float[] first = decoded(encoder.encode(10, false, Fragment.WHOLE).orElseThrow());

    float[] last = decoded(encoder.encode(10, true, Fragment.WHOLE).orElseThrow());

    for (int i = 0; i < 4; i++) {
      assertThat(1 + first[i] + last[i]).isEqualTo(values()[i]);
    }
    assertThat(anchor.isClean()).isTrue();
    assertThat(residual.isEmpty()).isTrue();
  }

  @Test
  void whatIsNotSoundIsNotSent() {
    for (Codec codec : List.of(Codec.float32(), Codec.topK(0.5))) {
      ChangeEncoder encoder = encoder(codec);
      change(2, Float.NaN, 2, 2);
      assertThat(encoder.encode(10, false, Fragment.WHOLE)).isEmpty();

      anchor.restoreValues();
      change(30, 2, 2, 2);
      assertThat(encoder.encode(10, false, Fragment.WHOLE)).isEmpty();
      anchor.restoreValues();
    }
    assertThat(divergence.value()).as("of no contribution").isNaN();
  }

  private ChangeEncoder encoder(Codec codec) {
    return encoder(ContributionCodecs.ofAll(codec, List.of()), 1);
  }

  private ChangeEncoder encoder(ContributionCodecs codecs, double decay) {
    VectorCheck check = new VectorCheck(blocks, anchor, divergence);
    return new ChangeEncoder(
        blocks, codecs.withDecay(decay).encoder(layout), anchor, divergence, check, residual);
  }

  /** From 1, 1, 1, 1. */
  private void change(float... values) {
    model.write(0, new float[] {1, 1, 1, 1}, 0, 4);
    anchor.keep();
    model.write(0, values, 0, 4);
  }

  private float[] values() {
    float[] values = new float[4];
    model.read(0, values, 0, values.length);
    return values;
  }

  private float[] decoded(Payload[] payloads) {
    float[] change = new float[4];
    for (int b = 0; b < payloads.length; b++) {
      int size = layout.size(b);
      float[] block = payloads[b].receive(new float[size], size);
      System.arraycopy(block, 0, change, layout.offset(b), size);
    }
    return change;
  }
}
