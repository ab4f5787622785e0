package dev.millrace.exchange.replica;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelEngine;
import dev.millrace.model.ModelReplica;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.testing.SummingEngine;
import org.junit.jupiter.api.Test;

class AnchorTest {

  private final ModelReplica model =
      ModelEngine.named(SummingEngine.NAME).build(SummingEngine.spec(4), DeviceRequest.any());
  private final BlockLayout layout = SummingEngine.spec(4).layout(3, true);
  private final Anchor anchor = new Anchor(new VectorBlocks(model, layout));

  @Test
  void keepsTheValuesAsTheyWereBeforeTheyChanged() {
    write(1, 2, 3, 4);
    anchor.keep();
    write(9, 9, 9, 9);
    anchor.keep();

    assertThat(anchor.isClean()).isFalse();
    assertThat(anchor.of(0)).containsExactly(1, 2, 3);
    assertThat(anchor.of(1)).containsExactly(4);
  }

  @Test
  void isTheValuesAgainOnceAllIsContributed() {
    write(1, 2, 3, 4);
    anchor.keep();
    write(5, 6, 7, 8);

    anchor.moveToValues();

    assertThat(anchor.isClean()).isTrue();
    anchor.keep();
    assertThat(anchor.of(0)).containsExactly(5, 6, 7);
  }

  @Test
  void writesWhatIsKnownBackIntoTheModel() {
    write(1, 2, 3, 4);
    anchor.keep();
    anchor.take(1, new float[] {7});
    write(9, 9, 9, 9);

    anchor.restoreValues();

    assertThat(values()).containsExactly(1, 2, 3, 7);
    assertThat(anchor.isClean()).isTrue();
  }

  @Test
  void globalValuesStayAsTheyAreWhenTheAnchorMoves() {
    float[] global = {7};
    anchor.keep();
    anchor.take(1, global);

    anchor.replace(1)[0] = 5;

    assertThat(global).containsExactly(7);
    assertThat(anchor.of(1)).containsExactly(5);
  }

  @Test
  void whatIsSavedStaysAsItIs() {
    write(1, 2, 3, 4);
    anchor.keep();
    anchor.take(1, new float[] {7});
    float[] first = anchor.save(0);
    float[] second = anchor.save(1);

    anchor.replace(0)[0] = 8;
    anchor.replace(1)[0] = 8;

    assertThat(first).containsExactly(1, 2, 3);
    assertThat(second).containsExactly(7);
  }

  @Test
  void continuesFromWhatWasSaved() {
    write(1, 2, 3, 4);

    anchor.restore(new float[][] {{5, 6, 7}, null});

    assertThat(anchor.isClean()).isFalse();
    assertThat(anchor.of(0)).containsExactly(5, 6, 7);
    assertThat(anchor.of(1)).as("the values").containsExactly(4);
  }

  @Test
  void withoutAnythingSavedItIsTheValues() {
    anchor.restore(new float[2][]);

    assertThat(anchor.isClean()).isTrue();
  }

  private void write(float... values) {
    model.write(0, values, 0, values.length);
  }

  private float[] values() {
    float[] values = new float[4];
    model.read(0, values, 0, values.length);
    return values;
  }
}
