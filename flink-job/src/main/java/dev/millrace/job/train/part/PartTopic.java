package dev.millrace.job.train.part;

import org.apache.flink.configuration.ConfigOption;

/**
 * A compacted topic that a part writes to.
 *
 * @param option that names it
 * @param content what it holds, for messages: {@code rows}
 * @param one of them: {@code a row}
 */
public record PartTopic(ConfigOption<String> option, String content, String one) {}
