package dev.millrace.exchange.publication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.testing.SummingEngine;
import org.junit.jupiter.api.Test;

class ModelAssemblerTest {

  private static final ModelSpec SPEC = SummingEngine.initial(4).spec();
  private static final BlockLayout LAYOUT = SPEC.layout(2, true);

  private final ModelAssembler assembler = new ModelAssembler(SPEC, LAYOUT);

  /** Otherwise each aborted checkpoint would keep a model in memory until a later one completes. */
  @Test
  void whatIsForgottenHasToComeAgainFromItsFirstPart() {
    PublicationTrigger aborted = PublicationTrigger.checkpoint(7);
    assembler.add(new PublishedPart.Block(aborted, 0, 3, new float[2]));
    assertThat(assembler.size()).isEqualTo(1);

    assembler.forget(aborted);

    assertThat(assembler.size()).isZero();
  }
}
