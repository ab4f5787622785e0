package dev.millrace.exchange;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Pull;
import dev.millrace.exchange.block.BlockUpdate;
import dev.millrace.exchange.block.Combiner;
import dev.millrace.exchange.block.Feedback;
import dev.millrace.exchange.block.GlobalBlock;
import dev.millrace.exchange.block.GlobalModelCopy;
import dev.millrace.exchange.codec.Codec;
import dev.millrace.exchange.replica.Replica;
import dev.millrace.exchange.round.Decision;
import dev.millrace.model.BlockLayout;
import dev.millrace.model.ModelReplica;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The blocks of a {@link Simulation}, which tell all replicas what they become. */
final class SimulatedBlocks {

  private final BlockLayout layout;
  private final Combiner combiner;
  private final Codec feedbackCodec;
  private final GlobalBlock[] blocks;
  private final BitSet told = new BitSet();
  private GlobalModelCopy mirror;
  private List<Replica> replicas;
  private SimulatedChannels channels;

  /** {@code feedbackCodec} is null where blocks go back whole. */
  SimulatedBlocks(BlockLayout layout, Combiner combiner, Codec feedbackCodec) {
    this.layout = layout;
    this.combiner = combiner;
    this.feedbackCodec = feedbackCodec;
    this.blocks = new GlobalBlock[layout.count()];
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] = new GlobalBlock(block);
    }
  }

  /** Begins to tell these replicas, which know nothing. */
  void tell(List<Replica> receivers, SimulatedChannels by) {
    replicas = receivers;
    channels = by;
    mirror = new GlobalModelCopy(feedbackCodec != null, layout.count());
    told.clear();
  }

  void take(BlockMessage message) {
    GlobalBlock block = blocks[message.block()];
    if (message instanceof Pull pull) {
      block.initialize(pull.initial(), pull.serverOptimizer(), combiner);
      if (block.isInitialized() && !told.get(block.block())) {
        broadcast(block);
      }
    } else {
      block.add((Contribution) message);
    }
    advance(block);
  }

  void take(Decision decision) {
    blocks[decision.block()].add(decision);
    advance(blocks[decision.block()]);
  }

  private void advance(GlobalBlock block) {
    while (block.advance(combiner) != null) {
      broadcast(block);
    }
  }

  private void broadcast(GlobalBlock block) {
    Feedback live = block.feedback(combiner, !told.get(block.block()));
    told.set(block.block());
    BlockUpdate sent = mirror.take(copy(live));
    for (int index = 0; index < replicas.size(); index++) {
      Replica replica = replicas.get(index);
      channels.fromBlock(index, live.block(), () -> replica.accept(sent));
    }
  }

  /** As over the network: values that change later must not change what was sent. */
  private static Feedback copy(Feedback feedback) {
    return feedback instanceof BlockUpdate update
        ? new BlockUpdate(update.block(), update.round(), update.values().clone())
        : feedback;
  }

  /** The sum of what models hold beyond the blocks, of which all feedback has arrived. */
  float[] pending(List<ModelReplica> models) {
    float[] sum = new float[layout.length()];
    for (GlobalBlock block : blocks) {
      int offset = layout.offset(block.block());
      float[] known = ((BlockUpdate) block.feedback(combiner, true)).values();
      float[] values = new float[known.length];
      for (ModelReplica model : models) {
        model.read(offset, values, 0, values.length);
        for (int i = 0; i < values.length; i++) {
          sum[offset + i] += values[i] - known[i];
        }
      }
    }
    return sum;
  }

  float[] vector() {
    float[] vector = new float[layout.length()];
    for (GlobalBlock block : blocks) {
      float[] values = block.update().values();
      System.arraycopy(values, 0, vector, layout.offset(block.block()), values.length);
    }
    return vector;
  }

  List<byte[]> save() throws IOException {
    List<byte[]> saved = new ArrayList<>();
    for (GlobalBlock block : blocks) {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      block.write(new DataOutputStream(bytes));
      saved.add(bytes.toByteArray());
    }
    return saved;
  }

  void restore(List<byte[]> saved) throws IOException {
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] =
          GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(saved.get(block))));
    }
  }
}
