package dev.millrace.model.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

class SeedsTest {

  /** A build that fails by chance says nothing of the change that it is for. */
  @Test
  @DisabledIfSystemProperty(named = "millrace.seeds", matches = "new")
  @DisabledIfSystemProperty(named = "millrace.seed", matches = ".*")
  void eachBuildHasTheSameOnes() {
    Random expected = new Random(SeedsTest.class.getName().hashCode());

    assertThat(Seeds.next()).isEqualTo(expected.nextLong());
    assertThat(Seeds.next()).isEqualTo(expected.nextLong());
  }
}
