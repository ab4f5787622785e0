package dev.millrace.exchange.flink.wire;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.confusion.ConfusionReport;
import dev.millrace.exchange.feedback.Delivery;
import dev.millrace.exchange.feedback.HeadDelivery;
import dev.millrace.exchange.flink.gather.ToGatherer;
import dev.millrace.exchange.gather.GatherOrder;
import dev.millrace.exchange.layer.LayersReport;
import dev.millrace.exchange.log.LogEntry;
import dev.millrace.exchange.process.ReplicaReport;
import dev.millrace.exchange.publication.PublishedPart;
import dev.millrace.exchange.round.CoordinatorMessage;
import dev.millrace.exchange.round.Decision;
import dev.millrace.exchange.round.JobEvent;
import dev.millrace.exchange.round.RoundReport;
import dev.millrace.exchange.round.RoundTimeline;
import dev.millrace.exchange.segment.HeldOutExample;
import dev.millrace.model.io.WireFormat;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;

/** Type of a message, which Flink carries by its {@link WireFormat}, never by Kryo. */
public final class WireType<T> extends GenericTypeInfo<T> {

  public static final TypeInformation<BlockMessage> BLOCK_MESSAGE =
      new WireType<>(BlockMessage.class, BlockMessage.WIRE);
  public static final TypeInformation<CoordinatorMessage> COORDINATOR_MESSAGE =
      new WireType<>(CoordinatorMessage.class, CoordinatorMessage.WIRE);
  public static final TypeInformation<Decision> DECISION =
      new WireType<>(Decision.class, Decision.WIRE);
  public static final TypeInformation<ToGatherer> TO_GATHERER =
      new WireType<>(ToGatherer.class, ToGatherer.WIRE);
  public static final TypeInformation<GatherOrder> GATHER_ORDER =
      new WireType<>(GatherOrder.class, GatherOrder.WIRE);
  public static final TypeInformation<HeadDelivery> HEAD_DELIVERY =
      new WireType<>(HeadDelivery.class, HeadDelivery.WIRE);
  public static final TypeInformation<Delivery> DELIVERY =
      new WireType<>(Delivery.class, Delivery.WIRE);
  public static final TypeInformation<PublishedPart> PUBLISHED_PART =
      new WireType<>(PublishedPart.class, PublishedPart.WIRE);
  public static final TypeInformation<RoundReport> ROUND_REPORT =
      new WireType<>(RoundReport.class, RoundReport.WIRE);
  public static final TypeInformation<RoundTimeline> ROUND_TIMELINE =
      new WireType<>(RoundTimeline.class, RoundTimeline.WIRE);
  public static final TypeInformation<JobEvent> JOB_EVENT =
      new WireType<>(JobEvent.class, JobEvent.WIRE);
  public static final TypeInformation<LayersReport> LAYERS =
      new WireType<>(LayersReport.class, LayersReport.WIRE);
  public static final TypeInformation<ConfusionReport> CONFUSION =
      new WireType<>(ConfusionReport.class, ConfusionReport.WIRE);
  public static final TypeInformation<ReplicaReport> REPLICA_REPORT =
      new WireType<>(ReplicaReport.class, ReplicaReport.WIRE);
  public static final TypeInformation<HeldOutExample> HELD_OUT =
      new WireType<>(HeldOutExample.class, HeldOutExample.WIRE);
  public static final TypeInformation<LogEntry> LOG_ENTRY =
      new WireType<>(LogEntry.class, LogEntry.WIRE);

  private final WireFormat<T> format;

  private WireType(Class<T> type, WireFormat<T> format) {
    super(type);
    this.format = format;
  }

  /** Returns the type of a message that another module has; its format is serializable. */
  public static <T> TypeInformation<T> of(Class<T> type, WireFormat<T> format) {
    return new WireType<>(type, format);
  }

  @Override
  public TypeSerializer<T> createSerializer(SerializerConfig config) {
    return new WireSerializer<>(getTypeClass(), format);
  }
}
