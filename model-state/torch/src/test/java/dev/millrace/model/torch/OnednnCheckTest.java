package dev.millrace.model.torch;

import static org.assertj.core.api.Assertions.assertThat;

import org.bytedeco.pytorch.global.torch;
import org.junit.jupiter.api.Test;

class OnednnCheckTest {

  /** Whether with oneDNN or without it: what the engine computes with is right. */
  @Test
  void convolutionsAreRightOnThisProcessor() {
    TorchRuntime.start();

    assertThat(OnednnCheck.isSound())
        .as("oneDNN is on: %s", torch.globalContext().userEnabledMkldnn())
        .isTrue();
  }
}
