package dev.millrace.job.train.measure;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.exchange.publication.PublicationTrigger;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.exchange.segment.SegmentRule;
import dev.millrace.exchange.segment.SegmentRule.Kind;
import dev.millrace.job.follow.RowPlace;
import dev.millrace.job.follow.ServedRows;
import dev.millrace.job.train.publish.PlannedCheckpoints;
import dev.millrace.job.train.publish.PublisherOperator;
import dev.millrace.job.train.publish.PublisherSettings;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.IdLists;
import dev.millrace.model.Ledger;
import dev.millrace.model.Lineage;
import dev.millrace.model.Measures;
import dev.millrace.model.ModelSpec;
import dev.millrace.model.ModelVersion;
import dev.millrace.model.device.DeviceRequest;
import dev.millrace.model.features.FeatureStatistics;
import dev.millrace.model.features.LearnedFeatures;
import dev.millrace.model.shape.ExampleShape;
import dev.millrace.model.shape.ExampleStructure;
import dev.millrace.model.shape.FeatureColumns;
import dev.millrace.model.shape.IdColumn;
import dev.millrace.model.shape.IndexRange;
import dev.millrace.model.shape.Target;
import dev.millrace.model.testing.SummingEngine;
import java.util.List;
import java.util.Set;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.TwoInputStreamOperatorTestHarness;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the last model is measured by, whatever comes first and whatever fails. */
@Timeout(120)
class SegmentMeasurementTest {

  private static final ModelSpec SPEC = SummingEngine.spec(4);
  private static final BlockLayout LAYOUT = SPEC.layout(3, true);
  private static final SegmentRule RULE = new SegmentRule(Kind.PERIOD, 0.1, 10, 5);
  private static final PublicationTrigger END = PublicationTrigger.end();
  private static final PublishedPart HEAD =
      new PublishedPart.Head(
          END,
          Set.of(),
          new ModelVersion(1, 7),
          7,
          LearnedFeatures.of(new FeatureStatistics(0)),
          new Ledger(),
          Measures.NONE,
          Lineage.NONE);

  private TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt;

  @BeforeEach
  void start() throws Exception {
    attempt = attempt();
    attempt.open();
  }

  @AfterEach
  void close() throws Exception {
    attempt.getOperator().close();
    attempt.getEnvironment().close();
  }

  @Test
  void theLastModelIsMeasuredByExamplesThatComeAfterIt() throws Exception {
    send(example(0));
    send(HEAD);
    send(block(0));
    send(block(1));
    send(example(1));

    assertMeasuredOnceBy(2);
  }

  @Test
  void partsOfTheLastModelThatCameBeforeACheckpointDontComeAgain() throws Exception {
    send(example(0));
    send(HEAD);
    send(block(0));
    OperatorSubtaskState state = attempt.snapshot(1, 0);
    close();
    attempt = attempt();
    attempt.initializeState(state);
    attempt.open();

    send(block(1));

    assertMeasuredOnceBy(1);
  }

  @Test
  void anExampleThatTheModelCannotComputeWithIsLeftOut() throws Exception {
    HeldOutExample unusable =
        new HeldOutExample(
            0,
            1,
            new float[] {Float.NEGATIVE_INFINITY},
            new float[1],
            new String[0],
            IdLists.NONE,
            0);
    HeldOutExample alone =
        new HeldOutExample(
            1,
            1,
            new float[] {Float.NEGATIVE_INFINITY},
            new float[1],
            new String[0],
            IdLists.NONE,
            0);
    send(example(0));
    send(unusable);
    send(alone);
    send(example(2));
    send(HEAD);
    send(block(0));
    send(block(1));

    assertMeasuredOnceBy(2);
  }

  @Test
  void whereSegmentsAreOffSamplesOfBeforeAreDropped() throws Exception {
    send(example(0));
    OperatorSubtaskState state = attempt.snapshot(1, 0);
    close();
    attempt = attempt(SegmentRule.NONE);
    attempt.initializeState(state);
    attempt.open();
    OperatorSubtaskState without = attempt.snapshot(2, 0);
    close();
    attempt = attempt();
    attempt.initializeState(without);
    attempt.open();
    send(example(1));
    send(HEAD);
    send(block(0));
    send(block(1));

    assertMeasuredOnceBy(1);
  }

