package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class LanesTest {

  private final Lanes lanes = new Lanes(3);

  @Test
  void eachHasAThreadOfItsOwn() {
    List<String> threads = lanes.all(List.of(0, 1, 2, 0), lane -> lane, lane -> name());

    assertThat(threads).containsExactly("rebuild-0", "rebuild-1", "rebuild-2", "rebuild-0");
  }

  /** Replicas go on from each other over several restores. */
  @Test
  void oneThatWaitsDoesWhatTheOtherAsks() {
    String thread =
        lanes.on(1, () -> lanes.on(2, () -> lanes.on(1, () -> lanes.on(2, this::name))));

    assertThat(thread).isEqualTo("rebuild-2");
    assertThat(lanes.on(1, this::name)).isEqualTo("rebuild-1");
  }

  @Test
  void whatFailsOnALaneFailsForWhoAsked() {
    assertThatThrownBy(
            () ->
                lanes.on(
                    0,
                    () ->
                        lanes.on(
                            1,
                            () -> {
                              throw new IllegalArgumentException("no");
                            })))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("no");
    lanes.close();
  }

  private String name() {
    return Thread.currentThread().getName();
  }
}
