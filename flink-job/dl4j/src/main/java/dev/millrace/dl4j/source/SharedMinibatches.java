package dev.millrace.dl4j.source;

import dev.millrace.dl4j.run.LocalHandle;

/**
 * The minibatches of an iterator of this process, for tasks that run in it.
 *
 * @param dealer reads the iterator
 */
public record SharedMinibatches(LocalHandle<IteratorDealer> dealer) implements Minibatches {

  @Override
  public ShareQueue open(Share share, int epochs) {
    return dealer.get().open(share);
  }
}