  @Test
  void samplesAreThereAfterARestart() throws Exception {
    send(example(0));
    send(example(1));
    OperatorSubtaskState state = attempt.snapshot(1, 0);
    close();
    attempt = attempt();
    attempt.initializeState(state);
    attempt.open();
    send(HEAD);
    send(block(0));
    send(block(1));

    assertMeasuredOnceBy(2);
  }

  /** An example's label is its id, which is its row's only value. */
  @Test
  void idsReadRowsAfterARestartToo() throws Exception {
    ExampleShape shape =
        new ExampleShape(
            1,
            1,
            Target.REGRESSION,
            new FeatureColumns(
                "{}",
                List.of(),
                List.of(),
                List.of(new IdColumn("user", "users", new IndexRange(0, 1), IdColumn.Pooling.SUM))),
            ExampleStructure.FLAT);
    ModelSpec spec = SummingEngine.spec(shape, 4);
    close();
    attempt = attempt(spec, new OwnIds());
    attempt.open();
    send(withId(5));
    send(withId(1_000));
    OperatorSubtaskState state = attempt.snapshot(1, 0);
    close();
    attempt = attempt(spec, new OwnIds());
    attempt.initializeState(state);
    attempt.open();
    send(HEAD);
    send(block(0));
    send(block(1));

    attempt.getOperator().finish();

    JsonNode segment =
        new JsonMapper().readTree(attempt.extractOutputValues().get(0)).get("segments").get(0);
    assertThat(segment.get("examples").asInt()).isEqualTo(2);
    assertThat(segment.get("loss").asDouble()).isZero();
  }

  private static HeldOutExample withId(long id) {
    IdLists ids = new IdLists(1);
    ids.add(id);
    ids.end();
    return new HeldOutExample(0, id, new float[1], new float[] {id}, new String[0], ids, 0);
  }

  private record OwnIds() implements RowPlace {

    @Override
    public ServedRows open() {
      return new ServedRows() {
        @Override
        public Reader reader(ExampleShape shape) {
          return (ids, features) -> {
            for (int row = 0; row < ids.rows(); row++) {
              features[row] = ids.ids()[ids.start(row)];
            }
          };
        }

        @Override
        public void close() {}
      };
    }
  }

  private static TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt(
      ModelSpec spec, RowPlace rows) throws Exception {
    return new TwoInputStreamOperatorTestHarness<>(
        new PublisherOperator(
            new PublisherSettings(spec, LAYOUT, null, rows, DeviceRequest.guest(), null),
            RULE,
            new PlannedCheckpoints(false)));
  }

  private void assertMeasuredOnceBy(int examples) throws Exception {
    attempt.getOperator().finish();
    assertThat(attempt.extractOutputValues()).hasSize(1);
    JsonNode record = new JsonMapper().readTree(attempt.extractOutputValues().get(0));
    assertThat(record.get("round").asLong()).isEqualTo(7);
    assertThat(record.get("segments")).hasSize(1);
    assertThat(record.get("segments").get(0).get("examples").asInt()).isEqualTo(examples);
  }

  private static TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt()
      throws Exception {
    return attempt(RULE);
  }

  private static TwoInputStreamOperatorTestHarness<PublishedPart, HeldOutExample, String> attempt(
      SegmentRule rule) throws Exception {
    return new TwoInputStreamOperatorTestHarness<>(
        new PublisherOperator(
            new PublisherSettings(SPEC, LAYOUT, null, null, DeviceRequest.guest(), null),
            rule,
            new PlannedCheckpoints(false)));
  }

  private void send(PublishedPart part) throws Exception {
    attempt.processElement1(new StreamRecord<>(part));
  }

  private void send(HeldOutExample example) throws Exception {
    attempt.processElement2(new StreamRecord<>(example));
  }

  private static PublishedPart block(int block) {
    return new PublishedPart.Block(END, block, 7, false, new float[LAYOUT.size(block)]);
  }

  private static HeldOutExample example(long priority) {
    return new HeldOutExample(
        0, priority, new float[1], new float[1], new String[0], IdLists.NONE, 0);
  }
}
