package dev.millrace.exchange.round;

import java.io.Serializable;

/**
 * One contribution that a round is made of.
 *
 * @param replica number of the replica that sent it
 * @param sequence which of its contributions, counted from 1
 * @param weight sum of the weights of the examples behind it
 */
public record Member(int replica, long sequence, double weight) implements Serializable {}
