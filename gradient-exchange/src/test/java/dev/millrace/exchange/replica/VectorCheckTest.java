package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of a vector of four values, of which three are exchanged, in blocks of two. */
class VectorCheckTest {

  private final ModelReplica model =
      ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(4), DeviceRequest.any());
  private final VectorBlocks blocks = new VectorBlocks(model, new BlockLayout(3, 2, 3, List.of()));
  private final Anchor anchor = new Anchor(blocks);
  private final VectorCheck check = new VectorCheck(blocks, anchor, new Divergence(3));

  @Test
  void valuesThatAreNotFiniteAreNotSound() {
    change(1, 1, Float.NaN, 1);

    assertThat(check.isSound(Double.POSITIVE_INFINITY)).isFalse();
    assertThat(check.isRestSound()).isTrue();
  }

  @Test
  void valuesThatAreNotExchangedAreLookedAtApart() {
    change(1, 1, 1, Float.POSITIVE_INFINITY);

    assertThat(check.isSound(1)).isTrue();
    assertThat(check.isRestSound()).isFalse();
  }

  @Test
  void aChangeBeyondTheBoundIsNotSound() {
    change(3, 3, 3, 0);

    assertThat(check.isSound(1.9)).isFalse();
    assertThat(check.isSound(2)).isTrue();
  }

  @Test
  void whatHasNotChangedIsNotLookedAt() {
    write(Float.NaN, 1, 1, 1);

    assertThat(check.isSound(0)).isTrue();
  }

  /** From 1, 1, 1, 1. */
  private void change(float... values) {
    write(1, 1, 1, 1);
    anchor.keep();
    write(values);
  }

  private void write(float... values) {
    model.write(0, values, 0, values.length);
  }
}
