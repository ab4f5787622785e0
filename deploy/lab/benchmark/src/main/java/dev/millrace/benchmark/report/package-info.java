/** Pages, charts and numbers: how what was measured is written down. */
package dev.millrace.benchmark.report;
