package dev.millrace.kafka;

import dev.millrace.example.Received;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;

/** How Flink carries {@link Received}: by {@link ReceivedSerializer}, never by Kryo. */
public final class ReceivedTypeInfo extends TypeInformation<Received> {

  @Override
  public boolean isBasicType() {
    return false;
  }

  @Override
  public boolean isTupleType() {
    return false;
  }

  @Override
  public int getArity() {
    return 1;
  }

  @Override
  public int getTotalFields() {
    return 1;
  }

  @Override
  public Class<Received> getTypeClass() {
    return Received.class;
  }

  @Override
  public boolean isKeyType() {
    return false;
  }

  @Override
  public TypeSerializer<Received> createSerializer(SerializerConfig config) {
    return new ReceivedSerializer();
  }

  @Override
  public String toString() {
    return "Received";
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ReceivedTypeInfo;
  }

  @Override
  public int hashCode() {
    return ReceivedTypeInfo.class.hashCode();
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof ReceivedTypeInfo;
  }
}
