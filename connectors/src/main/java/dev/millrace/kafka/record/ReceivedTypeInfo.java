package dev.millrace.kafka.record;

import dev.millrace.example.Received;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.java.typeutils.GenericTypeInfo;

/** How Flink carries {@link Received}: by {@link ReceivedSerializer}, never by Kryo. */
public final class ReceivedTypeInfo extends GenericTypeInfo<Received> {

  public ReceivedTypeInfo() {
    super(Received.class);
  }

  @Override
  public TypeSerializer<Received> createSerializer(SerializerConfig config) {
    return new ReceivedSerializer();
  }
}
