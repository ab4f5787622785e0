package dev.millrace.job.train.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.ModelVersion;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReleasedVersionsTest {

  private final ReleasedVersions released = new ReleasedVersions(Optional.empty());

  @Test
  void aCheckpointCoversWhatWasReleasedBeforeIt() {
    released.checkpoint(1);
    released.admit(version(1));
    released.checkpoint(2);
    released.admit(version(2));

    assertThat(released.complete(1)).isEmpty();
    assertThat(released.complete(2)).contains(version(1));
    assertThat(released.newest()).contains(version(2));
  }

  @Test
  void whatAnAbortedCheckpointCoveredTheNextOneCovers() {
    released.admit(version(1));
    released.checkpoint(1);
    released.abort(1);
    assertThat(released.complete(1)).isEmpty();

    released.checkpoint(2);

    assertThat(released.complete(2)).contains(version(1));
  }

  @Test
  void onlyANewerVersionIsAdmitted() {
    assertThat(released.admit(version(5))).isTrue();

    assertThat(released.admit(version(5))).isFalse();
    assertThat(released.admit(version(4))).isFalse();
    assertThat(released.newest()).contains(version(5));
    assertThat(released.admit(new ModelVersion(2, 1))).as("of a later attempt").isTrue();
  }

  @Test
  void afterARestoreVersionsGoOnlyUpFromWhatTheCheckpointKnew() {
    ReleasedVersions restored = new ReleasedVersions(Optional.of(new ModelVersion(2, 3)));

    assertThat(restored.newest()).contains(new ModelVersion(2, 3));
    assertThat(restored.admit(version(9))).isFalse();
    assertThat(restored.admit(new ModelVersion(3, 0))).isTrue();
  }

  private static ModelVersion version(long round) {
    return new ModelVersion(1, round);
  }
}
