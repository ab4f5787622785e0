package dev.millrace.exchange.flink.feedback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.exchange.block.BlockChange;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.codec.TestPayloads;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.feedback.ReplicaLink;
import dev.millrace.exchange.feedback.ReplicaLinks;
import dev.millrace.exchange.flink.FaultInjector;
import dev.millrace.exchange.round.JobProgress;
import dev.millrace.exchange.round.RoundHead;
import dev.millrace.exchange.round.Standing;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.features.FeatureStatistics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@link FeedbackOperator} of replica 1, which shares its process with replica 0. */
class FeedbackOperatorTest {

  /** Of two blocks. */
  private static final BlockLayout LAYOUT = new BlockLayout(2, 1, 2, List.of());

  private static final int INDEX = 1;
  private static final int SUBTASKS = 3;
  private static final String ELSEWHERE = "another-process/1";

  private final ReplicaLink neighbour = ReplicaLinks.open();
  private final ReplicaLink own = ReplicaLinks.open();
  private TwoInputStreamOperatorTestHarness<Delivery, HeadDelivery, Void> feedback;

  @BeforeEach
  void open() throws Exception {
    feedback =
        new TwoInputStreamOperatorTestHarness<>(
            new FeedbackOperator(LAYOUT, true, FaultInjector.NONE), SUBTASKS, SUBTASKS, INDEX);
    feedback.open();
  }

  @AfterEach
  void close() throws Exception {
    feedback.close();
    ReplicaLinks.close(neighbour);
    ReplicaLinks.close(own);
  }

  @Test
  void aDeliveryReachesAllReplicasThatItNames() throws Exception {
    deliver(new BlockUpdate(0, 1, new float[] {5}), neighbour.home(), own.home());

    assertThat(blocks(neighbour)).extracting(BlockUpdate::round).containsExactly(1L);
    assertThat(blocks(own)).extracting(BlockUpdate::round).containsExactly(1L);
  }

  @Test
  void aChangeIsAddedToWhatCameBefore() throws Exception {
    deliver(new BlockUpdate(0, 1, new float[] {5}), own.home());
    deliver(change(0, 1, 2, 10), own.home());

    assertThat(blocks(own))
        .singleElement()
        .satisfies(
            update -> {
              assertThat(update.round()).isEqualTo(2);
              assertThat(update.values()).containsExactly(15);
            });
  }

  @Test
  void aChangeThatDoesNotFollowWhatCameBeforeIsRefused() throws Exception {
    assertThatIllegalStateException()
        .as("nothing came before")
        .isThrownBy(() -> deliver(change(0, 1, 2, 10), own.home()));
    deliver(new BlockUpdate(0, 3, new float[] {5}), own.home());

    assertThatIllegalStateException()
        .as("a late one")
        .isThrownBy(() -> deliver(change(0, 1, 2, 10), own.home()))
        .withMessage("Block 0 is known at round 3, and its change is since round 1");
    assertThat(blocks(own)).extracting(BlockUpdate::round).containsExactly(3L);
  }

  @Test
  void aDeliveryToAReplicaThatIsNoMoreReachesTheOthers() throws Exception {
    ReplicaLinks.close(neighbour);

    deliver(new BlockUpdate(0, 1, new float[] {5}), neighbour.home(), own.home());

    assertThat(blocks(neighbour)).isEmpty();
    assertThat(blocks(own)).hasSize(1);
  }

  @Test
  void aHeadReachesTheReplicasThatItNamesEachWithItsStanding() throws Exception {
    feedback.processElement2(
        head(1, Map.of(neighbour.home(), Standing.NONE, own.home(), new Standing(3, 2, 1))));

    assertThat(heads(neighbour)).containsExactly(tuple(1L, Standing.NONE));
    assertThat(heads(own)).containsExactly(tuple(1L, new Standing(3, 2, 1)));
  }

  @Test
  void aHeadReachesNobodyElse() throws Exception {
    feedback.processElement2(head(1, Map.of(neighbour.home(), Standing.NONE)));

    assertThat(heads(own)).isEmpty();
  }

  @Test
  void aHeadForADeadAttemptReachesNobody() throws Exception {
    ReplicaLinks.close(own);

    feedback.processElement2(head(1, Map.of(own.home(), Standing.NONE)));

    assertThat(heads(own)).isEmpty();
  }

  @Test
  void aReplicaInAnotherProcessFailsTheJobWithTheCause() {
    assertThatIllegalStateException()
        .isThrownBy(() -> feedback.processElement2(head(1, Map.of(ELSEWHERE, Standing.NONE))))
        .withMessageStartingWith("Feedback sink 1 and replica 1 run in different processes");
  }

  @Test
  void aReplicaThatHasEndedTakesNothingMore() throws Exception {
    own.feedback().end();

    deliver(new BlockUpdate(0, 1, new float[] {5}), own.home());
    feedback.processElement2(head(1, Map.of(own.home(), Standing.NONE)));

    assertThat(blocks(own)).isEmpty();
    assertThat(heads(own)).isEmpty();
  }

  @Test
  void theEndOfItsInputsSendsNothing() throws Exception {
    deliver(new BlockUpdate(0, 1, new float[] {5}), own.home());

    feedback.endInput1();
    feedback.endInput2();
    feedback.getOperator().finish();

    assertThat(feedback.getOutput()).isEmpty();
    assertThat(blocks(own)).as("what came before the end").hasSize(1);
  }

  private void deliver(Feedback block, String... homes) throws Exception {
    feedback.processElement1(new StreamRecord<>(new Delivery(INDEX, List.of(homes), block)));
  }

  private static BlockChange change(int block, long base, long round, float change) {
    return new BlockChange(block, base, round, TestPayloads.float32(0, new float[] {change}, 1));
  }

  private static StreamRecord<HeadDelivery> head(long round, Map<String, Standing> standings) {
    RoundHead head = new RoundHead(round, JobProgress.NONE, 0, new FeatureStatistics(0), 1, false);
    return new StreamRecord<>(new HeadDelivery(INDEX, head, standings));
  }

  private static List<BlockUpdate> blocks(ReplicaLink link) {
    List<BlockUpdate> updates = new ArrayList<>();
    link.feedback().drain((head, standing) -> {}, updates::add);
    return updates;
  }

  /** Rounds and standings. */
  private static List<Tuple> heads(ReplicaLink link) {
    List<Tuple> heads = new ArrayList<>();
    link.feedback()
        .drain((head, standing) -> heads.add(tuple(head.round(), standing)), update -> {});
    return heads;
  }
}
