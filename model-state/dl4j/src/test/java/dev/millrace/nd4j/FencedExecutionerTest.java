package dev.millrace.nd4j;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Proxy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.nd4j.linalg.api.ops.executioner.OpExecutioner;
import org.nd4j.linalg.factory.Nd4j;

final class FencedExecutionerTest {

  @BeforeAll
  static void start() {
    FencedExecutioner.install();
  }

  @Test
  void isInstalledOnce() {
    OpExecutioner installed = Nd4j.getExecutioner();
    FencedExecutioner.install();

    assertThat(Proxy.getInvocationHandler(installed)).isInstanceOf(FencedExecutioner.class);
    assertThat(Nd4j.getExecutioner()).isSameAs(installed);
  }

  @Test
  void computesAsBefore() {
    assertThat(Nd4j.createFromArray(1f, 2f, 3f).mul(2).sumNumber().floatValue()).isEqualTo(12f);
  }

  @Test
  void throwsWhatNd4jThrows() {
    OpExecutioner failing =
        FencedExecutioner.around(
            (OpExecutioner)
                Proxy.newProxyInstance(
                    OpExecutioner.class.getClassLoader(),
                    new Class<?>[] {OpExecutioner.class},
                    (proxy, method, operands) -> {
                      throw new IllegalStateException("no " + method.getName());
                    }));

    assertThatThrownBy(failing::commit)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no commit");
  }
}
