package dev.millrace.job.train.rebuild;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.exchange.aggregate.Aggregator;
import dev.millrace.exchange.aggregate.ServerOptimizer;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.codec.Payload;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.gather.Gatherer;
import dev.millrace.exchange.round.ClosedRound;
import dev.millrace.exchange.round.ContributionId;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.Member;
import dev.millrace.exchange.round.Participation;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ServerOptimizerState;
import dev.millrace.model.testing.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RebuiltGatheringTest {

  private static final int SIZE = 64;
  private static final int REPLICAS = 5;
  private static final BlockLayout LAYOUT = new BlockLayout(SIZE, SIZE, SIZE, List.of());

  /** Replicas 0 and 2 share a process, and 1 and 4; 3 was dealt out. */
  private static final List<List<Integer>> GROUPS = List.of(List.of(0, 2), List.of(1, 4));

  private final long seed = Seeds.next();
  private final Random die = new Random(seed);
  private final Combiner combiner =
      new Combiner(LAYOUT, Aggregator.weightedMean(), ServerOptimizer.none(1));

  @Test
  void aRoundHasTheBitsThatItsProcessesGaveIt() {
    List<Contribution> contributions = new ArrayList<>();
    for (int replica = 0; replica < REPLICAS; replica++) {
      float[] change = new float[SIZE];
      IntStream.range(0, SIZE).forEach(i -> change[i] = (float) die.nextGaussian());
      contributions.add(new Contribution(0, replica, 1, 1 + die.nextInt(50), Payload.of(change)));
    }

    float[] flat = made(block -> contributions.forEach(block::add));
    float[] gathered = made(block -> gather(contributions, block));
    float[] again = made(block -> gatherAgain(contributions, block));

    assertThat(again).as("seed %d", seed).containsExactly(gathered).isNotEqualTo(flat);
  }

  private float[] made(Consumer<GlobalBlock> contribute) {
    GlobalBlock block = new GlobalBlock(0);
    block.initialize(ones(), ServerOptimizerState.NONE, combiner);
    contribute.accept(block);
    BitSet members = new BitSet();
    members.set(0, REPLICAS);
    block.add(new Decision(0, 1, members, Participation.WHOLE, false));
    assertThat(block.advance(combiner)).isNotNull();
    return block.update().values();
  }

  private static float[] ones() {
    float[] ones = new float[SIZE];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** As the job does it. */
  private static void gather(List<Contribution> contributions, GlobalBlock block) {
    List<ContributionId> dealt = List.of(new ContributionId(3, 1));
    for (int number = 0; number < GROUPS.size(); number++) {
      List<Integer> group = GROUPS.get(number);
      Gatherer gatherer = new Gatherer(LAYOUT, Aggregator.weightedMean(), block::add);
      group.forEach(replica -> gatherer.add(contributions.get(replica)));
      if (number == 1) {
        gatherer.add(contributions.get(3));
      }
      List<ContributionId> own =
          group.stream().map(replica -> new ContributionId(replica, 1)).toList();
      gatherer.add(new GatherOrder(number, 1, own, dealt));
    }
  }

  private static void gatherAgain(List<Contribution> contributions, GlobalBlock block) {
    RebuiltGathering gathering =
        new RebuiltGathering(new Gatherer(LAYOUT, Aggregator.weightedMean(), block::add));
    contributions.forEach(gathering::add);
    List<Member> members =
        contributions.stream()
            .map(one -> new Member(one.replica(), one.sequence(), one.weight()))
            .toList();
    gathering.combine(
        new ClosedRound(1, members, Participation.WHOLE),
        GROUPS.stream().map(RebuiltGatheringTest::set).toList());
  }

  private static BitSet set(List<Integer> group) {
    BitSet set = new BitSet();
    group.forEach(set::set);
    return set;
  }
}
