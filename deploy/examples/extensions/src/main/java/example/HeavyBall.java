package example;

import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.aggregate.ServerOptimizerExtension;
import dev.millrace.exchange.aggregate.StateShape;
import java.util.Map;

/** Polyak's momentum over rounds. Its velocity is kept with the model, in checkpoints, too. */
public final class HeavyBall implements ServerOptimizerExtension {

  @Override
  public String name() {
    return "heavy-ball";
  }

  @Override
  public ServerOptimizer create(Map<String, String> options) {
    return new Step(Float.parseFloat(options.getOrDefault("heavy-ball.momentum", "0.5")));
  }

  record Step(float momentum) implements ServerOptimizer {

    @Override
    public StateShape stateShape() {
      return new StateShape(1, false);
    }

    @Override
    public void apply(float[] values, float[] change, int length, double size, float[] velocity) {
      float keep = (float) Math.pow(momentum, size);
      for (int i = 0; i < length; i++) {
        velocity[i] = keep * velocity[i] + change[i];
        values[i] += velocity[i];
      }
    }
  }
}
