package dev.millrace.model;

import com.fasterxml.jackson.annotation.JsonInclude;

/**
 * Tells how a member of a model learns, and what it counts in predictions.
 *
 * @param learningRate in force, the factors of courses and warm-ups left aside
 * @param replay how many replayed examples it takes in a step at most; null for all
 * @param weight those of all members add up to 1
 * @param loss discounted mean of its losses
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MemberReport(double learningRate, Integer replay, double weight, double loss) {}
