package dev.millrace.exchange;

import dev.millrace.exchange.block.BlockMessage;
import dev.millrace.exchange.block.BlockMessage.Contribution;
import dev.millrace.exchange.block.BlockMessage.Part;
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
  private final RoundHistory history = new RoundHistory();
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
    mirror = new GlobalModelCopy(feedbackCodec != null, layout);
    told.clear();
  }

  void take(BlockMessage message) {
    GlobalBlock block = blocks[message.block()];
    if (message instanceof Pull pull) {
      block.initialize(pull.initial(), pull.serverOptimizer(), combiner);
      if (block.isInitialized() && !told.get(block.block())) {
        broadcast(block);
      }
    } else if (message instanceof Part part) {
      block.add(part);
    } else {
      history.contributed((Contribution) message);
      block.add((Contribution) message);
    }
    advance(block);
  }

  void take(Decision decision) {
    history.decided(decision);
    blocks[decision.block()].add(decision);
    advance(blocks[decision.block()]);
  }

  private void advance(GlobalBlock block) {
    for (Decision made = block.advance(combiner); made != null; made = block.advance(combiner)) {
      if (made.isOfMembers()) {
        history.made(block.update());
        broadcast(block);
      }
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

  /** The moving average of all blocks of parameters. */
  float[] average() {
    float[] vector = new float[layout.parameters()];
    for (GlobalBlock block : blocks) {
      float[] values = block.average();
      System.arraycopy(values, 0, vector, layout.offset(block.block()), values.length);
    }
    return vector;
  }

  /** What {@link #average} has to be. */
  double[] plainAverage(double halfLife) {
    double[] vector = new double[layout.parameters()];
    for (GlobalBlock block : blocks) {
      double[] values =
          history.average(
              block.block(), block.round(), new float[layout.size(block.block())], halfLife);
      System.arraycopy(values, 0, vector, layout.offset(block.block()), values.length);
    }
    return vector;
  }

  /** What each block was after each of its rounds. */
  float[][] rounds() {
    List<float[]> rounds = new ArrayList<>();
    for (GlobalBlock block : blocks) {
      for (long round = 1; round <= block.round(); round++) {
        rounds.add(history.values(block.block(), round));
      }
    }
    return rounds.toArray(float[][]::new);
  }

  /** The examples behind all rounds of a block, as it counts them. */
  double examples(int block) {
    return history.examples(block, blocks[block].round());
  }

  RoundHistory history() {
    return history;
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
    history.save();
    return saved;
  }

  void restore(List<byte[]> saved) throws IOException {
    history.restore();
    for (int block = 0; block < blocks.length; block++) {
      blocks[block] =
          GlobalBlock.read(new DataInputStream(new ByteArrayInputStream(saved.get(block))));
    }
  }
}
